/**
 * The benchmark's command line.
 */
import { parseArgs } from "node:util";
import type { Switches } from "../emulator";
import { ExpectedError } from "../tools/expectedError";
import { contenders, stepNames, type Contender, type StepName } from "./stack";

/**
 * How the service behaves: it takes everything, one operation at a time, or a limited number of requests per minute.
 */
export type Mode = "plain" | "lock" | "rate";

export interface BenchOptions {
  readonly mode: Mode;
  readonly perMinute: number;
  /** The value of `compute:requestsPerMinute`; undefined for its default. */
  readonly requestsPerMinute: string | undefined;
  readonly counts: readonly number[];
  readonly parallel: number;
  readonly steps: readonly StepName[];
  readonly contenders: readonly Contender[];
  readonly timeline: boolean;
  readonly previews: boolean;
}

/** The burst that a rate-limited service accepts, in requests per second. */
export const burst = 40;

export const usage = `Usage: npm run bench -- [options]

  --n 10,100,300        Numbers of computes; 1000 takes half an hour
  --parallel 64         Steps that the engine runs at once
  --steps create,resize Steps of a stack's life (all)
  --only ours,floor     Who is measured (ours,plugin,floor,stock)
  --lock                The service answers 423 while an operation of the project is under way
  --rate 700/min        The service answers 429 above this rate, and above bursts of ${burst} a second
  --requests-per-minute 0  What compute:requestsPerMinute is set to (its default)
  --previews            How the time of compute-preview grows, and nothing else
  --timeline            Where the time of an up of one compute goes, and nothing else
  --help                This text
`;

const flags = {
  n: { type: "string", default: "10,100,300" },
  parallel: { type: "string", default: "64" },
  steps: { type: "string" },
  only: { type: "string" },
  lock: { type: "boolean", default: false },
  rate: { type: "string" },
  "requests-per-minute": { type: "string" },
  timeline: { type: "boolean", default: false },
  previews: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

/** @returns undefined if only the usage was asked for. @throws ExpectedError for options that cannot be read. */
export function readOptions(words: readonly string[]): BenchOptions | undefined {
  const values = parsed(words);
  if (values.help) return undefined;
  if (values.lock && values.rate !== undefined) throw new ExpectedError("--lock and --rate exclude another.");
  return {
    mode: values.lock ? "lock" : values.rate === undefined ? "plain" : "rate",
    perMinute: wholeNumber("--rate", (values.rate ?? "700").replace(/\/min$/, "")),
    requestsPerMinute: values["requests-per-minute"],
    counts: list(values.n).map((n) => wholeNumber("--n", n)),
    parallel: wholeNumber("--parallel", values.parallel),
    timeline: values.timeline,
    previews: values.previews,
    steps: chosen("--steps", values.steps, stepNames),
    contenders: chosen("--only", values.only, contenders),
  };
}

/** The switches of the control plane. */
export function switchesOf({ mode, perMinute }: BenchOptions): Partial<Switches> {
  if (mode === "lock") return { lock: "project" };
  return mode === "rate" ? { rateLimitPerMinute: perMinute, rateLimitBurst: burst } : {};
}

// The type is inferred from the table above.
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

function chosen<Name extends string>(
  flag: string,
  text: string | undefined,
  names: readonly Name[],
): readonly Name[] {
  const asked = text === undefined ? names : list(text);
  return asked.map((word) => {
    const found = names.find((name) => name === word);
    if (found === undefined) throw new ExpectedError(`${flag} takes ${names.join(", ")}, not "${word}".`);
    return found;
  });
}
