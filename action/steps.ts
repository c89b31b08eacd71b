/**
 * The action's two steps: `find` says which run made the previews, for the step that downloads them; `report` does
 * everything else.
 */
import { mkdtempSync } from "node:fs";
import path from "node:path";
import { openGitHub } from "./github";
import { InputError, readInputs } from "./inputs";
import { report } from "./report";
import { openRunner, type Environment } from "./runner";
import { findRun } from "./subject";

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
    if (step === "report") return await report({ inputs, runner, github });
    const found = inputs.workflow && (await findRun(runner, github, inputs.workflow));
    if (found && !("none" in found)) {
      runner.output("run", String(found.run.id));
      // Of its own: two uses in one job must not read each other's previews.
      runner.output("folder", mkdtempSync(path.join(env["RUNNER_TEMP"] ?? ".", "compute-preview-")));
    }
    return 0;
  } catch (error) {
    runner.say("error", error instanceof Error ? error.message : String(error));
    return error instanceof InputError ? codes.usage : codes.unexpected;
  }
}
