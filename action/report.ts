/**
 * One report: from the previews of a run to the comment, the outputs, the status and the exit code.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { markerLine } from "../preview/render/markdown";
import { postComment } from "./comment";
import { findingsOf, type Findings } from "./findings";
import { GitHubError, type GitHub } from "./github";
import { InputError, type ActionInputs } from "./inputs";
import { decisionOn, type PermissionDecision, type Reviewed } from "./permissions";
import type { Runner } from "./runner";
import type { NoSubject, Subject } from "./subject";
import { commentOf, statusLine } from "./words";

/** As of compute-preview: an input is no preview. */
const unreadableCode = 3;

interface RunContext {
  readonly inputs: ActionInputs;
  readonly runner: Runner;
  readonly github: GitHub;
}

/** @returns the exit code. */
export async function report(context: RunContext, subject: Subject | NoSubject): Promise<number> {
  const { runner } = context;
  if ("none" in subject) {
    runner.say("notice", subject.none);
    if (!subject.isElsewhere) return 0;
  }
  const pull = "none" in subject ? undefined : subject;
  const decision = await decide(context, pull);
  const findings = judged(findingsOf(context.inputs, decision.permissions), pull);
  const comment = commentOf({
    inputs: context.inputs,
    subject: pull,
    findings,
    decision,
    runUrl: runUrlOf(runner),
  });
  const url = await tell(context, { pull, findings, comment });
  writeOutputs(context, { findings, comment, url });
  await setStatus(context, { pull, findings, url });
  return ending(runner, findings);
}

async function decide(
  { inputs, runner, github }: RunContext,
  pull: Subject | undefined,
): Promise<PermissionDecision> {
  const none = { permissions: [], objections: [] };
  if (inputs.labels.length + inputs.environments.length === 0 || pull === undefined) return none;
  // A file of the pull request's own must not decide what the pull request may do.
  if (runner.eventName === "pull_request" || pull.previewing === undefined)
    throw new InputError(
      "allow-labels and allow-environments need `workflow`, and a workflow on workflow_run or pull_request_target: one on pull_request is a file that the pull request itself can change",
    );
  const reviewed: Reviewed = { ...pull, previewing: pull.previewing };
  // Approvals say nothing of the attempt that they are of, nor of which preview was there when a label was set.
  const isApproved = runner.eventName === "workflow_run" && runner.env["GITHUB_RUN_ATTEMPT"] === "1";
  const runId = isApproved ? runner.env["GITHUB_RUN_ID"] : undefined;
  try {
    return await decisionOn(reviewed, inputs, { github, runId });
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    runner.say("warning", `What was allowed could not be asked, so nothing is (${error.message}).`);
    return none;
  }
}

/** A run that previews and broke may have left out a stack, so that what it left is no all-clear. */
function judged(findings: Findings, pull: Subject | undefined): Findings {
  const conclusion = pull?.previewing?.conclusion ?? "success";
  if (conclusion === "success") return findings;
  const code = findings.code === 4 ? findings.code : unreadableCode;
  return { ...findings, code, isQuiet: false, complaint: `the run that previews ended as ${conclusion}` };
}

interface CommentUpdate {
  readonly pull: Subject | undefined;
  readonly findings: Findings;
  readonly comment: string;
}

/** @returns the comment's address. */
async function tell(
  context: RunContext,
  { pull, findings, comment }: CommentUpdate,
): Promise<string | undefined> {
  const { inputs, runner, github } = context;
  if (inputs.comment === "never") return undefined;
  if (pull === undefined) {
    runner.summarize(comment);
    return undefined;
  }
  try {
    return await postComment(
      {
        number: pull.number,
        marker: markerLine(inputs.marker),
        body: comment,
        isQuiet: inputs.comment === "changes" && findings.isQuiet,
      },
      github,
    );
  } catch (error) {
    // A pull request from a fork, and a repository that gives its token no write access. A report is never lost.
    const reason = error instanceof Error ? error.message : String(error);
    runner.say(
      "warning",
      `The comment could not be written (${reason}); the report is in the summary of this run.`,
    );
    runner.summarize(`> This run may not write to the pull request, so its report is here.\n\n${comment}`);
    return undefined;
  }
}

function writeOutputs(
  { inputs, runner }: RunContext,
  {
    findings,
    comment,
    url,
  }: { readonly findings: Findings; readonly comment: string; readonly url: string | undefined },
): void {
  const folder = runner.env["RUNNER_TEMP"] ?? ".";
  const place = (name: string, text: string): string => {
    const file = path.resolve(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const { code, computes, stacks, worst, refused } = findings;
  const count = (drops: "yes" | "may"): string =>
    String(computes.filter((compute) => compute.drops === drops).length);
  const outputs = {
    code: String(code),
    stacks: String(stacks),
    computes: String(computes.length),
    drops: count("yes"),
    "may-drop": count("may"),
    worst: worst ?? "",
    refused: [...refused.keys()].join(","),
    "allowed-by": allowedBy(findings).join(","),
    markdown: place("compute-preview.md", comment),
    json: place("compute-preview.json", findings.json),
    "comment-url": url ?? "",
  };
  for (const [name, value] of Object.entries(outputs)) runner.output(name, value);
  if (inputs.comment === "never") runner.say("notice", `The report is in ${outputs.markdown}.`);
}

/** Whose word was needed. */
function allowedBy({ allowed }: Findings): readonly string[] {
  return [...new Set(allowed.map(({ by }) => by))];
}

/** What a run on another event finds is not shown with the pull request, unless it says so. */
async function setStatus(
  { inputs, runner, github }: RunContext,
  {
    pull,
    findings,
    url,
  }: { readonly pull: Subject | undefined; readonly findings: Findings; readonly url: string | undefined },
): Promise<void> {
  if (inputs.status === undefined || pull === undefined) return;
  try {
    await github.send("POST", `statuses/${pull.sha}`, {
      context: inputs.status,
      state: findings.code === 0 ? "success" : "failure",
      description: statusLine(findings, allowedBy(findings)),
      target_url: url ?? runUrlOf(runner),
    });
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    runner.say("warning", `The status could not be set (${error.message}).`);
  }
}

function ending(runner: Runner, { code, complaint }: Findings): number {
  if (complaint !== "") runner.say(code === 0 ? "notice" : "error", complaint);
  if (code !== 0)
    runner.say("error", `compute-preview ended with ${code}: docs/compute-preview.md lists the codes`);
  return code;
}

function runUrlOf({ env }: Runner): string {
  return `${env["GITHUB_SERVER_URL"] ?? ""}/${env["GITHUB_REPOSITORY"] ?? ""}/actions/runs/${env["GITHUB_RUN_ID"] ?? ""}`;
}
