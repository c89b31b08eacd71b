/**
 * The runner that executes the Action: the facts of the run, and the files through which a step returns its results.
 */
import { appendFileSync, readFileSync } from "node:fs";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Runner {
  readonly env: Environment;
  readonly eventName: string;
  /** What triggered the run, as GitHub wrote it. Reading it throws if the file is broken. */
  readonly event: unknown;
  readonly output: (name: string, value: string) => void;
  readonly summarize: (markdown: string) => void;
  /** Prints workflow commands unchanged. */
  readonly print: (commands: string) => void;
  readonly say: (kind: "notice" | "warning" | "error", text: string) => void;
}

/** @throws if the file cannot be read, or is not JSON. */
function eventIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as unknown;
  } catch (error) {
    const reason = error instanceof SyntaxError ? "it is not JSON" : (error as Error).message;
    throw new Error(`The event file of this run (GITHUB_EVENT_PATH) cannot be read: ${reason}`, {
      cause: error,
    });
  }
}

/** @param print - the runner reads its commands from the step's output. */
export function openRunner(env: Environment, print: (text: string) => void): Runner {
  const { GITHUB_OUTPUT: outputs, GITHUB_STEP_SUMMARY: summary, GITHUB_EVENT_PATH: event } = env;
  return {
    env,
    eventName: env["GITHUB_EVENT_NAME"] ?? "",
    get event() {
      return event === undefined ? {} : eventIn(event);
    },
    output: (name, value) => {
      // Replaces line breaks, which would begin another output.
      if (outputs !== undefined) appendFileSync(outputs, `${name}=${value.replaceAll(/[\r\n]+/g, " ")}\n`);
    },
    summarize: (markdown) => {
      if (summary !== undefined) appendFileSync(summary, markdown);
    },
    print,
    say: (kind, text) => {
      // Escapes line breaks, which would begin another command.
      const escaped = text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
      print(`::${kind}::${escaped}\n`);
    },
  };
}
