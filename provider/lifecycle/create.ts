/**
 * Creates a compute: what happens, in that order. A declaration that adopts one goes to `adopt.ts` instead. From the answer
 * of the POST on, every failure carries the compute's id, and the engine keeps it. What each failure leaves to the next run is
 * in the table of `settle.ts`.
 */
import { listServesCreatesMs } from "../model/timing";
import type { EndpointState } from "../model/state";
import { settle } from "./settle";
import { callOptions, deadlineOf, runStep, type Declaration, type Parts } from "./step";
import { post, primaryRefusal } from "./post";
import { refuseAfterCutOff } from "./cutOff";
import { recentReplicasText } from "./recentReplicas";

/**
 * @throws ComputeError if nothing was created, or if nobody can tell.
 * @throws PartialFailure if the compute exists and is not as declared.
 */
export async function createEndpoint(parts: Parts, declaration: Declaration): Promise<EndpointState> {
  const { inputs, resource } = declaration;
  const { projectId, timeouts } = inputs;
  const call = { kind: "create", projectId, resource, timeouts } as const;
  // A branch has one primary, and the service refuses a second one. It may have many replicas: what an earlier create
  // has made is told from them here, or not at all.
  const isReplica = inputs.type === "read_only";

  // 1. An earlier run began the create of this replica and did not end: the user decides. Without a permit, since waits
  //    for late lists must not add up where one create follows the other.
  if (isReplica) await refuseAfterCutOff({ ...parts, resource, deadline: deadlineOf(parts, call) }, inputs);

  return runStep(parts, call, async (step) => {
    // 2. What the branch has before the POST is not its result: a primary is refused beside another one, and of recent
    //    replicas that this stack does not have, the user is told.
    const options = { ...callOptions(step), ageMs: listServesCreatesMs };
    const before = await step.service.listComputes({ projectId }, options);
    const refusal = isReplica ? undefined : await primaryRefusal(step, inputs, before);
    if (refusal !== undefined) throw refusal;
    const recent = isReplica ? recentReplicasText(step, inputs, before) : undefined;
    if (recent !== undefined) await resource.row.say("warning", recent);

    // 3. The POST. It is sent again only after the service has shown that nothing was done.
    const change = await post(step, inputs, before);

    // 4. Its operations end, and the compute is read again.
    const { id } = change.endpoint;
    const ref = { projectId, endpointId: id };
    const target = { doing: `creating compute ${id}`, kind: "change", ref } as const;
    return (await settle({ ...step, ...target }, change, { declaration })).state;
  });
}
