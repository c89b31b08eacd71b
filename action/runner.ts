/**
 * The runner that executes the Action: the facts of the run, and the files through which a step returns its results.
 */
import { appendFileSync, readFileSync } from "node:fs";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Runner {
  readonly env: Environment;
  readonly eventName: string;
  /** What triggered the run, as GitHub wrote it. */
  readonly event: unknown;
  readonly output: (name: string, value: string) => void;
  readonly summarize: (markdown: string) => void;
  /** Prints workflow commands unchanged. */
  readonly print: (commands: string) => void;
  readonly say: (kind: "notice" | "warning" | "error", text: string) => void;
}

/** @param print - the runner reads its commands from the step's output. */
export function openRunner(env: Environment, print: (text: string) => void): Runner {
  const { GITHUB_OUTPUT: outputs, GITHUB_STEP_SUMMARY: summary, GITHUB_EVENT_PATH: event } = env;
  return {
    env,
    eventName: env["GITHUB_EVENT_NAME"] ?? "",
    event: event === undefined ? {} : (JSON.parse(readFileSync(event, "utf8")) as unknown),
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
