/**
 * The options of `compute-preview`.
 */
import { parseArgs } from "node:util";
import { commentLength } from "./render/markdown";

/** What `--fail-on` takes, with the exit code of each; where several are met, the first one counts. */
export const failureCodes = {
  delete: 20,
  replace: 21,
  move: 22,
  suspend: 23,
  restart: 24,
  /** Whatever may drop connections, and only the update will know. */
  may: 25,
  /** Whatever certainly drops connections: computes that are idle or disabled have none. */
  drop: 26,
  /** Whatever was changed or deleted outside. */
  drift: 27,
} as const;

export type FailureKind = keyof typeof failureCodes;

export const failureKinds = Object.keys(failureCodes) as readonly FailureKind[];

const formats = ["markdown", "json", "text"] as const;

export interface Options {
  /** Files and folders; none for stdin. */
  readonly inputs: readonly string[];
  readonly format: (typeof formats)[number];
  readonly failOn: readonly FailureKind[];
  readonly marker: string | undefined;
  readonly maxLength: number;
  readonly help: boolean;
}

/** The command was called wrongly: the message says how to call it. */
export class UsageError extends Error {}

export const usage = `Usage: compute-preview [FILE | FOLDER]... [options]

Reads the output of \`pulumi preview --json\` from FILE, or from stdin, and prints which computes drop
their connections, as a comment for a pull request. Several files, or a FOLDER of *.json, make one
comment, with a section for each stack.

  --format markdown|json|text   What to print (markdown)
  --fail-on KINDS               Ends with a code of its own where a compute is met by one of:
                                delete (20), replace (21), move (22), suspend (23), restart (24),
                                may (25: only the update will know), drop (26: its open connections
                                drop; spares what is idle or disabled), drift (27: changed or gone
                                outside). Several: restart,replace
  --marker ID                   Tells several comments on one pull request apart
  --max-length N                Longest Markdown, in characters (${commentLength}, a comment on GitHub)
  --help                        This text

Ends with 0; 2 for a wrong call; 3 where an input is no preview; 4 where a preview itself failed.
`;

const options = {
  format: { type: "string", default: "markdown" },
  "fail-on": { type: "string", multiple: true, default: [] as string[] },
  marker: { type: "string" },
  "max-length": { type: "string", default: String(commentLength) },
  help: { type: "boolean", short: "h", default: false },
} as const;

/** @throws UsageError */
export function readCommandLine(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  if (positionals.length > 1 && positionals.includes("-"))
    throw new UsageError("takes stdin (-) by itself, not beside files");
  return {
    inputs: positionals.filter((input) => input !== "-"),
    format: oneOf(formats, "--format", values.format),
    failOn: [...new Set(values["fail-on"].flatMap((list) => list.split(",")))]
      .filter((kind) => kind !== "")
      .map((kind) => oneOf(failureKinds, "--fail-on", kind)),
    marker: marker(values.marker),
    maxLength: maxLength(values["max-length"]),
    help: values.help,
  };
}

// Inferred: the type is that of the table above.
function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function oneOf<T extends string>(known: readonly T[], option: string, value: string): T {
  const found = known.find((name) => name === value.trim());
  if (found === undefined) throw new UsageError(`${option} takes ${known.join(", ")}, not "${value}"`);
  return found;
}

/** Part of an HTML comment, so two dashes would end it. */
function marker(id: string | undefined): string | undefined {
  if (id === undefined || (/^[\w./ -]{1,100}$/.test(id) && !id.includes("--") && id.trim() === id)) return id;
  throw new UsageError("--marker takes up to 100 letters, digits and . _ / -, without two dashes in a row");
}

/** Less would not hold the heading and the errors of a failed preview. */
const shortestLength = 10_000;

function maxLength(text: string): number {
  const length = Number(text);
  if (Number.isInteger(length) && length >= shortestLength) return length;
  throw new UsageError(`--max-length takes a whole number from ${shortestLength} on, not "${text}"`);
}
