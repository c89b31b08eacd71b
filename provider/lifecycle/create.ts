/**
 * Creates a compute: what happens, in that order. A declaration that adopts one goes to `adopt.ts` instead. From the answer
 * of the POST on, every failure carries the compute's id, and the engine keeps it.
 */
import { listServesCreatesMs } from "../model/timing";
import type { EndpointInputs } from "../model/inputs";
import type { Declaration, EndpointState } from "../model/state";
import { settle } from "./settle";
import { callOptions, deadlineOf, runStep, type Parts, type Step } from "./step";
import { post, primaryRefusal } from "./post";
import { refuseUndecided, youngText } from "./unfinished";

/**
 * @throws ComputeError if nothing was created, or if nobody can tell.
 * @throws PartialFailure if the compute exists and is not as declared.
 */
export async function createEndpoint(parts: Parts, declaration: Declaration): Promise<EndpointState> {
  const { inputs, resource } = declaration;
  const { projectId, timeouts } = inputs;
  const plan = { kind: "create", projectId, resource, timeouts } as const;

  // 1. An earlier run began the create of this replica and did not end: the user decides. Without a permit, since waits
  //    for late lists must not add up where one create follows the other.
  await refuseUndecided({ ...parts, resource, deadline: deadlineOf(parts, plan) }, inputs);

  return runStep(parts, plan, async (step) => {
    // 2. What the branch has before the POST is not its result.
    const baseline = await baselineOf(step, inputs);

    // 3. The POST, once. Until it is answered, its compute may be any new one on the branch.
    const { openCreates, ownership } = parts.run;
    openCreates.add(inputs);
    const change = await post(step, inputs, baseline);
    const { id } = change.endpoint;
    const ref = { projectId, endpointId: id };
    ownership.take(ref, resource);
    openCreates.delete(inputs);

    // 4. Its operations end, and the compute is read again.
    const target = { doing: `creating compute ${id}`, kind: "change", ref } as const;
    return (await settle({ ...step, ...target }, change, { declaration })).state;
  });
}

/**
 * Ids of the branch's computes before the request. Names young ones that this stack does not have: an earlier run may
 * have made them.
 *
 * @throws ComputeError if the branch has the primary already.
 */
async function baselineOf(step: Step, inputs: EndpointInputs): Promise<readonly string[]> {
  const { service, resource } = step;
  const { projectId, branchId } = inputs;
  const options = { ...callOptions(step), ageMs: listServesCreatesMs };
  const before = await service.listComputes({ projectId }, options);
  const refusal = await primaryRefusal(step, inputs, before);
  if (refusal !== undefined) throw refusal;
  const young = youngText(step, inputs, before);
  if (young !== undefined) await resource.row.say("warning", young);
  const onBranch = [...before.values()].filter((endpoint) => endpoint.branch_id === branchId);
  return [...onBranch, ...(before.unreadable ?? [])].flatMap(({ id }) => id ?? []);
}
