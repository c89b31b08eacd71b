/**
 * Finds the compute of a create that got no answer: lists the project, and excludes what existed before and what
 * other creates make at the same time. It never guesses: if two computes fit, it throws an error.
 */
import type { ApiEndpoint } from "../../api/schemas";
import { ComputeError, type RequestError } from "../../errors";
import { createShowsAfterMs, longestRetryAfterMs } from "../../timing";
import { isSamePlace, type JournalEntry } from "../../writes/journal";
import type { WriteResult } from "../../writes/sendOnce";
import { isSettled, workOf } from "./attempt";
import { ageWithoutProof, countsAsDeletedLater, notListedYet } from "./find";
import { unreadableIn, type EndpointsById } from "../listed";
import { callOptions, type Services, type Step } from "./step";

/**
 * Lists until the compute of a create without an answer appears.
 *
 * "Not done" is certain only after the service's Retry-After has passed as well. If no list was answered, or the
 * step's time ended before, the result is unknown.
 */
export async function lookForCreated(
  step: Step,
  intent: JournalEntry,
  error: RequestError,
): Promise<WriteResult<ApiEndpoint>> {
  const { services, resource, deadline } = step;
  let looked = false;
  let waitedMs = 0;
  for (const waitMs of createShowsAfterMs) {
    // The next run continues the search.
    if (waitedMs > 0 && deadline.leftMs() <= 0) break;
    resource.row.progress("no answer to the create: looking for the compute");
    await deadline.wait(waitMs);
    waitedMs += waitMs;
    // A service with problems may fail a list as well: try the next one.
    const now = await services.lists.now(intent.projectId, callOptions(step)).catch(() => undefined);
    looked ||= now !== undefined && madeUnreadably(now, intent) === undefined;
    const found = now === undefined ? undefined : await findCreated(step, intent, now);
    if (found !== undefined) return { done: found };
  }
  const leftMs = Math.min(error.retryAfterMs ?? 0, longestRetryAfterMs) - waitedMs;
  if (leftMs > 0) await deadline.wait(Math.min(leftMs, Math.max(deadline.leftMs(), 0)));
  return looked ? "not done" : "cannot tell";
}

/**
 * The compute of a create from an earlier run. Lists until no list can be late any more. If the create sent its POST
 * more than once, the first compute that appears may not be the only one: then nothing is decided before that.
 *
 * @throws ComputeError if the time ends before the result is certain.
 */
export async function findLeft(step: Step, intent: JournalEntry): Promise<ApiEndpoint | undefined> {
  const { services, deadline, resource } = step;
  for (let looks = 0; ; looks++) {
    const waitMs = looks === 0 ? 0 : (createShowsAfterMs[looks - 1] ?? createShowsAfterMs.at(-1) ?? 0);
    if (waitMs > 0) {
      resource.row.progress("looking for the compute that an earlier run may have created");
      await deadline.wait(waitMs);
    }
    if (mayMakeTwo(services, intent) && deadline.leftMs() > 0) continue;
    const now = await services.lists.now(intent.projectId, callOptions(step));
    const found = await findCreated(step, intent, now);
    if (found !== undefined) return found;
    const unreadable = madeUnreadably(now, intent);
    if (unreadable !== undefined) throw unreadable;
    if (waitMs > 0 && isSettled(services, intent)) break;
    if (deadline.leftMs() <= 0) throw tooEarly(intent);
  }
  refuseYoung(services, intent);
  return undefined;
}

/** Several POSTs got no answer, and the service may still carry the last one out. A branch has only one primary. */
function mayMakeTwo(services: Services, intent: JournalEntry): boolean {
  const { type, endpointId, earlier = [] } = intent;
  const isOneCertain = type === "read_write" || endpointId !== undefined || earlier.length === 0;
  return !isOneCertain && !isSettled(services, intent);
}

/** Set if a compute that cannot be read has appeared since the intent: it may be the one that the POST made. */
function madeUnreadably(
  now: EndpointsById,
  { baseline, endpointId }: JournalEntry,
): RequestError | undefined {
  return unreadableIn(now, (id) => (endpointId === undefined ? !baseline.includes(id) : id === endpointId));
}

/** The answer of the POST named a compute: while lists may still be late to show it, no other compute is created. */
function refuseYoung(services: Services, { endpointId, projectId, branchId, ...intent }: JournalEntry): void {
  if (endpointId === undefined) return;
  const createdAt = new Date(intent.window?.fromMs ?? intent.intentAtMs).toISOString();
  const ageMs = ageWithoutProof(services, { createdAt });
  if (ageMs === undefined) return;
  throw new ComputeError({
    doing: `creating a compute on branch ${branchId} of project ${projectId}`,
    what: `an earlier run of this resource created one already, and ${notListedYet({ projectId, endpointId }, ageMs)}`,
    fix: `Run the same command again in a moment: ${countsAsDeletedLater}`,
  });
}

function tooEarly(intent: JournalEntry): ComputeError {
  return new ComputeError({
    doing: `creating a compute on branch ${intent.branchId} of project ${intent.projectId}`,
    what: "a create of an earlier run may still show up, and the time limit left no time to wait for it",
    fix: "Run `pulumi up` again, or set a longer `timeouts.create`",
  });
}

/**
 * The compute that an intent created: on its branch, of its type, with the requested values, absent before, and not
 * another resource's.
 *
 * @throws ComputeError if several computes fit, or if nothing proves that the only one is it.
 */
export async function findCreated(
  step: Step,
  intent: JournalEntry,
  now: EndpointsById,
): Promise<ApiEndpoint | undefined> {
  if (intent.endpointId !== undefined) return now.get(intent.endpointId);
  const { services, deadline, resource } = step;
  // Wait for other creates' answers first: this list may already show their computes.
  await services.pendingCreates.answered(deadline);
  const { candidates, proven } = await candidatesFor(services, intent, now);
  if (candidates.length === 0) return undefined;
  const ref = proven && { projectId: intent.projectId, endpointId: proven.id };
  if (ref !== undefined && services.ownership.takeFree(ref, resource)) return proven;
  throw ambiguous(intent, candidates);
}

/** The computes that an intent may have created, and the one for which it is certain. */
export async function candidatesFor(
  { journal, pendingCreates, ownership }: Pick<Services, "journal" | "pendingCreates" | "ownership">,
  intent: JournalEntry,
  now: EndpointsById,
): Promise<{ readonly candidates: readonly ApiEndpoint[]; readonly proven: ApiEndpoint | undefined }> {
  // Read before the owner of each compute is checked: a create that learns its id in between is found either here or
  // there.
  const others = await journal.others(intent.owner);
  const possible = [...now.values()].filter((endpoint) => workOf(intent, endpoint) !== "no");
  const candidates = await ownership.free(possible, intent.projectId, { by: intent });
  const [only, ...more] = candidates;
  const isProven =
    only !== undefined &&
    more.length === 0 &&
    workOf(intent, only) === "certain" &&
    !others.some(
      (entry) =>
        entry.endpointId === undefined &&
        isSamePlace(entry, intent) &&
        workOf(entry, only) !== "no" &&
        !pendingCreates.isClear(entry.owner),
    );
  return { candidates, proven: isProven ? only : undefined };
}

function ambiguous(intent: JournalEntry, candidates: readonly ApiEndpoint[]): ComputeError {
  const ids = candidates.map((endpoint) => endpoint.id);
  return new ComputeError({
    doing: `creating a compute on branch ${intent.branchId} of project ${intent.projectId}`,
    what: `a create got no answer, and ${ids.join(", ")} appeared on the branch since: which of them it made is not certain`,
    fix: `Add the line adopt: "${ids[0] ?? "ep-…"}" to take one over, or delete what is not wanted at the service`,
  });
}
