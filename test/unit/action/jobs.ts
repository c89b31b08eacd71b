/**
 * Jobs that run the action, and the pull request that they are about.
 */
import { moves, previewOf, settles, restarts } from "../preview/previews";
import { fullName, startGitHub, type FakeGitHub, type Pull } from "./codeHosts";
import { runAction, type Job, type JobResult } from "./runner";

export { moves, previewOf, restarts, settles };

/** Opened and pushed by `author`. */
export const pull: Pull = {
  number: 7,
  user: { login: "author" },
  head: { sha: "a".repeat(40), ref: "grow", repo: { full_name: fullName } },
  base: { ref: "main", repo: { full_name: fullName } },
};

/** A GitHub for each test of a file, with the pull request. */
export function gitHubForEach(): FakeGitHub {
  const current = {} as FakeGitHub;
  beforeEach(async () => {
    Object.assign(current, await startGitHub());
    current.repository.pulls.push(pull);
  });
  afterEach(async () => {
    await current.close();
    expect(current.repository.objections).toEqual([]);
  });
  return current;
}

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
