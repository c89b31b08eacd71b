/**
 * The action's two steps: `find` says which run made the previews, for the step that downloads them; `report` does
 * everything else.
 */
import { openGitHub } from "./github";
import { InputError, readInputs } from "./inputs";
import { report } from "./report";
import { openRunner } from "./runner";
import { subjectOf } from "./subject";

const codes = { unexpected: 1, usage: 2 } as const;

async function main(step: string | undefined): Promise<number> {
  const { env } = process;
  const runner = openRunner(env, (text) => process.stdout.write(text));
  try {
    const inputs = readInputs(env);
    const github = openGitHub(
      `${env["GITHUB_API_URL"] ?? ""}/repos/${env["GITHUB_REPOSITORY"] ?? ""}`,
      inputs.token,
    );
    const subject = await subjectOf(runner, github, inputs.workflow);
    if (step === "report") return await report({ inputs, runner, github }, subject);
    const run = "none" in subject ? undefined : subject.previewing;
    if (run !== undefined) runner.output("run", String(run.id));
    return 0;
  } catch (error) {
    runner.say("error", error instanceof Error ? error.message : String(error));
    return error instanceof InputError ? codes.usage : codes.unexpected;
  }
}

// Sets the code instead of exiting: what is still on its way to a pipe gets there.
void main(process.argv[2]).then((code) => {
  process.exitCode = code;
});
