/**
 * Removes what tools write before each line of a command's output: `@acme/db:preview: {`, `db-1  | {`, a log's times.
 */
import { stripVTControlCharacters } from "node:util";

/** The times of logs, with the brackets or the space around them. */
const time = /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?[ \t]/;

/** A line with JSON after other text. Only the first characters of a line are searched. */
const begin = /^(.*?\S)\s*(?:\{\s*(?:["}]|$)|\[\s*\{)/;
const longestPrefix = 200;

/** A text without the prefix of its lines. */
export interface Unprefixed {
  readonly prefix: string;
  readonly text: string;
}

/** One result for each prefix that some line has before JSON: the text without that prefix. */
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

/** A text without any JSON may seem to have many prefixes. */
const mostPrefixes = 20;
