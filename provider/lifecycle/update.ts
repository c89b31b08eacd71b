/**
 * Changes a compute: sends a PATCH with what changed, and a restart if a trigger asks for one; after a failed run it may
 * only wait for what is still pending.
 */
import type { ApiOperation } from "../service/schemas";
import { ComputeError } from "../model/errors";
import { effectOf } from "../model/fields";
import { outcomeOf } from "../model/observation";
import { sayReceipt } from "./applied";
import { dueNow, type Due } from "./due";
import { patch } from "./patch";
import { resumeOperations, stillPending, unlisted } from "./pendingOperations";
import { changeOf, type PlannedChange } from "../model/interruption";
import { keptTriggers } from "../model/changes";
import { restartSettled } from "./restart";
import { settle, type Settled } from "./settle";
import {
  PartialFailure,
  isPatched,
  isUnfinished,
  toStored,
  type Declaration,
  type EndpointState,
} from "../model/state";
import { runStep, type ComputeStep, type Services } from "./step";
import { inTurn } from "./turn";
import { waitForEnds } from "./waitFor";

export async function updateEndpoint(
  services: Services,
  state: EndpointState,
  declaration: Declaration,
): Promise<EndpointState> {
  const { inputs, resource } = declaration;
  const change = changeOf(state, inputs, { secrets: resource.secrets, service: services.config.service });
  refuseReplacement(state, change);
  const update = (): Promise<EndpointState> => applyChange(services, state, { declaration, change });
  const isTurned = change.interruption !== undefined || isUnfinished(state);
  try {
    // Before the step's time starts, and without a permit: the wait then blocks no other write.
    const changed = await (isTurned ? inTurn({ services, place: state, resource }, update) : update());
    return stored(changed, declaration, changed.restartTriggers);
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    throw new PartialFailure(stored(error.state, declaration, state.restartTriggers), error.cause);
  }
}

/** @param done - the triggers whose restart is done: of an update that did not end well, those of before. */
function stored(
  state: EndpointState,
  { inputs, resource, cannotWait = [] }: Declaration,
  done: EndpointState["restartTriggers"],
): EndpointState {
  const isSecret = [...resource.secrets, ...cannotWait].includes("restartTriggers");
  const restartTriggers = keptTriggers(done, inputs.restartTriggers, isSecret);
  return toStored({ ...state, restartTriggers }, inputs);
}

/** The engine replaces a compute if its diff says so; `pulumi do … patch` updates it all the same. */
function refuseReplacement({ endpointId }: EndpointState, { changed }: PlannedChange): void {
  const replaces = changed.filter((name) => effectOf(name) === "replace");
  if (replaces.length === 0) return;
  throw new ComputeError({
    doing: `changing compute ${endpointId}`,
    what: `${replaces.join(" and ")} cannot change in a compute that exists, and nothing was sent`,
    fix: "Create another compute, or make this change in a program: `pulumi up` then replaces the compute",
  });
}

interface Work {
  readonly change: PlannedChange;
  readonly declaration: Declaration;
}

/** Waits for what an earlier run began, decides what is due, applies it, and says what happened. */
async function applyChange(
  services: Services,
  state: EndpointState,
  { declaration, change }: Work,
): Promise<EndpointState> {
  const { resource, inputs } = declaration;
  const { projectId, endpointId } = state;
  const ref = { projectId, endpointId };
  const plan = { kind: "update", projectId, resource, timeouts: inputs.timeouts } as const;
  const target = { doing: `updating compute ${endpointId}`, kind: "change", ref } as const;
  const { settled, due } = await runStep(services, plan, async (own) => {
    const step = { ...own, ...target };
    const earlier = await awaitEarlier(step, state, change);
    const due = await dueNow(step, state, { declaration, change });
    const settled = isPatched(due.changed)
      ? await settle(step, await patch(step, state, due), { declaration: due.declaration, known: state })
      : await settleEarlier(step, state, { due, earlier: due.restarts ? [] : earlier });
    return { settled, due };
  });
  const ended = due.restarts
    ? await runStep(services, plan, (own) => restartSettled({ ...own, ...target }, settled))
    : settled;
  await sayReceipt(resource.row, ended.evidence, due.declaration.announced);
  return ended.state;
}

/** Interface 3.2: running operations end before the next dependent request. That request replaces failed ones. */
async function awaitEarlier(
  step: ComputeStep,
  state: EndpointState,
  { changed, interruption }: PlannedChange,
): Promise<readonly ApiOperation[]> {
  const earlier = await resumeOperations(step, state.operations ?? []);
  const pending = earlier.filter((operation) => outcomeOf(operation.status) === "pending");
  if (isPatched(changed) || interruption !== undefined) await waitForEnds(step, pending);
  return earlier;
}

/** Sends nothing: waits for what is still pending. */
async function settleEarlier(
  step: ComputeStep,
  state: EndpointState,
  { due: { declaration }, earlier }: { readonly due: Due; readonly earlier: readonly ApiOperation[] },
): Promise<Settled> {
  const outcome = { endpoint: undefined, operations: await stillPending(step, earlier) };
  const settled = await settle(step, outcome, { declaration, known: state });
  // Without their ids, the operations that an earlier run left cannot be told from others.
  const isUnlisted = state.operations?.includes(unlisted) === true;
  const operations = isUnlisted ? undefined : settled.evidence.operations;
  return { ...settled, evidence: { operations, isEarlier: true } };
}
