/**
 * Sends the restart that changed triggers ask for: once, and only if the compute runs and nothing else restarts it.
 */
import type { ApiEndpoint, ApiOperation } from "../../api/schemas";
import { ComputeError, isKind, type RequestError } from "../../errors";
import { effectOf, isOwn } from "../../fields";
import { restartShowsAfterMs } from "../../timing";
import { sendOnce, type WriteResult } from "../../writes/sendOnce";
import { pulledTriggers } from "../planning/changes";
import { findNow } from "./find";
import { absence } from "./gone";
import type { EndpointInputs } from "../planning/inputs";
import { runningOf } from "../planning/live";
import { PartialFailure } from "../partialFailure";
import { operationsOf } from "./pendingOperations";
import { changeOf, type PlannedChange } from "../planning/plan";
import { settle, type WriteOutcome } from "./settle";
import { toState, type Declaration, type EndpointState } from "../state";
import { callOptions, sendWrite, type Step, type Target } from "./step";
import { isOff } from "../planning/verdict";

/** Whether a change asks for a restart. A compute that is or becomes disabled has nothing to restart. */
export function owesRestart(
  state: EndpointState,
  { before, inputs, now }: PlannedChange<EndpointInputs>,
): boolean {
  // A compute that was disabled outside needs no restart; a message on its row says so.
  const isDisabled = (state.disabled === true && isOff(before, now)) || inputs.disabled === true;
  return pulledTriggers(before, inputs).length > 0 && !isDisabled;
}

/**
 * Whether the other changes of an update restart the compute already: one interruption is enough. Compare with the
 * live endpoint, not the state: if the size was already changed by hand, this PATCH restarts nothing.
 */
export async function restartsAnyway(
  step: Step,
  { ref }: Target,
  { changed, inputs }: PlannedChange<EndpointInputs>,
): Promise<boolean> {
  const restarting = changed.filter((name) => !isOwn(name) && effectOf(name) === "restart");
  if (restarting.length === 0) return false;
  const live = await findNow(step.services, ref, callOptions(step));
  if (live === undefined) return false;
  const { changed: differing } = changeOf(toState(live, { inputs }), inputs);
  return restarting.some((name) => differing.includes(name));
}

interface Restart {
  readonly state: EndpointState;
  readonly declaration: Declaration;
  /** The declaration with the triggers of the last restart; it is stored until this restart has been sent. */
  readonly owed: Declaration;
  /** The answer to the change that came before: a list may be older. */
  readonly answered?: ApiEndpoint | undefined;
}

export async function restart(step: Step, target: Target, asked: Restart): Promise<EndpointState> {
  const { state: known, declaration, answered } = asked;
  const { operations } = (await hasNothingToRestart(step, target))
    ? { operations: [] }
    : await restartOnce(step, target, asked);
  return settle(step, target, { outcome: { endpoint: answered, operations }, declaration, known });
}

/** An idle or disabled compute runs nothing: its trigger counts as done, and the row says so. */
async function hasNothingToRestart({ services, resource, ...step }: Step, { ref }: Target): Promise<boolean> {
  const live = await findNow(services, ref, callOptions({ ...step, resource })).catch(() => undefined);
  const running = live === undefined ? undefined : runningOf(live);
  if (running !== "idle" && running !== "disabled") return false;
  await resource.row.say("info", `The compute is ${running}: there is nothing to restart.`);
  return true;
}

/**
 * Sends a restart. If no answer comes, new operations of the compute show that the service accepted it. It is sent
 * again only if the service said that it did nothing (503) and there are no new operations.
 */
async function restartOnce(step: Step, target: Target, { state, owed }: Restart): Promise<WriteOutcome> {
  const { services } = step;
  const { ref } = target;
  const seen = (): Promise<readonly ApiOperation[] | undefined> =>
    operationsOf(step, ref).catch(() => undefined);
  const before = (await seen())?.map(({ id }) => id);
  const stateNow = async (): Promise<EndpointState> => {
    const now = await findNow(services, ref, callOptions(step)).catch(() => undefined);
    return { ...(now === undefined ? state : toState(now, owed)), operations: [] };
  };
  try {
    return await sendOnce<WriteOutcome>({
      deadline: step.deadline,
      send: async () => {
        const restart = sendWrite(step, ref.projectId, {
          request: (call) => services.api.restartEndpoint(ref, call),
        });
        return { endpoint: undefined, operations: await restart };
      },
      look: async (): Promise<WriteResult<WriteOutcome>> => {
        await services.clock.sleep(restartShowsAfterMs);
        const now = await seen();
        // Without the list from before, nobody can tell which operations belong to the restart.
        if (now === undefined || before === undefined) return "cannot tell";
        const begun = now.filter(({ id }) => !before.includes(id));
        return begun.length > 0 ? { done: { endpoint: undefined, operations: begun } } : "not done";
      },
      mayRepeat: (error) => isKind(error, "busy"),
      unknownOutcome: (error) => unknownRestart(target, error),
      refusal: (error) => Promise.resolve(error),
    });
  } catch (error) {
    const absent = await absence(step, target, { error, state });
    if (absent !== undefined) throw absent;
    // The compute became idle between the check and the restart.
    if (isKind(error, "conflict", "badInput") && (await hasNothingToRestart(step, target)))
      return { endpoint: undefined, operations: [] };
    // The state describes the compute as the service shows it now, with the restart still pending.
    throw new PartialFailure(await stateNow(), error);
  }
}

function unknownRestart({ ref }: Target, cause: RequestError): ComputeError {
  return new ComputeError({
    doing: `restarting compute ${ref.endpointId}`,
    what: `the outcome is unknown (${cause.problem.what}), and no operation of it shows up`,
    requestId: cause.problem.requestId,
    fix: "`pulumi up` sends the restart again; where the compute has restarted already, put the old restartTriggers back first",
    cause,
  });
}
