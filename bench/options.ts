/**
 * The benchmark's command line.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import type { Switches } from "../emulator";
import { ExpectedError } from "../tools/expectedError";
import { contenders, type Contender } from "./stack";

/** How the service behaves: takes everything, one operation at a time, or so many requests a minute. */
export type Mode = "plain" | "lock" | "rate";

export interface BenchOptions {
  readonly mode: Mode;
  readonly perMinute: number;
  /** What `compute:requestsPerMinute` is set to; undefined leaves its default. */
  readonly requestsPerMinute: string | undefined;
  readonly counts: readonly number[];
  /** Undefined is the engine's own default. */
  readonly parallels: readonly (number | undefined)[];
  readonly runs: number;
  readonly contenders: readonly Contender[];
  readonly timeline: boolean;
  readonly start: boolean;
  readonly added: boolean;
  /** Processes that share a limit; undefined where that is not what is measured. */
  readonly sharing: number | undefined;
}

/** Bursts that a rate limited service takes, in requests a second. */
export const burst = 40;

export const usage = `Usage: npm run bench -- [options]

  --quick               1, 10 and 50 computes, --parallel 64, one run
  --n 1,10,50           Numbers of computes (1,10,50,300,1000)
  --parallel default,64 Values of pulumi's --parallel
  --runs 3              Runs of which the median counts
  --only ours,floor     Who is measured (ours,plugin,floor,stock)
  --lock                The service answers 423 while an operation of the project is under way
  --rate 700/min        The service answers 429 above this rate, and above bursts of ${burst} a second
  --requests-per-minute 0  What compute:requestsPerMinute is set to (its default)
  --timeline            Where the time of an up of one compute goes, and nothing else
  --start               What this package adds to the start of a provider process, and nothing else
  --added               What one resource adds to a preview, and nothing else
  --sharing 20          So many processes on one account's rate limit, and nothing else
  --help                This text
`;

const flags = {
  quick: { type: "boolean", default: false },
  n: { type: "string" },
  parallel: { type: "string" },
  runs: { type: "string" },
  only: { type: "string" },
  lock: { type: "boolean", default: false },
  rate: { type: "string" },
  "requests-per-minute": { type: "string" },
  timeline: { type: "boolean", default: false },
  start: { type: "boolean", default: false },
  added: { type: "boolean", default: false },
  sharing: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

/** @returns undefined where only the usage was asked for. @throws ExpectedError for what cannot be read. */
export function readOptions(words: readonly string[]): BenchOptions | undefined {
  const values = parsed(words);
  if (values.help) return undefined;
  if (values.lock && values.rate !== undefined) throw new ExpectedError("--lock and --rate exclude another.");
  const quick = values.quick;
  return {
    mode: values.lock ? "lock" : values.rate === undefined ? "plain" : "rate",
    perMinute: wholeNumber("--rate", (values.rate ?? "700").replace(/\/min$/, "")),
    requestsPerMinute: values["requests-per-minute"],
    counts: list(values.n ?? (quick ? "1,10,50" : "1,10,50,300,1000")).map((n) => wholeNumber("--n", n)),
    parallels: list(values.parallel ?? (quick ? "64" : "default,64")).map((value) =>
      value === "default" ? undefined : wholeNumber("--parallel", value),
    ),
    runs: wholeNumber("--runs", values.runs ?? (quick ? "1" : "3")),
    timeline: values.timeline,
    start: values.start,
    added: values.added,
    sharing: values.sharing === undefined ? undefined : wholeNumber("--sharing", values.sharing),
    contenders: list(values.only ?? contenders.join(",")).map(contenderCalled),
  };
}

/** What the control plane is told. */
export function switchesOf({ mode, perMinute }: BenchOptions): Partial<Switches> {
  if (mode === "lock") return { lock: "project" };
  return mode === "rate" ? { rateLimitPerMinute: perMinute, rateLimitBurst: burst } : {};
}

/** Steps that the engine runs at once: its default is four for each core. */
export function parallelismOf(parallel: number | undefined): number {
  return parallel ?? 4 * availableParallelism();
}

// Inferred: the type is that of the table above.
function parsed(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: flags }).values;
  } catch (error) {
    throw new ExpectedError(`${(error as Error).message}\n\n${usage}`);
  }
}

function list(text: string): readonly string[] {
  return text.split(",").map((word) => word.trim());
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new ExpectedError(`${name} takes whole numbers above 0, not "${text}".`);
}

function contenderCalled(name: string): Contender {
  const found = contenders.find((contender) => contender === name);
  if (found === undefined) throw new ExpectedError(`--only takes ${contenders.join(", ")}, not "${name}".`);
  return found;
}
