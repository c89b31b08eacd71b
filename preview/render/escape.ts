/**
 * Foreign text (names, values, messages) in Markdown, where none of it may act: no table cell ends, no tag
 * opens, nobody is mentioned, nothing is linked, and nothing runs backwards.
 */

/** Long enough for ids and hosts. */
const longestValue = 160;

/**
 * Text as inline code. Mentions, issue numbers and links are dead in code; where a character could end the
 * code or the cell, an HTML element with character references says the same in every renderer.
 */
export function code(value: string, limit = longestValue): string {
  const text = shorten(visible(value), limit);
  if (text === "") return "<code></code>";
  if (!/[`|<>&]/.test(text) && text.trim() === text) return `\`${text}\``;
  const escaped = text.replaceAll(/[^\p{L}\p{N} ,;/'"=+()-]/gu, (character) => {
    const reference = `&#${character.codePointAt(0) ?? 0xfffd};`;
    // To Markdown the inside of an element is text, in which addresses become links unless something parts them.
    return "@.:".includes(character) ? `${reference}<wbr>` : reference;
  });
  return `<code>${escaped}</code>`;
}

/** Longer text as a block; not for table cells. */
export function codeBlock(value: string, limit: number): string {
  const lines = value.split("\n").map((line) => visible(line));
  const text = shorten(lines.join("\n"), limit);
  const longestRun = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longestRun + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** Characters that move the cursor, hide or reorder text, written out. For terminals as well. */
export function visible(value: string): string {
  return value
    .replaceAll("\r\n", "\n")
    .replaceAll("\n", "\\n")
    .replaceAll(/\p{Surrogate}/gu, "\uFFFD")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
      const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
      return `\\u{${hex}}`;
    });
}

/** By whole characters, saying so with an ellipsis. */
function shorten(text: string, limit: number): string {
  const characters = Array.from(text);
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join("")}…`;
}
