/**
 * Takes away what tools write before each line of what they run: `@acme/db:preview: {`, `db-1  | {`, a log's times.
 */
import { stripVTControlCharacters } from "node:util";

/** The times of logs, with the brackets or the space around them. */
const time = /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?[ \t]/;

/** Where JSON begins behind something else. Only the beginning of a line is looked at. */
const begin = /^(.*?\S)\s*(?:\{\s*(?:["}]|$)|\[\s*\{)/;
const longestPrefix = 200;

/** What stands behind a prefix. */
export interface Unprefixed {
  readonly prefix: string;
  readonly text: string;
}

/** What the text would be without a prefix, once for each prefix that lines have before JSON. */
export function withoutPrefixes(text: string): readonly Unprefixed[] {
  const lines = stripVTControlCharacters(text)
    .split(/\r?\n/)
    .map((line) => line.replace(time, ""));
  const prefixes = lines.flatMap((line) => {
    const [, prefix] = begin.exec(line.slice(0, longestPrefix)) ?? [];
    return prefix === undefined || /["{]/.test(prefix) ? [] : [prefix];
  });
  const found = [...new Set(prefixes)].slice(0, mostPrefixes).map((prefix) => ({
    prefix,
    text: lines
      .filter((line) => line.startsWith(prefix))
      .map((line) => line.slice(prefix.length).replace(/^ /, ""))
      .join("\n"),
  }));
  return [{ prefix: "the time", text: lines.join("\n") }, ...found];
}

/** Text that is no JSON at all may have many. */
const mostPrefixes = 20;
