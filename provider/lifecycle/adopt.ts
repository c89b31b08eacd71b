/**
 * Carries out a create with `adopt`: takes over the compute that the program names, without creating one.
 */
import type { ApiEndpoint } from "../service/schemas";
import { ComputeError } from "../model/errors";
import { adoptionProblem } from "../plan/adoption";
import { judgeFound } from "../plan/judge";
import { endpointIn } from "../service/lists";
import { heldTwice } from "../run/ownership";
import { unendedOperations, waitForEnds } from "./waiting";
import { patch } from "./patch";
import type { Running } from "../model/interruption";
import { plannedInputs } from "../model/inputs";
import { mayHoldBack } from "../model/policy";
import { namesSent } from "./sent";
import { settle } from "./settle";
import { sayReceipt } from "./receipt";
import { fieldsOf, isPatched, toState, unsettledArguments, type EndpointState } from "../model/state";
import { callOptions, runStep, type ComputeStep, type Declaration, type Parts, type Step } from "./step";

/** @throws ComputeError if the compute is not the declared one, another resource holds it, or a policy forbids the change. */
export function adoptEndpoint(
  parts: Parts,
  declaration: Declaration,
  endpointId: string,
): Promise<EndpointState> {
  const { inputs, resource } = declaration;
  const { projectId, timeouts } = inputs;
  const ref = { projectId, endpointId };
  return runStep(parts, { kind: "create", projectId, resource, timeouts }, async (step) => {
    const { ownership } = step.run;
    // Check again who holds the compute: another resource's diff may have run since the check.
    const other = ownership.holderOf(ref, resource);
    if (other !== undefined) throw heldTwice(endpointId, resource, other);
    const endpoint = endpointIn(await step.service.listComputes(ref, callOptions(step)), endpointId);
    const problem = adoptionProblem(inputs, endpoint);
    if (problem !== undefined) throw problem;
    const running = policedRunning(step, declaration, endpoint as ApiEndpoint);
    ownership.take(ref, resource);
    const target = { doing: `taking over compute ${endpointId}`, kind: "change", ref } as const;
    return bringOver({ ...step, ...target }, declaration, { endpoint: endpoint as ApiEndpoint, running });
  });
}

/**
 * An adoption cannot be deferred, because there is no old state to keep. So a change that `check` allowed can be refused here.
 *
 * @returns what the compute is doing, if a policy depends on it.
 */
function policedRunning(
  { service }: Step,
  { inputs, resource }: Declaration,
  endpoint: ApiEndpoint,
): Running | undefined {
  const { clock, config, liveReads } = service;
  if (!mayHoldBack(inputs, config)) return undefined;
  const read = { kind: "found", ...liveReads.liveCompute(endpoint) } as const;
  const moment = { secrets: resource.secrets, config, now: () => clock.now(), isFinal: true };
  const { change, refusal } = judgeFound(plannedInputs(inputs), read, moment);
  if (refusal !== undefined) throw new ComputeError({ doing: `adopting compute ${endpoint.id}`, ...refusal });
  return change.now?.running;
}

/** Sends what differs from the declaration, and waits for the compute's operations. */
async function bringOver(
  step: ComputeStep,
  declaration: Declaration,
  { endpoint, running }: { readonly endpoint: ApiEndpoint; readonly running: Running | undefined },
): Promise<EndpointState> {
  const { inputs, resource, announced } = declaration;
  // Start from what the service returns, so that only real differences are sent.
  const bare = { projectId: inputs.projectId, branchId: endpoint.branch_id, type: inputs.type };
  const known = { ...toState(endpoint, { inputs: bare }), ...fieldsOf(endpoint, inputs) };
  const changed = unsettledArguments(known, inputs);
  // As in an update, running operations end first (interface 3.2). Operations that failed before the adoption do not count.
  const unended = await unendedOperations(step);
  if (!isPatched(changed))
    return (await settle(step, { endpoint, operations: unended }, { declaration, known })).state;
  await waitForEnds(step, unended);
  const names = namesSent(known, declaration, changed);
  const answer = await patch(step, { declaration, known, changed, names, running });
  const done = await settle(step, answer, { declaration, known, names, running });
  await sayReceipt(resource.row, done, announced);
  return done.state;
}
