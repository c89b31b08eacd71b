/**
 * Changing a compute: a PATCH with what changed, a restart where one is asked for, or, after a failed run,
 * nothing but the wait that was left.
 */
import type { ApiEndpoint, ApiOperation } from "../api/schemas";
import { ComputeError, isKind, isNotFound, PartialFailure, RequestError } from "../errors";
import { effectOf, isOwn, type ArgumentName } from "../fields";
import { verdictOf } from "../operations/status";
import { changeShowsAfterMs, restartShowsAfterMs, updateShowsAfterMs } from "../timing";
import { sendOnce, type Look } from "../writes/sendOnce";
import { changedArguments, pulledTriggers, triggerHashes } from "./changes";
import { lateDeferral, withDeferred } from "./deferral";
import { absenceError, findListed, findNow, hasPrimary, primaryOn, type Listed } from "./find";
import type { EndpointInputs } from "./inputs";
import { runningOf } from "./live";
import { operationsOf, resumeOperations, stillPending } from "./pendingOperations";
import { turnOf } from "./restartOrder";
import { settle, waitFor, type Change } from "./settle";
import {
  isPatched,
  toState,
  toStored,
  toUpdateBody,
  undeclaredSettings,
  unsettledArguments,
  type Declaration,
  type EndpointState,
} from "./state";
import { callOptions, runStep, sendWrite, type Services, type Step, type Target } from "./step";

export async function updateEndpoint(
  services: Services,
  state: EndpointState,
  declaration: Declaration,
): Promise<EndpointState> {
  const { inputs } = declaration;
  const endTurn = await turnOf(services, state, declaration);
  try {
    const late = await lateDeferral(services, state, declaration);
    if (late === undefined) return toStored(await change(services, state, declaration), inputs);
    await declaration.resource.row.say("warning", `deferred ${late.notice}`);
    const rest = { ...declaration, inputs: late.inputs, triggers: triggerHashes(state) };
    return toStored(withDeferred(await change(services, state, rest), state, late), inputs);
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    throw new PartialFailure(toStored(error.state, inputs), error.cause);
  } finally {
    endTurn();
  }
}

async function change(
  services: Services,
  state: EndpointState,
  declaration: Declaration,
): Promise<EndpointState> {
  const { inputs, resource } = declaration;
  const { projectId, endpointId } = state;
  const ref = { projectId, endpointId };
  const target = { doing: `updating compute ${endpointId}`, kind: "change", ref } as const;
  const changed = changedArguments(state, inputs);
  const isPulled = owesRestart(state, inputs);
  const plan = { kind: "update", projectId, resource, timeouts: inputs.timeouts } as const;

  return runStep(services, plan, async (step) => {
    const left = await resumeOperations(step, ref, state.operations ?? []);
    const sends = isPatched(changed) || isPulled;
    // Interface 3.2: what is under way ends before the next dependent request. What failed is superseded by it.
    if (sends)
      await waitFor(
        step,
        target,
        left.filter((operation) => verdictOf(operation.status) === "pending"),
      );
    const restarts = isPulled && !(await restartsAnyway(step, target, { changed, inputs }));
    const patched = isPatched(changed)
      ? await patch(step, target, { changed, state, declaration })
      : { endpoint: undefined, operations: sends ? [] : await stillPending(step, target, left) };
    // Until a restart is on its way, the state keeps the old triggers: the next run then still owes it.
    const owed = {
      ...declaration,
      inputs: { ...inputs, restartTriggers: undefined },
      triggers: triggerHashes(state),
    };
    if (!restarts) {
      const unfinished = isPulled ? owed : undefined;
      return settle(step, target, { change: patched, declaration, unfinished, known: state });
    }
    const restart = async (own: Step): Promise<EndpointState> => {
      if (await hasNothingToRestart(own, target))
        return settle(own, target, {
          change: { endpoint: undefined, operations: [] },
          declaration,
          known: state,
        });
      const restarted = await restartOnce(own, target, { state, declaration: owed });
      return settle(own, target, { change: restarted, declaration, known: state });
    };
    if (!isPatched(changed)) return restart(step);
    // Gives the permit back: the restart is another write, with a permit of its own.
    await settle(step, target, { change: patched, declaration: owed, known: state });
    return runStep(services, plan, restart);
  });
}

/** Whether a declaration asks for a restart; a compute that is disabled before or by it has nothing to restart. */
export function owesRestart(state: EndpointState, inputs: EndpointInputs): boolean {
  const isDisabled = state.disabled === true || inputs.disabled === true;
  return pulledTriggers(state, inputs).length > 0 && !isDisabled;
}

/**
 * Whether the other changes of an update restart the compute already: one interruption is enough. What the compute
 * runs counts, not what the state says of it: a size that was changed behind our back restarts nothing.
 */
async function restartsAnyway(
  step: Step,
  { ref }: Target,
  { changed, inputs }: { readonly changed: readonly ArgumentName[]; readonly inputs: EndpointInputs },
): Promise<boolean> {
  const restarting = changed.filter((name) => !isOwn(name) && effectOf(name) === "restart");
  if (restarting.length === 0) return false;
  const live = await findNow(step.services, ref, callOptions(step));
  if (live === undefined) return false;
  const differs = changedArguments(toState(live, { inputs }), inputs);
  return restarting.some((name) => differs.includes(name));
}

/** An idle or disabled compute runs nothing: its trigger is settled, and the row says so. */
async function hasNothingToRestart({ services, resource, ...step }: Step, { ref }: Target): Promise<boolean> {
  const live = await findNow(services, ref, callOptions({ ...step, resource })).catch(() => undefined);
  const running = live === undefined ? undefined : runningOf(live);
  if (running !== "idle" && running !== "disabled") return false;
  await resource.row.say("info", `The compute is ${running}: there is nothing to restart.`);
  return true;
}

interface Known {
  readonly state: EndpointState;
  readonly declaration: Declaration;
}

interface Patch extends Known {
  readonly changed: readonly ArgumentName[];
}

/** Sends a PATCH; one without an answer is looked for before it is sent again. */
export async function patch(
  step: Step,
  target: Target,
  { changed, state, declaration }: Patch,
): Promise<Change> {
  const { api } = step.services;
  const { inputs } = declaration;
  const undeclared = changed.includes("settings") ? await liveSettings(step, target, state) : undefined;
  const body = toUpdateBody(inputs, changed, undeclared);
  // Fields that the service does not answer count as they were before.
  const old = Object.fromEntries(changed.map((name) => [name, state[name]]));
  const before = { ...declaration, inputs: { ...inputs, ...old } };
  let seen: ApiEndpoint | undefined;
  return sendOnce<Change>({
    deadline: step.deadline,
    send: () =>
      sendWrite(step, target.ref.projectId, {
        request: (call) => api.updateEndpoint(target.ref, body, call),
        isTaken: async () =>
          changed.includes("branchId") && hasPrimary(step, { ...inputs, type: state.type }),
      }),
    look: async () => {
      for (const [looks, waitMs] of updateShowsAfterMs.entries()) {
        if (looks > 0 && step.deadline.leftMs() <= 0) break;
        await step.deadline.wait(waitMs);
        seen = await findNow(step.services, target.ref, callOptions(step)).catch(() => undefined);
        if (seen !== undefined && unsettledArguments(toState(seen, before), inputs).length === 0)
          return { done: { endpoint: seen, operations: undefined } };
      }
      return seen === undefined ? "cannot tell" : "not done";
    },
    unknownOutcome: (error) => new PartialFailure(seen === undefined ? state : toState(seen, before), error),
    refusal: async (error) => {
      const absent = await absence(step, target, { error, state });
      if (absent !== undefined) return absent;
      return explainMove(step, target, {
        branchId: changed.includes("branchId") ? inputs.branchId : undefined,
        error,
      });
    },
  });
}

/**
 * The settings that nobody declared. A service may replace them as a whole, so nothing is sent before they were seen.
 *
 * @throws ComputeError where no list shows the compute.
 */
async function liveSettings(
  step: Step,
  target: Target,
  state: EndpointState,
): Promise<ReturnType<typeof undeclaredSettings>> {
  for (const waitMs of [0, ...changeShowsAfterMs]) {
    await step.deadline.wait(waitMs);
    const seen = await findNow(step.services, target.ref, callOptions(step));
    if (seen !== undefined) return undeclaredSettings(seen, state);
  }
  const listed = await findListed(step.services, state, { doing: target.doing, call: callOptions(step) });
  if (listed.kind === "found") return undeclaredSettings(listed.endpoint, state);
  throw absenceError(target, listed);
}

/** A refused move may mean that the branch has its primary (interface 3.1): then the message names it. */
async function explainMove(
  step: Step,
  target: Target,
  { branchId, error }: { readonly branchId: string | undefined; readonly error: unknown },
): Promise<unknown> {
  if (branchId === undefined || !(error instanceof RequestError)) return error;
  // A lock that outlived the project's operations is none.
  if (error.transient && !isKind(error, "locked")) return error;
  const list = step.services.lists.now(target.ref.projectId, callOptions(step));
  const now = await list.catch(() => undefined);
  const primary = now === undefined ? undefined : primaryOn(branchId, now);
  if (primary === undefined) return error;
  return new ComputeError({
    doing: target.doing,
    what: `branch ${branchId} has its one primary already, compute ${primary.id}`,
    requestId: error.problem.requestId,
    fix: "Move it to a branch without one, or delete that compute first; nothing was changed",
    cause: error,
  });
}

/**
 * The error where it is the compute that a "not found" speaks of: a branch may be missing as well, or a route.
 *
 * @throws ComputeError where the service does not know the project either.
 */
async function absence(
  step: Step,
  target: Target,
  { error, state }: { readonly error: unknown; readonly state: EndpointState },
): Promise<ComputeError | undefined> {
  if (!isNotFound(error)) return undefined;
  const look = { doing: target.doing, call: callOptions(step) };
  const listed = await findListed(step.services, state, look).catch(
    (failure: unknown): Listed | undefined => {
      if (failure instanceof RequestError) return undefined;
      throw failure;
    },
  );
  return listed === undefined || listed.kind === "found" ? undefined : absenceError(target, listed);
}

/**
 * Sends a restart. Without an answer, operations of the compute that were not there before say that it was
 * taken; it is sent again only where the service said that it did nothing (503) and there are none.
 */
async function restartOnce(step: Step, target: Target, known: Known): Promise<Change> {
  const { services } = step;
  const { ref } = target;
  const seen = (): Promise<readonly ApiOperation[] | undefined> =>
    operationsOf(step, ref).catch(() => undefined);
  const before = (await seen())?.map(({ id }) => id);
  const state = async (): Promise<EndpointState> => {
    const now = await findNow(services, ref, callOptions(step)).catch(() => undefined);
    return { ...(now === undefined ? known.state : toState(now, known.declaration)), operations: [] };
  };
  try {
    return await sendOnce<Change>({
      deadline: step.deadline,
      send: async () => {
        const restart = sendWrite(step, ref.projectId, {
          request: (call) => services.api.restartEndpoint(ref, call),
        });
        return { endpoint: undefined, operations: await restart };
      },
      look: async (): Promise<Look<Change>> => {
        await services.clock.sleep(restartShowsAfterMs);
        const now = await seen();
        // Without those that were there before, nobody can say which are the restart's.
        if (now === undefined || before === undefined) return "cannot tell";
        const begun = now.filter(({ id }) => !before.includes(id));
        return begun.length > 0 ? { done: { endpoint: undefined, operations: begun } } : "not done";
      },
      mayRepeat: (error) => isKind(error, "busy"),
      unknownOutcome: (error) => unknownRestart(target, error),
      refusal: (error) => Promise.resolve(error),
    });
  } catch (error) {
    const absent = await absence(step, target, { error, state: known.state });
    if (absent !== undefined) throw absent;
    // It fell asleep between the look and the restart.
    if (isKind(error, "conflict", "badInput") && (await hasNothingToRestart(step, target)))
      return { endpoint: undefined, operations: [] };
    // The compute stays as the service shows it now, with the restart still owed.
    throw new PartialFailure(await state(), error);
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
