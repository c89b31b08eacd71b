/**
 * Creates a compute, in numbered steps. A declaration with `adopt` goes to `adopt.ts` instead. Once the POST is answered, every
 * failure carries the compute's id, so the engine keeps the compute. The table in `settle.ts` says what each failure leaves to
 * the next run.
 */
import { listServesCreatesMs } from "../model/timing";
import { settingNames } from "../model/changes";
import type { EndpointState } from "../model/state";
import { settle } from "./settle";
import { callOptions, deadlineOf, runStep, type Declaration, type Parts } from "./step";
import { post, primaryRefusal } from "./post";
import { refuseAfterCutOff } from "./cutOff";
import { recentReplicasText } from "./recentReplicas";

/**
 * @throws ComputeError if nothing was created, or if it is unknown whether a compute was created.
 * @throws PartialFailure if the compute exists and is not as declared.
 */
export async function createEndpoint(parts: Parts, declaration: Declaration): Promise<EndpointState> {
  const { inputs, resource } = declaration;
  const { projectId, timeouts } = inputs;
  const call = { kind: "create", projectId, resource, timeouts } as const;
  // A branch can have only one primary, and the service refuses a second one. The service accepts any number of replicas, so
  // only this code can notice that an earlier create has already made the replica.
  const isReplica = inputs.type === "read_only";

  // 1. If an earlier run was cut off while creating this replica, the user decides. This check takes no permit to write in the
  //    project: otherwise the waits of several creates for late lists would add up.
  if (isReplica) await refuseAfterCutOff({ ...parts, resource, deadline: deadlineOf(parts, call) }, inputs);

  return runStep(parts, call, async (step) => {
    // 2. Computes listed before the POST are not its result. A second primary is refused, and the user is told about recent
    //    replicas that are not in the stack's state.
    const options = { ...callOptions(step), ageMs: listServesCreatesMs };
    const before = await step.service.listComputes({ projectId }, options);
    const refusal = isReplica ? undefined : await primaryRefusal(step, inputs, before);
    if (refusal !== undefined) throw refusal;
    const recent = isReplica ? recentReplicasText(step, inputs, before) : undefined;
    if (recent !== undefined) await resource.row.say("warning", recent);

    // 3. The POST. It is sent again only after the service has shown that nothing was done.
    const change = await post(step, inputs, before);

    // 4. Wait for its operations, and read the compute again.
    const { id } = change.endpoint;
    const ref = { projectId, endpointId: id };
    const target = { doing: `creating compute ${id}`, kind: "change", ref } as const;
    const declared = { ...declaration, stillManaged: settingNames(inputs) };
    return (await settle({ ...step, ...target }, change, { declaration: declared })).state;
  });
}
