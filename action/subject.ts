/**
 * Which pull request a run is about, and which run made its previews.
 */
import * as z from "zod";
import type { GitHub } from "./github";
import type { Runner } from "./runner";

const user = z.looseObject({ login: z.string() });
const repository = z.looseObject({ full_name: z.string() });

const pullRequest = z.looseObject({
  number: z.number(),
  user,
  head: z.looseObject({ sha: z.string(), ref: z.string(), repo: repository.nullish() }),
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

type PullRequest = z.infer<typeof pullRequest>;
type WorkflowRun = z.infer<typeof workflowRun>;

export interface Previewing {
  readonly id: number;
  /** By GitHub's clock, after the push and after a wish to run again: what was allowed before is about something else. */
  readonly startedMs: number;
  /** `success` where every job wrote what it should. */
  readonly conclusion: string;
  /** Who pushed what is previewed, and who ran it again. */
  readonly actors: readonly string[];
}

export interface Subject {
  readonly number: number;
  readonly sha: string;
  readonly author: string;
  /** Other open pull requests of the same revision: a word on one is none on the others. */
  readonly siblings: readonly number[];
  /** undefined where the previews are those of this run. */
  readonly previewing: Previewing | undefined;
}

/** Nothing to report on: the reason is for the log. */
export interface NoSubject {
  readonly none: string;
  /** True where no pull request is concerned, so that the report is for the summary alone. */
  readonly isElsewhere: boolean;
}

const elsewhere: NoSubject = { none: "this run is about no pull request", isElsewhere: true };
const passed = (none: string): NoSubject => ({ none, isElsewhere: false });

/** @param workflow - file of the workflow that previews; undefined where this run does. */
export async function subjectOf(
  { eventName, event }: Pick<Runner, "eventName" | "event">,
  github: GitHub,
  workflow: string | undefined,
): Promise<Subject | NoSubject> {
  const { pull_request: pull, workflow_run: run } = events.parse(event);
  if (eventName === "workflow_run" && run !== undefined) return subjectOfRun(run, github, workflow);
  if (!eventName.startsWith("pull_request") || pull === undefined) return elsewhere;
  if (workflow === undefined) return toSubject([pull], undefined);
  const route = `actions/workflows/${encodeURIComponent(workflow)}/runs?event=pull_request&head_sha=${pull.head.sha}&per_page=100`;
  const answer = z.looseObject({ workflow_runs: z.array(workflowRun) }).parse(await github.get(route));
  const [newest] = answer.workflow_runs
    .filter((candidate) => candidate.head_branch === pull.head.ref)
    .sort((left, right) => right.run_number - left.run_number);
  if (newest === undefined) return passed("this revision has not been previewed yet");
  return subjectOfRun(newest, github, workflow);
}

/** What the event says of a run may be old by now: it is asked again. */
async function subjectOfRun(
  told: WorkflowRun,
  github: GitHub,
  workflow: string | undefined,
): Promise<Subject | NoSubject> {
  const run = workflowRun.parse(await github.get(`actions/runs/${told.id}`));
  const file = run.path.split("@")[0]?.split("/").at(-1);
  if (run.event !== "pull_request") return elsewhere;
  // Any file of a pull request may call its workflow by the same name.
  if (workflow === undefined || file !== workflow)
    return passed(`the run is one of ${file ?? "no file"}, and not of ${workflow ?? "a file that is named"}`);
  if (run.status !== "completed" || run.run_attempt !== told.run_attempt)
    return passed("the revision is being previewed again: that run will be reported on");
  const owner = run.head_repository?.full_name.split("/")[0] ?? "";
  const head = encodeURIComponent(`${owner}:${run.head_branch ?? ""}`);
  const pulls = z.array(pullRequest).parse(await github.list(`pulls?state=open&head=${head}`));
  const own = pulls.filter(
    ({ head: { sha, repo } }) => sha === run.head_sha && repo?.full_name === run.head_repository?.full_name,
  );
  if (own.length === 0) return passed("what was previewed is no longer the head of an open pull request");
  return toSubject(own, run);
}

function toSubject(pulls: readonly PullRequest[], run: WorkflowRun | undefined): Subject | NoSubject {
  const [pull, ...siblings] = pulls;
  if (pull === undefined) return elsewhere;
  return {
    number: pull.number,
    sha: pull.head.sha,
    author: pull.user.login,
    siblings: siblings.map(({ number }) => number),
    previewing: run && {
      id: run.id,
      startedMs: Date.parse(run.run_started_at),
      conclusion: run.conclusion ?? "no end",
      actors: [run.actor, run.triggering_actor].flatMap((actor) => actor?.login ?? []),
    },
  };
}
