/**
 * Turns the previews of a run into one report: the comment, the outputs and the exit code.
 */
import { toAnnotations } from "../preview/render/annotations";
import { markerLine } from "../preview/render/markdown";
import { findingsOf } from "./findings";
import { openGitHub } from "./github";
import { InputError, readInputs } from "./inputs";
import { placeOfRun } from "./order";
import { writeOutputs } from "./outputs";
import { publish, runUrlOf, type RunContext } from "./publish";
import { openRunner, type Environment } from "./runner";
import { hasMovedOn, subjectOf } from "./subject";
import { commentOf } from "./words";

const codes = { unexpected: 1, usage: 2 } as const;

/** @returns the exit code. */
export async function runReport(env: Environment, print: (text: string) => void): Promise<number> {
  const runner = openRunner(env, print);
  try {
    const inputs = readInputs(env);
    const github = openGitHub({
      server: env["GITHUB_API_URL"] ?? "",
      repository: env["GITHUB_REPOSITORY"] ?? "",
      token: inputs.token,
    });
    return await report({ inputs, runner, github });
  } catch (error) {
    runner.say("error", error instanceof Error ? error.message : String(error));
    return error instanceof InputError ? codes.usage : codes.unexpected;
  }
}

async function report(context: RunContext): Promise<number> {
  const { inputs, runner, github } = context;
  const subject = subjectOf(runner, inputs);
  if (subject === undefined) runner.say("notice", "This run does not belong to a pull request.");
  const findings = await findingsOf(inputs, subject);
  if (inputs.annotates) runner.print(toAnnotations(findings.reports, "github", inputs.folder));
  const marker = markerLine(inputs.marker);
  const comment = commentOf({ marker, subject, findings, runUrl: runUrlOf(runner) });
  const isLate = subject !== undefined && inputs.comment !== "never" && (await hasMovedOn(subject, github));
  if (isLate)
    runner.say(
      "notice",
      `#${subject.number} has changed since this preview, so its comment was not updated.`,
    );
  const url = await publish(context, {
    number: isLate ? undefined : subject?.number,
    marker,
    comment,
    full: findings.full,
    place: placeOfRun(runner.env),
    isQuiet: findings.isQuiet,
  });
  writeOutputs(runner, { findings, comment, url });
  const { code, complaint } = findings;
  if (complaint !== "") runner.say(code === 0 ? "notice" : "error", complaint);
  if (code !== 0) runner.say("error", `compute-preview ended with exit code ${code}: see the report`);
  return code;
}
