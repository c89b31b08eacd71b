/**
 * A create that makes no new compute: it adopts an existing one, or takes over one that an earlier run created.
 */
import type { EndpointRef } from "../../api/client";
import type { ApiEndpoint } from "../../api/schemas";
import { ComputeError } from "../../errors";
import { argumentNames } from "../../fields";
import { PartialFailure } from "../partialFailure";
import { adoptForReplacement, adoptionProblem } from "../planning/adopt";
import { decideOnFound } from "./decideLast";
import { leftBehind } from "./earlierRun";
import { findNow } from "./find";
import { heldTwice } from "../ownership";
import type { EndpointInputs } from "../planning/inputs";
import { unendedOperations } from "./pendingOperations";
import { patch } from "./patch";
import { mayHoldBack, type Decision } from "../planning/plan";
import { announcementOf } from "../receipt";
import type { Resource } from "../resource";
import { settle, waitForEnds } from "./settle";
import { sawIn, withReceipt } from "./applied";
import {
  fieldsOf,
  isPatched,
  toState,
  toStored,
  unsettledArguments,
  type Declaration,
  type EndpointState,
} from "../state";
import { callOptions, keepOnDisk, type Step } from "./step";

/** The existing compute that becomes this resource's: the one to adopt, or one that an earlier run created. */
export async function existing(step: Step, declaration: Declaration): Promise<ApiEndpoint | undefined> {
  const { inputs, resource, replaces } = declaration;
  if (inputs.adopt !== undefined) {
    if (replaces !== undefined) throw selfAdoption(inputs.adopt);
    await refuseSecondHolder(step, { projectId: inputs.projectId, endpointId: inputs.adopt }, resource);
    return adoptable(step, inputs, inputs.adopt);
  }
  const left = await leftBehind(step, declaration);
  if (left === undefined) return undefined;
  await resource.row.say(
    "info",
    `An earlier run created compute ${left.id} for this resource: it is taken over, not created again.`,
  );
  return left;
}

/** Another resource's diff may have run since the check. */
async function refuseSecondHolder({ services }: Step, ref: EndpointRef, resource: Resource): Promise<void> {
  const other = await services.ownership.holderOf(ref, resource, {
    note: "what was taken over once may be taken over again",
    journal: "to adopt it is one way to get what a create left behind",
    state: "who has it there and is no longer in the program gives it up",
  });
  if (other !== undefined) throw heldTwice(ref.endpointId, resource, other.holder);
}

function selfAdoption(endpointId: string): ComputeError {
  return new ComputeError({
    doing: `replacing compute ${endpointId}`,
    what: "it is the one that adopt names",
    fix: `Mind that ${adoptForReplacement}`,
  });
}

/** The compute to adopt, if it matches the declaration. */
async function adoptable(
  step: Step,
  inputs: EndpointInputs,
  endpointId: string,
): Promise<ApiEndpoint | undefined> {
  const ref = { projectId: inputs.projectId, endpointId };
  const endpoint = await findNow(step.services, ref, callOptions(step));
  const problem = adoptionProblem(inputs, endpoint);
  if (problem !== undefined) throw problem;
  return endpoint;
}

/** Makes an existing compute this resource's, and applies the declared settings. */
export function takeOver(
  step: Step,
  declaration: Declaration,
  endpoint: ApiEndpoint,
): Promise<EndpointState> {
  return declaration.inputs.adopt === undefined
    ? bringLeft(step, declaration, endpoint)
    : noting(step, declaration, () => bringAdopted(step, declaration, endpoint));
}

/**
 * An adoption cannot wait, because there is no state to keep: what `check` allowed may be refused now.
 *
 * @throws ComputeError if it would have to wait.
 */
function bringAdopted(step: Step, declaration: Declaration, endpoint: ApiEndpoint): Promise<EndpointState> {
  if (mayHoldBack(declaration.inputs, step.services.config)) {
    const { refusal } = decideOnFound(step, declaration, { endpoint, cannotWait: argumentNames });
    if (refusal !== undefined)
      throw new ComputeError({ doing: `adopting compute ${endpoint.id}`, ...refusal });
  }
  return bringOver(step, declaration, endpoint);
}

/**
 * Changes a compute of an earlier run as an update would: an interruption is reported, left for later, or refused.
 *
 * @throws ComputeError if the change is forbidden; the journal keeps the compute.
 */
async function bringLeft(
  step: Step,
  declaration: Declaration,
  endpoint: ApiEndpoint,
): Promise<EndpointState> {
  const { inputs, resource } = declaration;
  const { change, deferral, refusal } = decideOnFound(step, declaration, { endpoint });
  if (refusal !== undefined) throw forbiddenTakeover(endpoint.id, refusal);
  if (deferral !== undefined) {
    await resource.row.say("warning", `deferred ${deferral.notice}`);
    const announced = announcementOf(undefined, "plan");
    const state = await bringOver(
      step,
      { ...declaration, inputs: deferral.rest.inputs, announced },
      endpoint,
    );
    return toStored(state, inputs);
  }
  if (change.interruption !== undefined) await resource.row.say("warning", change.interruption.text);
  const announced = announcementOf(change.interruption, "plan");
  return bringOver(step, { ...declaration, announced }, endpoint);
}

function forbiddenTakeover(
  endpointId: string,
  { what, fix }: NonNullable<Decision["refusal"]>,
): ComputeError {
  return new ComputeError({
    doing: `taking over compute ${endpointId}, which an earlier run created for this resource`,
    what,
    fix: `${fix}. Or put the declaration of that run back: then it is taken over as it is`,
  });
}

async function bringOver(
  step: Step,
  declaration: Declaration,
  endpoint: ApiEndpoint,
): Promise<EndpointState> {
  const { inputs } = declaration;
  const { id } = endpoint;
  const ref = { projectId: inputs.projectId, endpointId: id };
  const target = { doing: `taking over compute ${id}`, kind: "change", ref } as const;
  const own = { ...step, ...target };
  step.services.ownership.takeOver(ref, declaration.resource);
  // Start from what the service returns, so that only real differences are sent.
  const bare = { projectId: inputs.projectId, branchId: endpoint.branch_id, type: inputs.type };
  const state = { ...toState(endpoint, { inputs: bare }), ...fieldsOf(endpoint, inputs) };
  const changed = unsettledArguments(state, inputs);
  // Interface 3.2, as in an update.
  if (isPatched(changed)) await waitForEnds(own, await unendedOperations(own));
  const outcome = isPatched(changed)
    ? await patch(own, { changed, state, declaration })
    : // Failures from before an adoption do not count; a compute of this resource must have started.
      { endpoint, operations: inputs.adopt === undefined ? undefined : await unendedOperations(own) };
  const settled = await settle(own, outcome, { declaration, known: state });
  const saw = isPatched(changed) ? [sawIn(outcome, settled)] : [];
  const announced = declaration.announced ?? announcementOf(undefined, "update");
  return withReceipt(declaration.resource.row, { state: settled.state, saw }, announced);
}

/**
 * Once the state has an adopted compute, a note protects it from the resource that had it before. If a failure keeps
 * the compute out of the state, no note is written.
 */
async function noting(
  { services }: Step,
  { inputs, resource, givers }: Declaration,
  adopt: () => Promise<EndpointState>,
): Promise<EndpointState> {
  const note = async (): Promise<void> => {
    const { id } = resource;
    if (inputs.adopt === undefined || id === undefined) return;
    const ref = { projectId: inputs.projectId, endpointId: inputs.adopt };
    await keepOnDisk(resource, () => services.ownership.notes().note(ref, id, givers));
  };
  try {
    const result = await adopt();
    await note();
    return result;
  } catch (error) {
    if (error instanceof PartialFailure) await note();
    throw error;
  }
}
