/**
 * Which pull request a run is about, and which run made its previews.
 */
import * as z from "zod";
import type { GitHub } from "./github";
import type { ActionInputs } from "./inputs";
import { askedFor, type Runner } from "./runner";

const user = z.looseObject({ login: z.string() });
const repository = z.looseObject({ full_name: z.string() });

export const pullRequest = z.looseObject({
  number: z.number(),
  user: user.nullish(),
  head: z.looseObject({ sha: z.string(), ref: z.string(), repo: repository.nullish() }),
  base: z.looseObject({ ref: z.string() }),
});

const workflowRun = z.looseObject({
  id: z.number(),
  event: z.string(),
  /** `.github/workflows/compute-preview.yml`, on some servers with `@` and a branch behind it. */
  path: z.string(),
  head_sha: z.string(),
  head_branch: z.string().nullish(),
  head_repository: repository.nullish(),
  status: z.string().nullish(),
  conclusion: z.string().nullish(),
  run_number: z.number().default(0),
  run_attempt: z.number().default(1),
  run_started_at: z.string(),
  actor: user.nullish(),
  triggering_actor: user.nullish(),
});

const events = z.looseObject({ pull_request: pullRequest.optional(), workflow_run: workflowRun.optional() });

export type PullRequest = z.infer<typeof pullRequest>;
export type WorkflowRun = z.infer<typeof workflowRun>;

export interface Previewing {
  readonly id: number;
  readonly attempt: number;
  /** By GitHub's clock, after the push and after a wish to run again: what was allowed before is about something else. */
  readonly startedMs: number;
  /** `success` where every job wrote what it should. */
  readonly conclusion: string;
  /** Who pushed what is previewed, and who ran it again. */
  readonly actors: readonly string[];
}

export type Sibling = Pick<Subject, "number" | "base">;

export interface Subject {
  readonly number: number;
  /** The revision that was previewed. */
  readonly sha: string;
  /** The branch that it goes into. */
  readonly base: string;
  readonly author: string;
  /** Other open pull requests of the same revision; undefined if GitHub does not say. */
  readonly siblings: readonly Sibling[] | undefined;
  /** undefined where the previews are those of this run. */
  readonly previewing: Previewing | undefined;
  /** False where the revision of the previews is not known to be that of the pull request. */
  readonly isRevisionKnown: boolean;
}

/** Nothing to report on: the reason is for the log. */
export interface NoSubject {
  readonly none: string;
  /** True where no pull request is concerned, so that the report is for the summary alone. */
  readonly isElsewhere: boolean;
  /** A revision whose status is about something else by now. */
  readonly stale?: Pick<Subject, "sha" | "base" | "previewing">;
}

/** What the files of a preview say that they are of. */
export interface Declared {
  readonly number: number;
  readonly base: string;
  readonly head: string;
}

/** The run whose previews count, and the open pull requests of its revision. */
interface FoundRun {
  readonly run: WorkflowRun;
  /** Those of the run's own branch, of which it previewed one. */
  readonly own: readonly PullRequest[];
  readonly others: readonly PullRequest[];
  /** The pull request of the event; undefined where the event is the end of the run. */
  readonly asked: number | undefined;
}

const elsewhere: NoSubject = { none: "this run is about no pull request", isElsewhere: true };
const passed = (none: string, stale?: NoSubject["stale"]): NoSubject => ({
  none,
  isElsewhere: false,
  ...(stale && { stale }),
});

type Asking = Pick<Runner, "eventName" | "event" | "env" | "say">;

/** The pull request of previews that this very run made. */
export async function ownSubject(
  asking: Asking,
  github: GitHub,
  { pullNumber, status }: Pick<ActionInputs, "pullNumber" | "status">,
): Promise<Subject | NoSubject> {
  const { eventName, event, env } = asking;
  const { pull_request: ofEvent } = events.parse(event);
  // Asked only where somebody's status depends on it.
  const siblingsOf = async ({ head }: PullRequest): Promise<readonly PullRequest[] | undefined> =>
    status === undefined
      ? []
      : askedFor("The pull requests of this revision", asking, () => openPulls(head.sha, github));
  if (pullNumber !== undefined) {
    const pull = await askedFor("The pull request", asking, async () =>
      pullRequest.parse(await github.get(`pulls/${pullNumber}`)),
    );
    if (pull === undefined) return elsewhere;
    const isRevisionKnown = env["GITHUB_SHA"] === pull.head.sha || ofEvent?.head.sha === pull.head.sha;
    return toSubject(pull, { siblings: await siblingsOf(pull), run: undefined, isRevisionKnown });
  }
  if (!eventName.startsWith("pull_request") || ofEvent === undefined) return elsewhere;
  return toSubject(ofEvent, { siblings: await siblingsOf(ofEvent), run: undefined, isRevisionKnown: true });
}

/** True if a pull request has moved on since this run began: then its previews are about something else. */
export async function hasMovedOn(subject: Subject, github: GitHub): Promise<boolean> {
  const now = pullRequest.parse(await github.get(`pulls/${subject.number}`));
  return now.head.sha !== subject.sha || now.base.ref !== subject.base;
}

/** @param workflow - file of the workflow that previews. */
export async function findRun(
  { eventName, event }: Asking,
  github: GitHub,
  workflow: string,
): Promise<FoundRun | NoSubject> {
  const { pull_request: pull, workflow_run: ofEvent } = events.parse(event);
  if (eventName === "workflow_run" && ofEvent !== undefined)
    return foundOf(ofEvent, { github, workflow, asked: undefined });
  if (!eventName.startsWith("pull_request") || pull === undefined) return elsewhere;
  const newest = await newestRunOf(pull, github, workflow);
  if (newest === undefined) return passed("this revision has not been previewed yet");
  return foundOf(newest, { github, workflow, asked: pull.number });
}

/** The newest run of a workflow that previewed the head of a pull request. */
export async function newestRunOf(
  pull: PullRequest,
  github: GitHub,
  workflow: string,
): Promise<WorkflowRun | undefined> {
  const route = `actions/workflows/${encodeURIComponent(workflow)}/runs?event=pull_request&head_sha=${pull.head.sha}&per_page=100`;
  const answer = z.looseObject({ workflow_runs: z.array(workflowRun) }).parse(await github.get(route));
  const [newest] = answer.workflow_runs
    .filter((run) => isOfBranch(pull, run) && run.conclusion !== "skipped")
    .sort((left, right) => right.run_number - left.run_number);
  return newest;
}

interface RunSearch {
  readonly github: GitHub;
  readonly workflow: string;
  readonly asked: number | undefined;
}

/** What the event says of a run may be old by now: it is asked again. */
async function foundOf(
  finished: WorkflowRun,
  { github, workflow, asked }: RunSearch,
): Promise<FoundRun | NoSubject> {
  const run = workflowRun.parse(await github.get(`actions/runs/${finished.id}`));
  const file = run.path.split("@")[0]?.split("/").at(-1);
  if (run.event !== "pull_request")
    return passed(`the run previewed on ${run.event}, and not for a pull request`);
  // Any file of a pull request may call its workflow by the same name.
  if (file !== workflow) return passed(`the run is one of ${file ?? "no file"}, and not of ${workflow}`);
  if (run.status !== "completed" || run.run_attempt !== finished.run_attempt)
    return passed("the revision is being previewed again: that run will be reported on");
  // A job that only looks whether there is something to preview, and finds that there is not.
  if (run.conclusion === "skipped") return passed("the run previewed nothing");
  const pulls = await openPulls(run.head_sha, github);
  const own = pulls.filter((pull) => isOfBranch(pull, run));
  if (own.length === 0) return passed("what was previewed is no longer the head of an open pull request");
  return { run, own, others: pulls.filter((pull) => !own.includes(pull)), asked };
}

function isOfBranch({ head }: PullRequest, run: WorkflowRun): boolean {
  return head.ref === run.head_branch && head.repo?.full_name === run.head_repository?.full_name;
}

/** Of any branch: a status belongs to a revision. */
async function openPulls(sha: string, github: GitHub): Promise<readonly PullRequest[]> {
  const pulls = z.array(pullRequest).parse(await github.list("pulls?state=open"));
  return pulls.filter(({ head }) => head.sha === sha);
}

/**
 * Compares what the previews say that they are of with what GitHub says now.
 *
 * @param declared - of each file of the run that says it; empty where it left none.
 */
export function subjectOfRun(
  { run, own, others, asked }: FoundRun,
  declared: readonly Declared[],
): Subject | NoSubject {
  const [preview] = declared;
  const reviewed = preview === undefined ? own[0] : own.find(({ number }) => number === preview.number);
  if (reviewed === undefined)
    return passed(`the previews are of #${preview?.number ?? 0}, which has moved on`);
  const base = own.find(({ number }) => number === asked)?.base.ref ?? reviewed.base.ref;
  const stale = { sha: run.head_sha, base, previewing: previewingOf(run) };
  if (asked !== undefined && asked !== reviewed.number)
    return passed(
      `the newest preview of this revision is that of #${reviewed.number}: run the preview of #${asked} again`,
      stale,
    );
  if (preview !== undefined && preview.head !== run.head_sha)
    return passed(`the previews are of another revision, ${preview.head.slice(0, 10)}`, stale);
  if (preview !== undefined && preview.base !== reviewed.base.ref)
    return passed(
      `#${reviewed.number} was previewed into ${preview.base}, and goes into ${reviewed.base.ref} now`,
      stale,
    );
  const siblings = [...own, ...others].filter((pull) => pull !== reviewed);
  return toSubject(reviewed, { siblings, run, isRevisionKnown: true });
}

interface About {
  readonly siblings: readonly PullRequest[] | undefined;
  readonly run: WorkflowRun | undefined;
  readonly isRevisionKnown: boolean;
}

function toSubject(pull: PullRequest, { siblings, run, isRevisionKnown }: About): Subject {
  return {
    number: pull.number,
    sha: pull.head.sha,
    base: pull.base.ref,
    author: pull.user?.login ?? "",
    siblings: siblings
      ?.filter(({ number }) => number !== pull.number)
      .map(({ number, base }) => ({ number, base: base.ref })),
    isRevisionKnown,
    previewing: run && previewingOf(run),
  };
}

function previewingOf(run: WorkflowRun): Previewing {
  return {
    id: run.id,
    attempt: run.run_attempt,
    startedMs: Date.parse(run.run_started_at),
    conclusion: run.conclusion ?? "no end",
    actors: [run.actor, run.triggering_actor].flatMap((actor) => actor?.login ?? []),
  };
}
