/**
 * A create that makes no new compute: it takes over the one that the program names.
 */
import type { ApiEndpoint } from "../service/schemas";
import { ComputeError } from "../model/errors";
import { argumentNames } from "../model/fields";
import { adoptionProblem } from "../plan/adoption";
import { changeOfFound } from "../plan/running";
import { endpointIn } from "../service/lists";
import { heldTwice } from "../run/ownership";
import { unendedOperations } from "./pendingOperations";
import { patch } from "./patch";
import { decideOn, mayHoldBack } from "../model/policy";

import { settle } from "./settle";
import { waitForEnds } from "./waitFor";
import { sayReceipt } from "./applied";
import {
  fieldsOf,
  isPatched,
  toState,
  unsettledArguments,
  type Declaration,
  type EndpointState,
} from "../model/state";
import { callOptions, type Step } from "./step";

/** @throws ComputeError if it is not the declared one, another resource holds it, or a policy forbids the change. */
export async function adopt(
  step: Step,
  declaration: Declaration,
  endpointId: string,
): Promise<EndpointState> {
  const { services, resource } = step;
  const { inputs } = declaration;
  const ref = { projectId: inputs.projectId, endpointId };
  // Another resource's diff may have run since the check.
  const other = services.ownership.holderOf(ref, resource);
  if (other !== undefined) throw heldTwice(endpointId, resource, other);
  const endpoint = endpointIn(await services.listComputes(ref, callOptions(step)), endpointId);
  const problem = adoptionProblem(inputs, endpoint);
  if (problem !== undefined) throw problem;
  refuseForbidden(step, declaration, endpoint as ApiEndpoint);
  return bringOver(step, declaration, endpoint as ApiEndpoint);
}

/** An adoption cannot wait, because there is no state to keep: what `check` allowed may be refused now. */
function refuseForbidden(step: Step, { inputs, resource }: Declaration, endpoint: ApiEndpoint): void {
  const { services } = step;
  const { clock, config } = services;
  if (!mayHoldBack(inputs, config)) return;
  const change = changeOfFound(endpoint, inputs, { secrets: resource.secrets, services });
  const situation = { config, nowMs: clock.now(), cannotWait: argumentNames, isFinal: true };
  const { refusal } = decideOn(change, situation);
  if (refusal !== undefined) throw new ComputeError({ doing: `adopting compute ${endpoint.id}`, ...refusal });
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
  step.services.ownership.take(ref, declaration.resource);
  // Start from what the service returns, so that only real differences are sent.
  const bare = { projectId: inputs.projectId, branchId: endpoint.branch_id, type: inputs.type };
  const state = { ...toState(endpoint, { inputs: bare }), ...fieldsOf(endpoint, inputs) };
  const changed = unsettledArguments(state, inputs);
  // Interface 3.2, as in an update. Failures from before the adoption do not count.
  const unended = await unendedOperations(own);
  if (isPatched(changed)) await waitForEnds(own, unended);
  const outcome = isPatched(changed)
    ? await patch(own, state, { changed, declaration })
    : { endpoint, operations: unended };
  const { evidence, ...settled } = await settle(own, outcome, { declaration, known: state });
  const sent = isPatched(changed) ? evidence : undefined;
  await sayReceipt(declaration.resource.row, sent, declaration.announced);
  return settled.state;
}
