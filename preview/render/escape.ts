/**
 * Escapes foreign text (names, values, messages) in Markdown: it must not end a table cell, open a tag, mention
 * anybody, become a link, or change the direction of text.
 */

import { withoutCommands } from "../../provider/model/errors";

/** Long enough for ids and hosts. */
const longestValue = 160;

/**
 * Text as inline code, in which mentions, issue numbers and links have no effect. If a character could end the code
 * or the cell, an HTML element with character references is used, which every renderer shows alike.
 */
export function code(value: string, limit = longestValue): string {
  const text = shorten(visible(value), limit);
  if (text === "") return "<code></code>";
  if (!/[`|<>&]/.test(text) && text.trim() === text) return `\`${text}\``;
  const escaped = text.replaceAll(/[^\p{L}\p{N} ,;/'"=+()-]/gu, (character) => {
    const reference = `&#${character.codePointAt(0) ?? 0xfffd};`;
    // Markdown treats the inside of an element as text, in which addresses become links unless they are separated.
    return "@.:".includes(character) ? `${reference}<wbr>` : reference;
  });
  return `<code>${escaped}</code>`;
}

/**
 * Our own text, which may contain a foreign word. It becomes code only if Markdown could read it as markup, or if it is
 * longer than the limit.
 */
export function words(value: string, limit: number): string {
  const areWords = /^(?:[\w ,;:()'-]|\.(?=[ \d]|$))*$/.test(value) && !/www|gh-\d/i.test(value);
  return areWords && value.length <= limit ? value : code(value, limit);
}

/** Longer text as a block; not valid in table cells. */
export function codeBlock(value: string, limit: number): string {
  const lines = value.split("\n").map((line) => visible(line));
  const text = shorten(lines.join("\n"), limit);
  const longestRun = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longestRun + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/**
 * Writes out characters that move the cursor or that hide or reorder text, and makes commands to CI systems ineffective.
 * Terminals need it too.
 */
export function visible(value: string): string {
  return (
    withoutCommands(value)
      .replaceAll("\r\n", "\n")
      .replaceAll("\n", "\\n")
      // A tab becomes a space, since Pulumi's own messages contain tabs.
      .replaceAll("\t", " ")
      .replaceAll(/\p{Surrogate}/gu, "\uFFFD")
      .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
        const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
        return `\\u{${hex}}`;
      })
  );
}

/** JSON of the same content that cannot control a terminal or a CI system that shows it. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2)
    // No escape of JSON contains these characters, so a backslash before them does not matter.
    .replaceAll(/##(?=\w*\[)/g, "#\\u0023")
    .replaceAll(/[\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      character
        .split("")
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .join(""),
    );
  return `${text}\n`;
}

/** Cuts between whole characters, and adds an ellipsis. */
function shorten(text: string, limit: number): string {
  const characters = Array.from(text);
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join("")}…`;
}
