/**
 * What became of a create whose answer never came: found by listing, told apart from what was there before
 * and from what others create at the same moment. Never guessed: two that could be ours are an error.
 */
import { inTime } from "../api/answers";
import type { ApiEndpoint } from "../api/schemas";
import { ComputeError, type RequestError } from "../errors";
import { namesOf } from "./holders";
import type { EndpointInputs } from "./inputs";
import { isSamePlace, type JournalEntry } from "./journal";
import type { EndpointsById } from "./reads";
import { computeTypeOf } from "./state";
import { callOptions, type Step } from "./step";

/** Looks at the list after a create without an answer, in milliseconds apart: 15 s in all. */
const settleMs = [500, 1_000, 2_000, 4_000, 7_500] as const;
/** After a 503, which says that nothing was done: the looks only make sure of it. */
const refusedSettleMs = [500, 1_000] as const;
/** Longest wait that a Retry-After adds. */
const retryAfterCapMs = 60_000;

/**
 * Lists until the compute of a create without an answer shows up.
 *
 * @returns nothing found where it does not, once the service's Retry-After has passed as well; and whether the
 * service answered any look.
 */
export async function waitForCreated(
  step: Step,
  intent: JournalEntry,
  error: RequestError,
): Promise<{ readonly found: ApiEndpoint | undefined; readonly looked: boolean }> {
  const { services, urn, deadline } = step;
  let looked = false;
  let waitedMs = 0;
  for (const waitMs of error.status === 503 ? refusedSettleMs : settleMs) {
    // The next run goes on looking.
    if (waitedMs > 0 && deadline.leftMs() <= 0) break;
    services.voice.progress(urn, "no answer to the create: looking for the compute");
    await services.clock.sleep(waitMs);
    waitedMs += waitMs;
    // A service in trouble may fail a look as well: the next one may do better.
    const now = await services.reads.listNow(intent.projectId, callOptions(step)).catch(() => undefined);
    looked ||= now !== undefined;
    const found = now === undefined ? undefined : await findCreated(step, intent, now);
    if (found !== undefined) return { found, looked };
  }
  const leftMs = Math.min(error.retryAfterMs ?? 0, retryAfterCapMs) - waitedMs;
  if (leftMs > 0) await services.clock.sleep(Math.min(leftMs, Math.max(deadline.leftMs(), 0)));
  return { found: undefined, looked };
}

/** Age of an intent from which on a list can be trusted to show what it led to. */
const settledAfterMs = 15_000;

/**
 * The compute of a create that an earlier run left behind: looked for as long as a list may be behind the truth.
 *
 * @throws ComputeError where the time is over before that is certain.
 */
export async function findLeft(step: Step, intent: JournalEntry): Promise<ApiEndpoint | undefined> {
  const { services, deadline, urn } = step;
  for (const waitMs of [0, ...settleMs]) {
    if (waitMs > 0) {
      services.voice.progress(urn, "looking for the compute that an earlier run may have created");
      await services.clock.sleep(waitMs);
    }
    const now = await services.reads.listNow(intent.projectId, callOptions(step));
    const found = await findCreated(step, intent, now);
    if (found !== undefined) return found;
    const isSettled = services.clock.now() - intent.intentAtMs > settledAfterMs;
    if (waitMs > 0 && isSettled) return undefined;
    if (deadline.leftMs() <= 0) throw tooEarly(intent);
  }
  return undefined;
}

function tooEarly(intent: JournalEntry): ComputeError {
  return new ComputeError({
    doing: `creating a compute on branch ${intent.branchId} of project ${intent.projectId}`,
    what: "a create of an earlier run may still show up, and the time limit left no time to wait for it",
    fix: "Run `pulumi up` again, or set a longer `timeouts.create`",
  });
}

/**
 * The compute that an intent led to: on its branch, of its type, not there before, and nobody else's.
 *
 * @throws ComputeError where more than one could be it.
 */
export async function findCreated(
  step: Step,
  intent: JournalEntry,
  now: EndpointsById,
): Promise<ApiEndpoint | undefined> {
  if (intent.endpointId !== undefined) return now.get(intent.endpointId);
  const { services, deadline } = step;
  // Answers on their way name computes that are not ours, though this list may show them already. One that does
  // not come in time leaves its create unclear.
  await inTime(services.inFlight.answered(), deadline, "creating computes").catch(() => undefined);
  const others = await services.journal.others(intent.owner);
  const theirs = new Set(others.map((entry) => entry.endpointId));
  const baseline = new Set(intent.baseline);
  const candidates = [...now.values()].filter(
    (endpoint) =>
      endpoint.branch_id === intent.branchId &&
      computeTypeOf(endpoint.type) === intent.type &&
      !baseline.has(endpoint.id) &&
      !theirs.has(endpoint.id) &&
      !services.inFlight.isClaimed(endpoint.id),
  );
  const [only, ...more] = candidates;
  if (only === undefined) return undefined;
  const rival = others.some(
    (entry) =>
      entry.endpointId === undefined && isSamePlace(entry, intent) && !services.inFlight.isClear(entry.owner),
  );
  const isCertain = more.length === 0 && !rival && isOfThatTime(only, intent);
  if (isCertain && services.inFlight.claim(only.id)) return only;
  throw ambiguous(intent, candidates);
}

function ambiguous(intent: JournalEntry, candidates: readonly ApiEndpoint[]): ComputeError {
  const ids = candidates.map((endpoint) => endpoint.id);
  return new ComputeError({
    doing: `creating a compute on branch ${intent.branchId} of project ${intent.projectId}`,
    what: `a create got no answer, and ${ids.join(", ")} appeared on the branch since: which of them it made is not certain`,
    fix: `Add the line adopt: "${ids[0] ?? "ep-…"}" to take one over, or delete what is not wanted at the service`,
  });
}

/** Between the two looks at a primary that stands in the way: a list may still show one that was just deleted. */
const secondLookMs = 500;

/**
 * A branch has at most one primary (interface 1). One that is there is never taken over silently: every
 * default branch comes with its own, and a later destroy would delete it.
 */
export async function refuseSecondPrimary(
  step: Step,
  inputs: EndpointInputs,
  before: EndpointsById,
): Promise<void> {
  if (primaryOn(inputs.branchId, before) === undefined) return;
  await step.services.clock.sleep(secondLookMs);
  const now = await step.services.reads.listNow(inputs.projectId, callOptions(step));
  const primary = primaryOn(inputs.branchId, now);
  if (primary === undefined) return;
  const doing = `creating a read_write compute on branch ${inputs.branchId} of project ${inputs.projectId}`;
  const ref = { projectId: inputs.projectId, endpointId: primary.id };
  const { holders } = step.services;
  const other = step.urn === undefined ? undefined : holders.otherHolder(ref, [step.urn]);
  if (step.urn !== undefined && other !== undefined) {
    throw new ComputeError({
      doing,
      what: `the branch has its one primary already, compute ${primary.id} of resource ${namesOf([other, step.urn])[0]}`,
      fix: 'Remove one of the two resources, or use another branch or type: "read_only"',
    });
  }
  throw new ComputeError({
    doing,
    what: `the branch has its one primary already, compute ${primary.id}`,
    fix: `Where that is this resource under an earlier name, add the option aliases: [{ name: "the earlier name" }]; to manage it here, add the line adopt: "${primary.id}" (then \`pulumi destroy\` deletes it, unless retainOnDelete is set); to have another, use another branch or type: "read_only"`,
  });
}

/** Far longer than a create takes, and than clocks differ. */
const sameTimeMs = 2 * 3600 * 1000;

/** Whether a compute was made about when the create was sent: a later one is somebody else's. */
function isOfThatTime(endpoint: ApiEndpoint, intent: JournalEntry): boolean {
  const createdAtMs = Date.parse(endpoint.created_at ?? "");
  return Number.isNaN(createdAtMs) || Math.abs(createdAtMs - intent.intentAtMs) < sameTimeMs;
}

/** The primary compute of a branch, if it has one. */
export function primaryOn(branchId: string, endpoints: EndpointsById): ApiEndpoint | undefined {
  return [...endpoints.values()].find(
    (endpoint) => endpoint.branch_id === branchId && endpoint.type === "read_write",
  );
}
