/**
 * Restarts a compute: sends the request once, waits for its operations, and returns what they show. Nothing is
 * remembered: whoever asks for a restart that was not done asks again.
 */
import type { ApiEndpoint, ApiOperation } from "../api/schemas";
import { pollUntil } from "../clock";
import { ComputeError, isKind, type RequestError } from "../pure/errors";
import { observationOf, startsCompute } from "../pure/observation";
import { hasEnded } from "../pure/operationStatus";
import { writeShowsAfterMs } from "../pure/timing";
import { sendOnce, type WriteResult } from "../writes/sendOnce";
import { runningOf } from "../endpoint/planning/running";
import { runsNothing } from "../pure/verdict";
import type { Evidence } from "../pure/receipt";
import { absence, seenNow } from "../endpoint/applying/find";
import { operationsOf, unnamedOperationsOf } from "../endpoint/applying/pendingOperations";
import { sendWrite, type ComputeStep, type Target } from "../endpoint/applying/step";
import { waitForAnswered } from "../endpoint/applying/waitFor";

/**
 * @returns the evidence for a receipt; undefined if nothing was sent, because the compute runs nothing: the row says
 * so.
 * @throws ComputeError if the restart was not done, or if nobody can tell.
 */
export async function restartEndpoint(step: ComputeStep): Promise<Evidence | undefined> {
  const live = await listed(step);
  if (await hasNothingToRestart(step, live)) return undefined;
  const earlier = (await operationsOf(step).catch(() => undefined))?.map(({ id }) => id);
  const sent = await restartOnce(step, earlier);
  if (sent === "nothing") return undefined;
  const ended = await waitForAnswered(step, sent ?? endOfRestart(await unnamedOperationsOf(step)));
  const operations = sent === undefined ? earlier && ended.filter(({ id }) => !earlier.includes(id)) : ended;
  const isShown = observationOf(operations ?? []).happened !== undefined;
  return { operations, times: isShown ? undefined : await timesSince(step, live) };
}

/** The compute as it is now; undefined if the service does not answer. */
function listed(step: ComputeStep): Promise<ApiEndpoint | undefined> {
  return seenNow(step).catch(() => undefined);
}

/** An idle or disabled compute is not started for a restart. */
async function hasNothingToRestart(step: ComputeStep, live: ApiEndpoint | undefined): Promise<boolean> {
  const running = live && runningOf(live);
  if (!runsNothing(running)) return false;
  await step.resource.row.say("info", `The compute is ${running}: there is nothing to restart.`);
  return true;
}

/** Asks only a service that answers when a compute was started. */
async function timesSince(step: ComputeStep, before: ApiEndpoint | undefined): Promise<Evidence["times"]> {
  return before?.started_at == null ? undefined : { before, after: await listed(step) };
}

/** The operations of a restart, oldest first; undefined if it is not known which ones belong to it. */
type Begun = readonly ApiOperation[] | undefined;

/**
 * Sends a restart. If no answer comes, a new start of the compute shows that the service accepted it. It is sent
 * again only if the service said that it did nothing (503) and there is no such operation.
 *
 * @param earlier - ids of the compute's operations from before; undefined if they could not be listed.
 */
async function restartOnce(
  step: ComputeStep,
  earlier: readonly string[] | undefined,
): Promise<Begun | "nothing"> {
  const { services, ref } = step;
  /** Ends early once an operation starts the compute: an active one restarts by such ones, and a list may be late. */
  const begunWithin = (waitsMs: readonly [number, ...number[]]): Promise<Begun> => {
    let last: Begun;
    return pollUntil(step.deadline, waitsMs, {
      poll: async () => (last = (await begunSince(step, earlier)) ?? last),
      isEnough: (operations) => earlier === undefined || operations?.some(startsCompute) === true,
    });
  };
  try {
    return await sendOnce<Begun>({
      deadline: step.deadline,
      send: async () => {
        const restart = sendWrite(step, ref.projectId, {
          request: (call) => services.api.restartEndpoint(ref, call),
          outdates: ref,
        });
        return (await restart) ?? (await begunWithin([0, ...writeShowsAfterMs]));
      },
      checkResult: async (): Promise<WriteResult<Begun>> => {
        const operations = await begunWithin(writeShowsAfterMs);
        if (operations?.some(startsCompute)) return { done: operations };
        // A suspend may be the restart's first half.
        return operations?.length === 0 ? "not done" : "cannot tell";
      },
      mayRepeat: (error) => isKind(error, "busy"),
      unknownOutcome: (error) => unknownRestart(step, error),
      refusal: (error) => Promise.resolve(error),
    });
  } catch (error) {
    // The compute became idle after it was read.
    const isRefused = isKind(error, "conflict", "badInput");
    if (isRefused && (await hasNothingToRestart(step, await listed(step)))) return "nothing";
    throw (await absence(step, { error, wanted: ref })) ?? error;
  }
}

async function begunSince(step: ComputeStep, earlier: readonly string[] | undefined): Promise<Begun> {
  const now = await operationsOf(step).catch(() => undefined);
  // Without the list from before, nobody can tell which operations belong to the restart.
  if (earlier === undefined) return undefined;
  return now?.filter(({ id, action }) => !earlier.includes(id) && action !== "check_availability");
}

/**
 * If no answer named the operations of a restart: the ones that tell how it ended. That the compute is active now does
 * not tell: it was active before.
 */
function endOfRestart(listed: readonly ApiOperation[]): readonly ApiOperation[] {
  const last = listed.findLast(startsCompute);
  return listed.filter((operation) => operation === last || !hasEnded(operation.status));
}

function unknownRestart({ ref }: Target, cause: RequestError): ComputeError {
  return new ComputeError({
    doing: `restarting compute ${ref.endpointId}`,
    what: `the outcome is unknown (${cause.problem.what}), and no operation that starts the compute shows up`,
    requestId: cause.problem.requestId,
    fix: "`pulumi up` sends the restart again; where the compute has restarted already, put the old triggers back first",
    cause,
  });
}
