/**
 * One report: from the previews of a run to the comment, the outputs, the status and the exit code.
 */
import { toAnnotations } from "../preview/render/annotations";
import { markerLine } from "../preview/render/markdown";
import { declarationsIn } from "./declared";
import { findingsOf, type Findings } from "./findings";
import { GitHubError } from "./github";
import { InputError } from "./inputs";
import { placeOf } from "./order";
import { allowedBy, openFiles, writeOutputs } from "./outputs";
import { decisionOn, type PermissionDecision, type Reviewed } from "./permissions";
import { passOn, queuedRevision } from "./queue";
import type { Runner } from "./runner";
import { contradicting, setStatus, sharing, type StatusOf, type StatusText } from "./status";
import {
  findRun,
  hasMovedOn,
  ownSubject,
  subjectOfRun,
  type Declared,
  type NoSubject,
  type Subject,
} from "./subject";
import { runUrlOf, publish, type RunContext } from "./publish";
import { commentOf, contradictionLine, statusLine } from "./words";

/** As of compute-preview: an input is no preview. */
const unreadableCode = 3;

/** @returns the exit code. */
export async function report(context: RunContext): Promise<number> {
  const { inputs, runner, github } = context;
  const queued = queuedRevision(runner);
  if (queued !== undefined && inputs.workflow !== undefined && inputs.status !== undefined)
    return passOn(queued, { runner, github, name: inputs.status, url: runUrlOf(runner) });
  const { subject, doubt } = await subjectOf(context);
  if ("none" in subject) {
    runner.say("notice", subject.none);
    await withdraw(context, subject);
    if (!subject.isElsewhere) return 0;
  }
  const pull = "none" in subject ? undefined : subject;
  const decision = await decide(context, pull);
  const findings = judged(findingsOf(inputs, decision.permissions), { pull, doubt });
  // What a run about another one prints is shown with the default branch, not with the pull request.
  if (inputs.annotates && inputs.workflow === undefined)
    runner.print(toAnnotations(findings.reports, "github", inputs.folder));
  const files = openFiles(runner);
  const comment = commentOf({
    inputs,
    subject: pull,
    findings,
    decision,
    doubt,
    runUrl: runUrlOf(runner),
    fullName: files.name,
  });
  const isCurrent = pull === undefined ? false : await isStillCurrent(context, pull);
  const reported = isCurrent === false ? undefined : pull;
  const url = await publish(context, {
    number: reported?.number,
    marker: markerLine(inputs.marker),
    comment,
    full: findings.full,
    place: placeOf(runner.env, pull?.previewing),
    isQuiet: findings.isQuiet,
  });
  writeOutputs(inputs, runner, { findings, comment, url, files });
  await setOwnStatus(context, { pull: reported, isCurrent, findings, url });
  if (pull === undefined && queued !== undefined && inputs.status !== undefined)
    await setOne(
      context,
      { name: inputs.status, ...queued },
      {
        status: statusOf(findings),
        previewing: undefined,
        url,
      },
    );
  return ending(runner, findings);
}

/** A subject, and why its previews may be of something else. */
interface Considered {
  readonly subject: Subject | NoSubject;
  readonly doubt: string;
}

async function subjectOf({ inputs, runner, github }: RunContext): Promise<Considered> {
  if (inputs.workflow === undefined) return { subject: await ownSubject(runner, github, inputs), doubt: "" };
  const found = await findRun(runner, github, inputs.workflow);
  if ("none" in found) return { subject: found, doubt: "" };
  const { all, isUnclear } = declarationsIn(inputs.previews);
  const doubt = inputs.isDownloadBroken ? brokenDownload : doubtAbout(all, isUnclear);
  return { subject: subjectOfRun(found, all), doubt };
}

const brokenDownload =
  "the artifacts of the run that previews could not all be downloaded, so that stacks may be missing here; run this again";

function doubtAbout(declared: readonly Declared[], isUnclear: boolean): string {
  if (isUnclear) return "the previews disagree on the pull request that they are of";
  return declared.length === 0
    ? "the run that previews left no compute-preview.run.json, which says the pull request and its base: examples/pull-request/workflow.yml writes it"
    : "";
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
  const reviewed: Reviewed = {
    ...pull,
    siblings: sharing(inputs.status, pull),
    previewing: pull.previewing,
  };
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
function judged(
  findings: Findings,
  { pull, doubt }: { readonly pull: Subject | undefined; readonly doubt: string },
): Findings {
  const conclusion = pull?.previewing?.conclusion ?? "success";
  const complaint = conclusion === "success" ? doubt : `the run that previews ended as ${conclusion}`;
  if (complaint === "") return findings;
  const code = findings.code === 4 ? findings.code : unreadableCode;
  return { ...findings, code, isQuiet: false, complaint };
}

/**
 * A report that comes late is of a revision, or of a base, that the pull request no longer has.
 *
 * @returns undefined if GitHub does not say, or not whether the revision is another one's too.
 */
async function isStillCurrent(
  { inputs, runner, github }: RunContext,
  pull: Subject,
): Promise<boolean | undefined> {
  if (inputs.comment === "never" && inputs.status === undefined) return true;
  try {
    if (!pull.isRevisionKnown || !(await hasMovedOn(pull, github)))
      return pull.siblings === undefined ? undefined : true;
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    // A token that may not read it cannot write to it either: the write reports that.
    return undefined;
  }
  runner.say("notice", `#${pull.number} has moved on since this preview: its comment and status stay.`);
  return false;
}

function statusOf(findings: Findings): StatusText {
  return {
    state: findings.code === 0 ? "success" : "failure",
    description: statusLine(findings, allowedBy(findings)),
  };
}

/** What a run on another event finds is not shown with the pull request, unless it says so. */
async function setOwnStatus(
  context: RunContext,
  {
    pull,
    isCurrent,
    findings,
    url,
  }: {
    readonly pull: Subject | undefined;
    /** undefined if it is not known. */
    readonly isCurrent: boolean | undefined;
    readonly findings: Findings;
    readonly url: string | undefined;
  },
): Promise<void> {
  const { inputs, runner } = context;
  if (inputs.status === undefined || pull === undefined) return;
  if (!pull.isRevisionKnown) {
    runner.say("warning", "No status is set: this run is not on the revision of the pull request.");
    return;
  }
  if (isCurrent === undefined && findings.code === 0) {
    runner.say(
      "warning",
      `No status is set: GitHub does not say whether it would be about #${pull.number} alone, as it is now.`,
    );
    return;
  }
  const others = contradicting(inputs.status, pull);
  const status: StatusText =
    others.length === 0 ? statusOf(findings) : { state: "failure", description: contradictionLine(others) };
  await setOne(context, { name: inputs.status, ...pull }, { status, previewing: pull.previewing, url });
}

/** A green status may be out of date: the pull request has another base now. */
async function withdraw(context: RunContext, { stale, none }: NoSubject): Promise<void> {
  const { inputs } = context;
  if (inputs.status === undefined || stale === undefined) return;
  const status: StatusText = { state: "pending", description: none };
  const { previewing } = stale;
  await setOne(context, { name: inputs.status, ...stale }, { status, previewing, url: undefined });
}

async function setOne(
  { runner, github }: RunContext,
  of: StatusOf,
  {
    status,
    previewing,
    url,
  }: {
    readonly status: StatusText;
    readonly previewing: Subject["previewing"];
    readonly url: string | undefined;
  },
): Promise<void> {
  const place = placeOf(runner.env, previewing);
  await setStatus(of, { status, place, url: url ?? runUrlOf(runner) }, { github, runner });
}

function ending(runner: Runner, { code, complaint }: Findings): number {
  if (complaint !== "") runner.say(code === 0 ? "notice" : "error", complaint);
  if (code !== 0)
    runner.say("error", `compute-preview ended with ${code}: docs/compute-preview.md lists the codes`);
  return code;
}
