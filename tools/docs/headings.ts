/**
 * TypeDoc leaves code out of the text of a heading: of "Where the time of an `up` goes" its list of a page's headings had
 * half, and its anchor was not the one that GitHub makes of the same page.
 */

interface Token {
  readonly type: string;
  content: string;
  children: Token[] | null;
}

interface State {
  readonly tokens: readonly Token[];
  readonly Token: new (type: string, tag: string, nesting: number) => Token;
}

/** The part of markdown-it that this needs. */
export interface MarkdownParser {
  readonly core: {
    readonly ruler: { readonly push: (name: string, rule: (state: State) => void) => unknown };
  };
}

/** Text is looked for among a token's children: code gets its own as one. */
export function keepCodeInHeadings(parser: MarkdownParser): void {
  parser.core.ruler.push("code-in-headings", ({ tokens, Token: NewToken }) => {
    for (const [at, { type }] of tokens.entries()) {
      if (type !== "heading_open") continue;
      for (const child of tokens[at + 1]?.children ?? []) {
        if (child.type !== "code_inline") continue;
        const text = new NewToken("text", "", 0);
        text.content = child.content;
        child.children = [text];
      }
    }
  });
}
