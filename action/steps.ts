/**
 * The action's two steps: `find` says which run made the previews, for the step that downloads them; `report` does
 * everything else.
 */
import { mkdtempSync } from "node:fs";
import path from "node:path";
import { reportApplied } from "./applied";
import { openGitHub } from "./github";
import { InputError, readInputs } from "./inputs";
import { mergedPull, reviewedRun } from "./merged";
import { report } from "./report";
import { askedFor, openRunner, type Environment } from "./runner";
import { findRun } from "./subject";
import type { RunContext } from "./publish";

const codes = { unexpected: 1, usage: 2 } as const;

/** @returns the exit code. */
export async function runStep(
  step: string | undefined,
  env: Environment,
  print: (text: string) => void,
): Promise<number> {
  const runner = openRunner(env, print);
  try {
    const inputs = readInputs(env);
    const github = openGitHub({
      server: env["GITHUB_API_URL"] ?? "",
      repository: env["GITHUB_REPOSITORY"] ?? "",
      token: inputs.token,
    });
    const context = { inputs, runner, github };
    if (step === "report") return await (inputs.applied.length > 0 ? reportApplied : report)(context);
    const run = inputs.workflow && (await runToRead(context, inputs.workflow));
    if (run) {
      runner.output("run", String(run.id));
      // Of its own: two uses in one job must not read each other's previews.
      runner.output("folder", mkdtempSync(path.join(env["RUNNER_TEMP"] ?? ".", "compute-preview-")));
    }
    return 0;
  } catch (error) {
    runner.say("error", error instanceof Error ? error.message : String(error));
    return error instanceof InputError ? codes.usage : codes.unexpected;
  }
}

/** The run whose previews count: for an update those that reviewers saw. */
async function runToRead(
  context: RunContext,
  workflow: string,
): Promise<{ readonly id: number } | undefined> {
  const { inputs, runner, github } = context;
  if (inputs.applied.length === 0) {
    const found = await findRun(runner, github, workflow);
    return "none" in found ? undefined : found.run;
  }
  return askedFor("What reviewers saw", runner, async () => {
    const pull = await mergedPull(context);
    return pull && (await reviewedRun(pull, github, workflow));
  });
}
