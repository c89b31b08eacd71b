/**
 * A create that makes no new compute: it adopts an existing one, or takes over one that an earlier run created.
 */
import type { ApiEndpoint } from "../../../api/schemas";
import { ComputeError } from "../../../pure/errors";
import { argumentNames } from "../../../pure/fields";
import { adoptForReplacement, adoptionProblem } from "../../planning/adopt";
import { decideOnFound } from "../due";
import { findNow } from "../find";
import { heldTwice } from "../../ownership";
import { unendedOperations } from "../pendingOperations";
import { patch } from "../patch";
import { noticeOf } from "../../../pure/plan";
import { mayHoldBack, type Decision } from "../../../pure/policy";
import { rowText } from "../../../pure/verdict";
import { settle } from "../settle";
import { waitForEnds } from "../waitFor";
import { sayReceipt } from "../applied";
import {
  PartialFailure,
  fieldsOf,
  isPatched,
  toState,
  toStored,
  unsettledArguments,
  withoutWaiting,
  type Declaration,
  type EndpointState,
} from "../../state";
import { callOptions, keepOnDisk, type ComputeStep, type Step } from "../step";
import { nameLeft } from "./unfinished";

/**
 * Adopts the compute that the program names.
 *
 * @throws ComputeError if it is not the declared one, or another resource holds it.
 */
export async function adopt(
  step: Step,
  declaration: Declaration,
  endpointId: string,
): Promise<EndpointState> {
  const { services, resource } = step;
  const { inputs, replaces } = declaration;
  const isOther = replaces?.endpointId !== undefined && replaces.endpointId !== endpointId;
  if (replaces !== undefined && !isOther) throw selfAdoption(endpointId);
  const ref = { projectId: inputs.projectId, endpointId };
  // Another resource's diff may have run since the check.
  const other = services.ownership.holderOf(ref, resource);
  if (other !== undefined) throw heldTwice(endpointId, resource, other);
  const endpoint = await findNow(services, ref, callOptions(step));
  const problem = adoptionProblem(inputs, endpoint);
  if (problem !== undefined) throw problem;
  return noting(step, { ...declaration, ref }, () =>
    bringAdopted(step, declaration, endpoint as ApiEndpoint),
  );
}

function selfAdoption(endpointId: string): ComputeError {
  return new ComputeError({
    doing: `replacing compute ${endpointId}`,
    what: "it is the one that adopt names",
    fix: `Mind that ${adoptForReplacement}`,
  });
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
 * Changes the compute that an earlier run created, as an update would: an interruption is reported, left for later, or
 * refused.
 *
 * @throws ComputeError if the change is forbidden; the journal keeps the compute.
 */
export async function resume(
  step: Step,
  declaration: Declaration,
  endpoint: ApiEndpoint,
): Promise<EndpointState> {
  const { inputs, resource } = declaration;
  const { change, ...decision } = decideOnFound(step, declaration, { endpoint });
  const { deferral, refusal } = decision;
  if (refusal !== undefined) throw forbiddenTakeover(endpoint.id, refusal);
  const notice = noticeOf(change, decision);
  if (notice !== undefined) await resource.row.say("warning", rowText(notice));
  if (deferral === undefined)
    return bringOver(step, { ...declaration, announced: change.interruption }, endpoint);
  const found = { ...change.before, managed: [] };
  const rest = withoutWaiting(declaration, found, deferral.names);
  return toStored(await bringOver(step, rest, endpoint), inputs);
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
    ? await patch(own, state, { changed, declaration })
    : // Failures from before an adoption do not count; a compute of this resource must have started.
      { endpoint, operations: inputs.adopt === undefined ? undefined : await unendedOperations(own) };
  const { evidence, ...settled } = await settle(own, outcome, { declaration, known: state });
  const sent = isPatched(changed) ? evidence : undefined;
  const receipt = await sayReceipt(declaration.resource.row, sent, declaration.announced);
  own.services.fresh.updated(state, receipt);
  return settled.state;
}

/**
 * Once the state has an adopted compute, a note protects it from the resource that had it before. If a failure keeps
 * the compute out of the state, no note is written.
 */
async function noting(
  step: Step,
  { resource, givers, ref }: Declaration & Pick<ComputeStep, "ref">,
  adopt: () => Promise<EndpointState>,
): Promise<EndpointState> {
  const { services } = step;
  const note = async (): Promise<void> => {
    const { id } = resource;
    if (id === undefined) return;
    await keepOnDisk(resource, () => services.ownership.notes().note(ref, id, givers));
    // The user has decided which compute is this resource's: an earlier create is settled.
    await nameLeft(step, ref.endpointId);
    await services.journal.clear(services.ownerOf(id) ?? "");
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
