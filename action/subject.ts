/**
 * Which pull request a run is about, and whether the pull request has changed since the run began.
 */
import * as z from "zod";
import { GitHubError, readAs, type GitHub } from "./github";
import type { ActionInputs } from "./inputs";
import type { Runner } from "./runner";

const repository = z.looseObject({ full_name: z.string() });

const pullRequest = z.looseObject({
  number: z.number(),
  head: z.looseObject({ sha: z.string(), repo: repository.nullish() }),
  base: z.looseObject({ ref: z.string(), repo: repository.nullish() }),
  user: z.looseObject({ login: z.string() }).nullish(),
});

const eventSchema = z.looseObject({ pull_request: pullRequest.optional() });

export interface Subject {
  readonly number: number;
  /** What was previewed; undefined if the event does not tell. */
  readonly revision: { readonly sha: string; readonly base: string } | undefined;
  /** Who opened the pull request, if GitHub gives its runs no secrets; undefined for everybody else. */
  readonly stranger: "fork" | "dependabot" | undefined;
}

/** @returns undefined if the run does not belong to a pull request. */
export function subjectOf(
  { event, eventName }: Runner,
  { pullNumber }: Pick<ActionInputs, "pullNumber">,
): Subject | undefined {
  if (pullNumber !== undefined) return { number: pullNumber, revision: undefined, stranger: undefined };
  const { pull_request: pull } = readAs(eventSchema, event, `The event ${eventName} of this run`);
  if (pull === undefined) return undefined;
  const { number, head, base, user } = pull;
  const isFork = head.repo?.full_name !== base.repo?.full_name;
  return {
    number,
    revision: { sha: head.sha, base: base.ref },
    stranger: isFork ? "fork" : user?.login === "dependabot[bot]" ? "dependabot" : undefined,
  };
}

/** True if the pull request now has another revision or base. If GitHub does not answer, the report is published. */
export async function hasMovedOn({ number, revision }: Subject, github: GitHub): Promise<boolean> {
  if (revision === undefined) return false;
  try {
    const now = readAs(pullRequest, await github.get(`pulls/${number}`), `Pull request ${number}`);
    return now.head.sha !== revision.sha || now.base.ref !== revision.base;
  } catch (error) {
    if (error instanceof GitHubError) return false;
    throw error;
  }
}
