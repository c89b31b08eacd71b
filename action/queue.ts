/**
 * The status in a merge queue. GitHub queues only what passed; the commit that it builds there has no status yet, and
 * gets that of the pull request which the commit adds.
 */
import * as z from "zod";
import type { GitHub } from "./github";
import { placeOf } from "./order";
import type { Runner } from "./runner";
import { setStatus, statusNow, type StatusText } from "./status";

const mergeGroup = z.looseObject({
  merge_group: z.looseObject({ head_sha: z.string(), head_ref: z.string(), base_ref: z.string() }),
});

/** `refs/heads/gh-readonly-queue/main/pr-7-…`, with the base's revision at its end. */
const queuedRef = /\/pr-(\d+)-[0-9a-f]+$/;

interface Queue {
  readonly github: GitHub;
  readonly runner: Runner;
  readonly name: string;
  readonly url: string;
}

interface QueuedRevision {
  readonly sha: string;
  readonly base: string;
  readonly number: number | undefined;
}

/** @returns undefined if the run is not one of a merge queue. */
export function queuedRevision({ eventName, event }: Runner): QueuedRevision | undefined {
  if (eventName !== "merge_group") return undefined;
  const { merge_group: group } = mergeGroup.parse(event);
  const number = queuedRef.exec(group.head_ref)?.[1];
  return {
    sha: group.head_sha,
    base: group.base_ref.replace(/^refs\/heads\//, ""),
    number: number === undefined ? undefined : Number(number),
  };
}

/** @returns the exit code. */
export async function passOn(queued: QueuedRevision, { github, runner, name, url }: Queue): Promise<number> {
  const status = await statusOfPull(queued, { github, name });
  runner.say("notice", status.description);
  const place = placeOf(runner.env, undefined);
  await setStatus({ name, sha: queued.sha, base: queued.base }, { status, place, url }, { github, runner });
  return 0;
}

async function statusOfPull(
  { number, base }: QueuedRevision,
  { github, name }: Pick<Queue, "github" | "name">,
): Promise<StatusText> {
  if (number === undefined)
    return { state: "error", description: "the merge queue does not say which pull request this is" };
  const pull = z
    .looseObject({
      head: z.looseObject({ sha: z.string() }),
      base: z.looseObject({ ref: z.string() }),
    })
    .parse(await github.get(`pulls/${number}`));
  const reviewed = await statusNow({ name, sha: pull.head.sha, base: pull.base.ref }, github);
  const isPassed = reviewed?.state === "success" && pull.base.ref === base;
  return {
    state: isPassed ? "success" : "failure",
    description: `#${number}: ${reviewed?.description ?? "has no such status"}`,
  };
}
