/**
 * Jobs that run the action, and the pull request that they are about.
 */
import { moves, previewOf, settles, restarts } from "../preview/previews";
import { fullName, startGitHub, type FakeGitHub, type LabelEvent, type Pull, type Run } from "./gitHub";
import type { Failing } from "../preview/server";
import { runAction, type Job, type JobResult } from "./runner";

export { moves, previewOf, restarts, settles };

/** Opened and pushed by `author`. */
export const pull: Pull = {
  number: 7,
  user: { login: "author" },
  head: { sha: "a".repeat(40), ref: "grow", repo: { full_name: fullName } },
  base: { ref: "main" },
};

/** What the run that previewed a pull request says of itself, beside its previews. */
export function declarationOf({ number, base, head }: Pull): Readonly<Record<string, string>> {
  const said = { number, base: base.ref, head: head.sha };
  return { "compute-preview.run.json": JSON.stringify(said) };
}

/** The run that previewed it. */
export const previewRun: Run = {
  id: 500,
  event: "pull_request",
  path: ".github/workflows/compute-preview.yml",
  head_sha: pull.head.sha,
  head_branch: "grow",
  head_repository: { full_name: fullName },
  status: "completed",
  conclusion: "success",
  run_number: 3,
  run_attempt: 1,
  run_started_at: "2026-11-01T10:00:00Z",
  actor: { login: "author" },
  triggering_actor: { login: "author" },
};

/** Of `allow-restart`, by `reviewer`, after the preview. */
export function labelEvent(change: Partial<LabelEvent> = {}): LabelEvent {
  return {
    event: "labeled",
    created_at: "2026-11-01T10:30:00Z",
    actor: { login: "reviewer", type: "User" },
    label: { name: "allow-restart" },
    ...change,
  };
}

/** A GitHub for each test of a file: with the pull request, its preview, and a reviewer, unless it is to be empty. */
export function gitHubForEach({ isEmpty = false } = {}): FakeGitHub {
  let current: FakeGitHub;
  beforeEach(async () => {
    current = await startGitHub();
    if (isEmpty) return;
    current.repository.pulls.push(pull);
    current.repository.runs.push(previewRun);
    Object.assign(current.repository.permissions, { reviewer: "write", owner: "admin", author: "write" });
  });
  afterEach(() => current.close());
  return {
    get repository() {
      return current.repository;
    },
    get url() {
      return current.url;
    },
    close: () => current.close(),
  };
}

/** How a request may fail so that it is sent again at once. */
export const faultKinds: readonly Failing[] = [
  { status: 502, headers: { "retry-after": "0" } },
  { status: 429, headers: { "retry-after": "0" } },
  { status: 403, headers: { "retry-after": "0" } },
  { hangsUp: true },
];

/** What was asked of GitHub beside questions. */
export function writesTo({ repository }: FakeGitHub): readonly string[] {
  return repository.requests.filter((line) => !line.startsWith("GET "));
}

/** A job on `pull_request`, with the previews of its own run. */
export function ownRun(
  { url }: FakeGitHub,
  files: Readonly<Record<string, string | Uint8Array>>,
  { inputs = {}, ...change }: Partial<Job> = {},
): Promise<JobResult> {
  const named = { previews: Object.keys(files).join("\n"), ...inputs };
  const event = { eventName: "pull_request", event: { pull_request: pull } };
  return runAction({ api: url, ...event, files, inputs: named, ...change });
}

/** The commit that a merge made. */
export const deployed = "d".repeat(40);

/** A job on the push of that commit, with the events of its updates. */
export function deployment(
  { url }: FakeGitHub,
  files: Readonly<Record<string, string>>,
  { inputs = {}, ...change }: Partial<Job> = {},
): Promise<JobResult> {
  const event = { eventName: "push", event: { ref: "refs/heads/main" } };
  const named = { applied: Object.keys(files).join("\n"), ...inputs };
  const env = { GITHUB_SHA: deployed, ...change.env };
  return runAction({ api: url, ...event, files, inputs: named, ...change, env });
}

/** A job of the base's own workflow, about the run that previewed. */
export function review(
  { url }: FakeGitHub,
  files: Readonly<Record<string, string | Uint8Array>> | undefined,
  { inputs = {}, ...change }: Partial<Job> = {},
): Promise<JobResult> {
  return runAction({
    api: url,
    eventName: "workflow_run",
    event: { workflow_run: previewRun },
    artifacts: files === undefined ? {} : { [previewRun.id]: { ...declarationOf(pull), ...files } },
    inputs: {
      workflow: "compute-preview.yml",
      "fail-on": "restart,move",
      "allow-labels": "allow-restart",
      ...inputs,
    },
    ...change,
  });
}
