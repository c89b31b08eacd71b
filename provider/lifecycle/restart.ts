/**
 * Restarts a compute for its triggers: sends the request once, waits for its operations, and returns what they show. After a
 * restart that did not succeed, the state keeps the old triggers (`update.ts`), so the next run restarts again.
 */
import type { ApiEndpoint, ApiOperation } from "../service/schemas";
import { pollUntil } from "../clock";
import { ComputeError, isKind, type RequestError } from "../model/errors";
import { hasEnded, observationOf, observationOfTimes, startsCompute } from "../service/observation";
import type { Done, Shown } from "./receipt";
import { writeShowsAfterMs } from "../model/timing";
import { runsNothing } from "../model/interruption";
import { runningOf } from "../service/running";
import { writeOnce, type WriteResult } from "../service/writeOnce";
import { PartialFailure } from "../model/state";
import { absence, seenIfListed } from "./find";
import { operationsOf, unnamedOperationsOf, waitForAnswered } from "./waiting";
import { writeOptions, type ComputeStep, type Target } from "./step";

/**
 * Ends an update with a restart.
 *
 * @param earlier - the earlier part of the update.
 * @returns both parts together.
 * @throws PartialFailure if the restart was not done, or if that is unknown.
 */
export async function restart(own: ComputeStep, earlier: Done): Promise<Done> {
  const { state } = earlier;
  const step = { ...own, doing: `restarting compute ${state.endpointId}`, kind: "restart" } as const;
  const live = await seenIfListed(step);
  const known = (await operationsOf(step).catch(() => undefined))?.map(({ id }) => id);
  const before = { live, earlier: known };
  const fails = (error: unknown): never => {
    // The next run first looks for the operations of this restart and, if it was refused, for those that it would have
    // superseded.
    throw new PartialFailure({ ...state, operations: "unnamed" }, error);
  };
  const isOnly = earlier.isEarlier === true;
  const sent = await restartOnce(step, before).catch(fails);
  if (sent === "nothing") return isOnly ? { state, operations: [], ran: "idle" } : earlier;
  const restarted = await endOfRestart(step, before, sent).catch(fails);
  const operations = [...((isOnly ? undefined : earlier.operations) ?? []), ...(restarted.operations ?? [])];
  return { state, ...restarted, operations: restarted.operations && operations };
}

/** Waits for the operations of a restart that was accepted. */
async function endOfRestart(
  step: ComputeStep,
  { live, earlier }: Before,
  sent: RestartOperations,
): Promise<Shown> {
  const ended = await waitForAnswered(step, sent ?? lastOfRestart(await unnamedOperationsOf(step)));
  const operations = sent === undefined ? earlier && ended.filter(({ id }) => !earlier.includes(id)) : ended;
  const isShown = observationOf(operations ?? []).happened !== undefined;
  return { operations, ...(isShown ? {} : await timesSince(step, live)) };
}

/** Reads the compute again only if the service returns `started_at`. */
async function timesSince(
  step: ComputeStep,
  before: ApiEndpoint | undefined,
): Promise<Pick<Shown, "before" | "after">> {
  return before?.started_at == null ? {} : { before, after: await seenIfListed(step) };
}

/** The operations of a restart, oldest first; undefined if it is not known which ones belong to it. */
type RestartOperations = readonly ApiOperation[] | undefined;

/** What is known about a compute before its restart. */
interface Before {
  readonly live: ApiEndpoint | undefined;
  /** Ids of its operations; undefined if they could not be listed. */
  readonly earlier: readonly string[] | undefined;
}

/**
 * Sends a restart. If no answer comes, a new start of the compute shows that the service accepted the restart: a new operation,
 * or a later `started_at` if the service returns it. Interface 4.5 does not describe the answer. If an answer names no
 * operations, they are searched for in the same way. The restart is sent again only if the service said that it did nothing
 * (503) and nothing shows a start.
 */
async function restartOnce(step: ComputeStep, before: Before): Promise<RestartOperations | "nothing"> {
  const { service, ref } = step;
  try {
    return await writeOnce<RestartOperations>({
      deadline: step.deadline,
      send: async () => {
        const restart = await service.api.restartEndpoint(ref, writeOptions(step));
        return restart ?? (await lookFor(step, before, [0, ...writeShowsAfterMs])).operations;
      },
      checkResult: async (): Promise<WriteResult<RestartOperations>> => {
        const { operations, isShown } = await lookFor(step, before, writeShowsAfterMs);
        if (isShown) return { done: operations?.some(startsCompute) ? operations : undefined };
        // If there are operations, but no start, the outcome is open: a suspension may be the first half of the restart.
        return operations?.length === 0 ? "not done" : "cannot tell";
      },
      mayRepeat: (error) => isKind(error, "busy"),
      unknownOutcome: (error) => unknownRestart(step, error),
      refusal: (error) => Promise.resolve(error),
    });
  } catch (error) {
    // The compute may have become idle since it was read: an idle compute needs no restart.
    const now = isKind(error, "conflict", "badInput") ? await seenIfListed(step) : undefined;
    if (now !== undefined && runsNothing(runningOf(now))) return "nothing";
    throw (await absence(step, { error, wanted: ref })) ?? error;
  }
}

/** Looks for a new start of the compute, which a list may show late. */
async function lookFor(
  step: ComputeStep,
  { live, earlier }: Before,
  waitsMs: readonly [number, ...number[]],
): Promise<{ readonly operations: RestartOperations; readonly isShown: boolean }> {
  let operations: RestartOperations;
  const isShown = await pollUntil(step.deadline, waitsMs, {
    poll: async () => {
      operations = (await begunSince(step, earlier)) ?? operations;
      if (operations?.some(startsCompute)) return true;
      const { before, after } = await timesSince(step, live);
      return observationOfTimes({ before, after }, true).happened === "restarted";
    },
    isEnough: (shown) => shown || (earlier === undefined && live?.started_at == null),
  });
  return { operations, isShown };
}

async function begunSince(
  step: ComputeStep,
  earlier: readonly string[] | undefined,
): Promise<RestartOperations> {
  const now = await operationsOf(step).catch(() => undefined);
  // Without a list from before the restart, nobody can tell which operations belong to it.
  if (earlier === undefined) return undefined;
  return now?.filter(({ id, action }) => !earlier.includes(id) && action !== "check_availability");
}

/**
 * The operations that tell how a restart ended, if no answer named them: the last start, and all operations that have not
 * ended. An active compute proves nothing: it was active before.
 */
function lastOfRestart(listed: readonly ApiOperation[]): readonly ApiOperation[] {
  const last = listed.findLast(startsCompute);
  return listed.filter((operation) => operation === last || !hasEnded(operation.status));
}

function unknownRestart({ ref }: Target, cause: RequestError): ComputeError {
  return new ComputeError({
    doing: `restarting compute ${ref.endpointId}`,
    what: `the outcome is unknown (${cause.problem.what}), and no operation shows that the compute was started`,
    requestId: cause.problem.requestId,
    fix: "Run `pulumi up`, which sends the restart again. If the compute has already restarted, first put the old values of restartTriggers back, to prevent another restart",
    cause,
  });
}
