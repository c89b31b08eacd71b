/**
 * Sends the restart that changed triggers ask for: once, and only if the compute runs and nothing else restarts it.
 */
import type { ApiEndpoint, ApiOperation } from "../../api/schemas";
import { pollUntil } from "../../clock";
import { ComputeError, isKind, RequestError } from "../../errors";
import { effectOf, isOwn } from "../../fields";
import { writeShowsAfterMs } from "../../timing";
import { sendOnce, type WriteResult } from "../../writes/sendOnce";
import { OperationFailedError } from "../../operations/errors";
import { startsCompute } from "../../operations/interruptions";
import { verdictOf } from "../../operations/status";
import { changedTriggers } from "../planning/changes";
import { absence, seenNow } from "./find";
import type { EndpointInputs } from "../planning/inputs";
import { runningOf } from "../planning/running";
import { endOfRestart, operationsOf, unlisted } from "./pendingOperations";
import { changeOf, type PlannedChange } from "../planning/plan";
import { latest, pendingRestart, restartFailed, settle, type WriteOutcome } from "./settle";
import { waitFor } from "./waitFor";
import { evidenceIn, type Applied } from "./applied";
import { PartialFailure, toState, type Declaration, type EndpointState } from "../state";
import { sendWrite, type ComputeStep, type Target } from "./step";
import { isOff, runsNothing } from "../planning/verdict";

/** Whether a change asks for a restart. A compute that is or becomes disabled has nothing to restart. */
export function needsRestart(
  state: EndpointState,
  { before, inputs, now }: PlannedChange<EndpointInputs>,
): boolean {
  // A compute that was disabled outside needs no restart; a message on its row says so.
  const isDisabled = (state.disabled === true && isOff(before, now)) || inputs.disabled === true;
  return changedTriggers(before, inputs).length > 0 && !isDisabled;
}

/**
 * Whether the other changes of an update restart the compute already: one interruption is enough. Compare with the
 * live endpoint, not the state: if the size was already changed by hand, this PATCH restarts nothing.
 */
export async function restartsAnyway(
  step: ComputeStep,
  { changed, inputs }: PlannedChange<EndpointInputs>,
): Promise<boolean> {
  const restarting = changed.filter((name) => !isOwn(name) && effectOf(name) === "restart");
  if (restarting.length === 0) return false;
  const live = await seenNow(step);
  if (live === undefined) return false;
  const { changed: differing } = changeOf(toState(live, { inputs }), inputs);
  return restarting.some((name) => differing.includes(name));
}

interface Before {
  readonly state: EndpointState;
  /** The answer to the change that came before: a list may be older. */
  readonly answered?: ApiEndpoint | undefined;
}

/**
 * The state before a restart that an earlier run stopped waiting for; undefined if there is none. Its operations will tell
 * whether it has to be sent again.
 */
export function beforeRestart(state: EndpointState): EndpointState | undefined {
  const { restartTriggers, triggers, operations = [] } = state;
  const isRestarting = restartTriggers !== undefined && triggers !== undefined && operations.length > 0;
  return isRestarting ? { ...state, restartTriggers: undefined } : undefined;
}

/**
 * If an earlier run stopped waiting for a restart: waits for it. If it failed, nothing else is sent: the next preview
 * says that the compute is restarted.
 *
 * @param earlier - the operations of that run.
 * @throws PartialFailure if the restart failed; it stays pending.
 */
export async function resumeRestart(
  step: ComputeStep,
  { state, earlier }: { readonly state: EndpointState; readonly earlier: readonly ApiOperation[] },
): Promise<void> {
  const before = beforeRestart(state);
  if (before === undefined) return;
  const ofRestart = state.operations?.includes(unlisted) === true ? endOfRestart(earlier) : earlier;
  try {
    await waitFor(
      step,
      ofRestart.filter(({ status }) => verdictOf(status) !== "unknown"),
    );
  } catch (error) {
    if (!(error instanceof OperationFailedError)) throw error;
    throw new PartialFailure({ ...before, operations: [] }, restartFailed(error));
  }
}

export async function restart(step: ComputeStep, declaration: Declaration, before: Before): Promise<Applied> {
  const { state: known, answered } = before;
  const outcome = (await hasNothingToRestart(step)) ?? (await restartOnce(step, declaration, before));
  const shown = { ...outcome, endpoint: answered ?? outcome.endpoint };
  const settled = await settle(step, shown, { declaration, restartsFrom: known, known });
  return { state: settled.state, evidence: outcome.isIdle ? [] : [evidenceIn(outcome, settled)] };
}

/** An idle or disabled compute runs nothing: its trigger counts as done, and the row says so. */
async function hasNothingToRestart(step: ComputeStep): Promise<WriteOutcome | undefined> {
  const live = await seenNow(step).catch(() => undefined);
  const running = live === undefined ? undefined : runningOf(live);
  if (running === undefined || !runsNothing(running)) return undefined;
  await step.resource.row.say("info", `The compute is ${running}: there is nothing to restart.`);
  return { endpoint: live, operations: [], isIdle: true };
}

/**
 * Sends a restart. If no answer comes, a new start of the compute shows that the service accepted it. It is sent
 * again only if the service said that it did nothing (503) and there is no such operation.
 */
async function restartOnce(
  step: ComputeStep,
  declaration: Declaration,
  { state, answered }: Before,
): Promise<WriteOutcome> {
  const { services, ref } = step;
  const before = (await operationsOf(step).catch(() => undefined))?.map(({ id }) => id);
  /** Operations of the compute since the restart was sent; undefined if a list is missing. */
  const begun = async (): Promise<readonly ApiOperation[] | undefined> => {
    const now = await operationsOf(step).catch(() => undefined);
    // Without the list from before, nobody can tell which operations belong to the restart.
    if (before === undefined) return undefined;
    return now?.filter(({ id, action }) => !before.includes(id) && action !== "check_availability");
  };
  /** The same, once one of them starts the compute: an active compute restarts by such ones, and a list may be late. */
  const begunWithin = (waitsMs: readonly [number, ...number[]]): ReturnType<typeof begun> => {
    let last: readonly ApiOperation[] | undefined;
    return pollUntil(step.deadline, waitsMs, {
      poll: async () => (last = (await begun()) ?? last),
      isEnough: (operations) => before === undefined || operations?.some(startsCompute) === true,
    });
  };
  const stateNow = async (): Promise<EndpointState> => {
    const now = latest(await seenNow(step).catch(() => undefined), answered);
    const pending = (): Declaration => pendingRestart(declaration, state, { mayEndWell: false });
    return now === undefined ? state : toState(now, pending());
  };
  try {
    return await sendOnce<WriteOutcome>({
      deadline: step.deadline,
      send: async () => {
        const restart = sendWrite(step, ref.projectId, {
          request: (call) => services.api.restartEndpoint(ref, call),
          outdates: ref,
        });
        return {
          endpoint: undefined,
          operations: (await restart) ?? (await begunWithin([0, ...writeShowsAfterMs])),
          earlier: before,
        };
      },
      checkResult: async (): Promise<WriteResult<WriteOutcome>> => {
        const operations = await begunWithin(writeShowsAfterMs);
        if (operations?.some(startsCompute)) return { done: { endpoint: undefined, operations } };
        // A suspend may be the restart's first half.
        return operations?.length === 0 ? "not done" : "cannot tell";
      },
      mayRepeat: (error) => isKind(error, "busy"),
      unknownOutcome: (error) => unknownRestart(step, error),
      refusal: (error) => Promise.resolve(error),
    });
  } catch (error) {
    const absent = await absence(step, { error, state });
    if (absent !== undefined) throw absent;
    // The compute became idle between the check and the restart.
    const idle = isKind(error, "conflict", "badInput") ? await hasNothingToRestart(step) : undefined;
    if (idle !== undefined) return idle;
    // The state describes the compute as the service shows it now, with the restart still pending.
    // Without an answer, the service may still be at work on it.
    const operations = error instanceof RequestError ? [] : [unlisted];
    throw new PartialFailure({ ...(await stateNow()), operations }, error);
  }
}

function unknownRestart({ ref }: Target, cause: RequestError): ComputeError {
  return new ComputeError({
    doing: `restarting compute ${ref.endpointId}`,
    what: `the outcome is unknown (${cause.problem.what}), and no operation that starts the compute shows up`,
    requestId: cause.problem.requestId,
    fix: "`pulumi up` sends the restart again; where the compute has restarted already, put the old restartTriggers back first",
    cause,
  });
}
