/**
 * Changes a compute. The steps below run in this order. After a run that failed, an update may have nothing to send and only wait for
 * what is still pending. From the answer of the PATCH on, every failure keeps what was sent in the state.
 */
import type { ApiOperation } from "../service/schemas";
import { keptTriggers } from "../model/changes";
import { ComputeError } from "../model/errors";
import { effectOf } from "../model/fields";
import { changeOf, mayInterrupt, type PlannedChange } from "../model/interruption";
import { outcomeOf } from "../service/observation";
import { sayReceipt, showsNoRestart } from "./receipt";
import { PartialFailure, isPatched, toStored, type EndpointState } from "../model/state";
import { dueNow, type Due } from "./due";
import { patch } from "./patch";
import { restart } from "./restart";
import { settle, type Settled } from "./settle";
import { runStep, type ComputeStep, type Declaration, type Parts } from "./step";
import { resumeOperations, stillPending, waitForEnds } from "./waiting";

/**
 * @throws ComputeError for a failure before anything was changed.
 * @throws PartialFailure if the compute is not as declared, or if nobody can tell.
 */
export async function updateEndpoint(
  parts: Parts,
  state: EndpointState,
  declaration: Declaration,
): Promise<EndpointState> {
  const { inputs, resource } = declaration;
  const { projectId, endpointId } = state;
  const { service } = parts.service.config;
  const change = changeOf(state, inputs, { secrets: resource.secrets, service });
  refuseReplacement(state, change);
  const call = { kind: "update", projectId, resource, timeouts: inputs.timeouts } as const;
  const ref = { projectId, endpointId };
  const target = { doing: `updating compute ${endpointId}`, kind: "change", ref } as const;
  try {
    const { due, ...settled } = await runStep(parts, call, async (own) => {
      const step = { ...own, ...target };

      // 1. What an earlier run began ends before the next request.
      const earlier = await awaitEarlier(step, state, change);

      // 2. What is sent now, decided directly before: what a preview read may have changed since.
      const due = await dueNow(step, state, { declaration, change });

      // 3. The PATCH, which is not done twice (`writeOnce.ts`). Its operations end, and the compute is read again.
      const settled = isPatched(due.changed)
        ? await settle(step, await patch(step, state, due), { declaration: due.declaration, known: state })
        : await endEarlier(step, state, { due, earlier });
      return { due, ...settled };
    });

    // 4. A restart, where a trigger asks for one and nothing that was sent has done it.
    const restarts =
      due.restarts === "always" || (due.restarts === "unless done" && showsNoRestart(settled.evidence));
    const evidence = restarts
      ? await runStep(parts, call, (own) => restart({ ...own, ...target }, settled))
      : settled.evidence;

    // 5. What happened, and whether it was announced.
    await sayReceipt(resource.row, evidence, due.declaration.announced);
    return stored(settled.state, declaration, settled.state.restartTriggers);
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    // The triggers of the last restart that ended well.
    throw new PartialFailure(stored(error.state, declaration, state.restartTriggers), error.cause);
  }
}

/** @param done - the triggers whose restart is done. */
function stored(
  state: EndpointState,
  { inputs, resource }: Declaration,
  done: EndpointState["restartTriggers"],
): EndpointState {
  const { secrets } = resource;
  const restartTriggers = keptTriggers(done, inputs.restartTriggers, secrets.includes("restartTriggers"));
  return toStored({ ...state, restartTriggers }, inputs, secrets.includes("settings"));
}

/** The engine replaces a compute if its diff says so; `pulumi do … patch` updates it all the same. */
function refuseReplacement({ endpointId }: EndpointState, { changed }: PlannedChange): void {
  const replaces = changed.filter((name) => effectOf(name) === "replace");
  if (replaces.length === 0) return;
  throw new ComputeError({
    doing: `changing compute ${endpointId}`,
    what: `${replaces.join(" and ")} cannot be changed on an existing compute; nothing was sent`,
    fix: "Create another compute, or make this change in a program: `pulumi up` then replaces the compute",
  });
}

/** Interface 3.2: running operations end before the next dependent request. That request replaces failed ones. */
async function awaitEarlier(
  step: ComputeStep,
  state: EndpointState,
  change: PlannedChange,
): Promise<readonly ApiOperation[]> {
  const earlier = await resumeOperations(step, state.operations ?? []);
  const pending = earlier.filter((operation) => outcomeOf(operation.status) === "pending");
  if (isPatched(change.changed) || mayInterrupt(change)) await waitForEnds(step, pending);
  return earlier;
}

/** Sends nothing: waits for what is still pending, unless a restart follows, which waits too. */
async function endEarlier(
  step: ComputeStep,
  state: EndpointState,
  { due, earlier }: { readonly due: Due; readonly earlier: readonly ApiOperation[] },
): Promise<Settled> {
  const isRestarted = due.restarts !== "never";
  const operations = isRestarted ? [] : await stillPending(step, earlier, state.sent);
  const answer = { endpoint: undefined, operations, sent: isRestarted ? undefined : state.sent };
  const settled = await settle(step, answer, { declaration: due.declaration, known: state });
  // Without their ids, the operations that an earlier run left cannot be told from others.
  const ended = state.operations === "unnamed" ? undefined : settled.evidence.operations;
  return { state: settled.state, evidence: { operations: ended, isEarlier: true } };
}
