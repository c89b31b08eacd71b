/**
 * Which merged pull request an update applied, and which run made the previews that its reviewers saw.
 */
import * as z from "zod";
import type { GitHub } from "./github";
import { newestRunOf, pullRequest, type PullRequest, type WorkflowRun } from "./subject";
import type { RunContext } from "./publish";

const merged = pullRequest.extend({
  merged_at: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
});

const events = z.looseObject({
  pull_request: merged.optional(),
  workflow_run: z.looseObject({ head_sha: z.string() }).optional(),
});

/** @returns undefined where no merged pull request brought the revision that is applied. */
export async function mergedPull({ inputs, runner, github }: RunContext): Promise<PullRequest | undefined> {
  if (inputs.pullNumber !== undefined)
    return pullRequest.parse(await github.get(`pulls/${inputs.pullNumber}`));
  const { pull_request: pull, workflow_run: run } = events.parse(runner.event);
  if (pull !== undefined) return isMerged(pull) ? pull : undefined;
  const sha = run?.head_sha ?? runner.env["GITHUB_SHA"] ?? "";
  const pulls = z
    .array(merged)
    .parse(await github.list(`commits/${sha}/pulls`))
    .filter(isMerged);
  // A merge of one branch into another brings the pull requests of both: the one that made this very commit comes first.
  const newest = [...pulls].sort((left, right) => right.number - left.number);
  return newest.find((pull) => pull.merge_commit_sha === sha) ?? newest[0];
}

function isMerged({ merged_at: at }: z.infer<typeof merged>): boolean {
  return at !== null && at !== undefined;
}

/** @returns undefined where its reviewers saw no preview, or one that has not ended. */
export async function reviewedRun(
  pull: PullRequest,
  github: GitHub,
  workflow: string,
): Promise<WorkflowRun | undefined> {
  const run = await newestRunOf(pull, github, workflow);
  return run?.status === "completed" ? run : undefined;
}
