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
  /** The lines without this prefix. */
  readonly others: string;
}

/** Buildkite writes the time of each line as a command to terminals, which Node does not strip. */
const [escape, bell] = ["\u001b", "\u0007"];
const terminalCommand = new RegExp(`${escape}_[^${bell}${escape}\n]*(?:${bell}|${escape}\\\\)`, "g");

/**
 * A text without colours and other commands to a terminal, byte order marks, and the zeros of UTF-16 behind UTF-8. JSON has
 * none of them outside of its values.
 */
export function withoutControls(text: string): string {
  return stripVTControlCharacters(text.replaceAll(terminalCommand, "")).replaceAll(/[\0\uFEFF]/g, "");
}

/** Text before JSON, without quotes but for those of Google Cloud Build: `Step #1 - "preview": {`. */
const isPrefix = /^(?:[^"{]*|Step #\d+ - "[^"{]*":)$/;

/** One result for each prefix that some line has before JSON: the text without that prefix. */
export function withoutPrefixes(text: string): readonly Unprefixed[] {
  const lines = withoutControls(text)
    .split(/\r?\n/)
    .map((line) => line.replace(time, ""));
  const prefixes = lines.flatMap((line) => {
    const [, prefix] = begin.exec(line.slice(0, longestPrefix)) ?? [];
    return prefix === undefined || !isPrefix.test(prefix) ? [] : [prefix];
  });
  const found = [...new Set(prefixes)].slice(0, mostPrefixes).map((prefix) => ({
    prefix,
    text: lines
      .filter((line) => line.startsWith(prefix))
      .map((line) => line.slice(prefix.length).replace(/^ /, ""))
      .join("\n"),
    others: lines.filter((line) => !line.startsWith(prefix)).join("\n"),
  }));
  return [{ prefix: "the time", text: lines.join("\n"), others: "" }, ...found];
}

/** A text without any JSON may seem to have many prefixes. */
const mostPrefixes = 20;
