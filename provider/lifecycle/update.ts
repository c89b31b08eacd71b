/**
 * Changes a compute: sends a PATCH with what changed, and a restart if a trigger asks for one; after a failed run it may
 * only wait for what is still pending.
 */
import type { EndpointsById } from "../service/client";
import type { ApiEndpoint, ApiOperation } from "../service/schemas";
import { keptTriggers } from "../model/changes";
import { ComputeError } from "../model/errors";
import { effectOf } from "../model/fields";
import { changeOf, restartRank, runsNothing, type PlannedChange } from "../model/interruption";
import { outcomeOf } from "../model/observation";
import type { Evidence } from "../model/receipt";
import { listServesMs, previewReadMs } from "../model/timing";
import { runningOf } from "../plan/running";
import type { Resource } from "../run/resource";
import { dueNow, type Due } from "./due";
import { resumeOperations, stillPending, waitForEnds } from "./waiting";
import { patch } from "./patch";
import { evidenceOf, sayReceipt } from "./evidence";
import { restart } from "./restart";
import { settle } from "./settle";
import {
  PartialFailure,
  isPatched,
  hasPendingOperations,
  toStored,
  type EndpointState,
} from "../model/state";
import { runStep, type ComputeStep, type Declaration, type Parts } from "./step";

export async function updateEndpoint(
  parts: Parts,
  state: EndpointState,
  declaration: Declaration,
): Promise<EndpointState> {
  const { inputs, resource } = declaration;
  const { service } = parts.service.config;
  const change = changeOf(state, inputs, { secrets: resource.secrets, service });
  refuseReplacement(state, change);
  const update = (): Promise<EndpointState> => applyChange(parts, state, { declaration, change });
  const isTurned = change.interruption !== undefined || hasPendingOperations(state);
  try {
    // Before the step's time starts, and without a permit: the wait then blocks no other write.
    const changed = await (isTurned ? inTurn(parts, { state, resource }, update) : update());
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
  const secrets = [...resource.secrets, ...cannotWait];
  const restartTriggers = keptTriggers(done, inputs.restartTriggers, secrets.includes("restartTriggers"));
  return toStored({ ...state, restartTriggers }, inputs, secrets.includes("settings"));
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

/**
 * Changes a compute in its turn among those of its branch.
 *
 * @throws ComputeError if another compute of the branch has not come back: then nothing is sent.
 */
async function inTurn<T>(
  { service, run: { restartOrder, interrupted } }: Parts,
  { state, resource }: { readonly state: EndpointState; readonly resource: Resource },
  change: () => Promise<T>,
): Promise<T> {
  const options = { ageMs: listServesMs, answerMs: previewReadMs };
  const listed = await service.listComputes(state, options).catch(() => undefined);
  const turn = await restartOrder.enter(state, {
    // Without a list, it counts as one.
    replicas: listed === undefined ? 1 : runningReplicas(state, listed),
    interrupted,
    onWait: (other) => {
      const whom = other === undefined ? "replicas of its branch" : `compute ${other} of its branch`;
      resource.row.progress(
        `waiting for ${whom}: half of its replicas keep running, and the primary is last`,
      );
    },
  });
  try {
    const missing = turn.missing();
    if (missing !== undefined) throw stopped(state, missing);
    return await change();
  } catch (error) {
    // Operations of the compute have failed, have not ended in time, or are not known: of this run, or of an earlier one.
    const left = error instanceof PartialFailure ? error.state : state;
    if (hasPendingOperations(left)) turn.miss(`${resource.title} (${state.endpointId})`);
    throw error;
  } finally {
    turn.end();
  }
}

function runningReplicas({ branchId }: EndpointState, listed: EndpointsById): number {
  const isRunning = (endpoint: ApiEndpoint): boolean => !runsNothing(runningOf(endpoint));
  const onBranch = [...listed.values()].filter((endpoint) => endpoint.branch_id === branchId);
  return onBranch.filter((endpoint) => restartRank(endpoint) === 0 && isRunning(endpoint)).length;
}

/** Exported for the page that shows it. */
export function stopped(
  { endpointId, branchId }: Pick<EndpointState, "endpointId" | "branchId">,
  missing: string,
): ComputeError {
  return new ComputeError({
    doing: `changing compute ${endpointId}`,
    what: `nothing was sent, because ${missing} of the same branch ${branchId} has not come back from its change`,
    fix: "Get that compute to run again, for example by putting its earlier values back: the next `pulumi up` goes on",
  });
}

/** Waits for what an earlier run began, decides what is due, applies it, and says what happened. */
async function applyChange(
  parts: Parts,
  state: EndpointState,
  { declaration, change }: { readonly declaration: Declaration; readonly change: PlannedChange },
): Promise<EndpointState> {
  const { resource, inputs } = declaration;
  const { projectId, endpointId } = state;
  const ref = { projectId, endpointId };
  const call = { kind: "update", projectId, resource, timeouts: inputs.timeouts } as const;
  const target = { doing: `updating compute ${endpointId}`, kind: "change", ref } as const;
  const { changed, evidence, due } = await runStep(parts, call, async (own) => {
    const step = { ...own, ...target };
    const earlier = await awaitEarlier(step, state, change);
    const due = await dueNow(step, state, { declaration, change });
    return { due, ...(await (isPatched(due.changed) ? send : endEarlier)(step, state, { due, earlier })) };
  });
  const shown = due.restarts
    ? await runStep(parts, call, (own) => restart({ ...own, ...target }, changed, evidence))
    : evidence;
  await sayReceipt(resource.row, shown, due.declaration.announced);
  return changed;
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

/** The compute after what was sent, and what the service answered. */
interface Result {
  readonly changed: EndpointState;
  readonly evidence: Evidence;
}

async function send(
  step: ComputeStep,
  state: EndpointState,
  { due }: { readonly due: Due },
): Promise<Result> {
  const outcome = await patch(step, state, due);
  const settled = await settle(step, outcome, { declaration: due.declaration, known: state });
  return { changed: settled.state, evidence: evidenceOf(outcome, settled) };
}

/** Sends nothing: waits for what is still pending, unless a restart follows, which does. */
async function endEarlier(
  step: ComputeStep,
  state: EndpointState,
  { due, earlier }: { readonly due: Due; readonly earlier: readonly ApiOperation[] },
): Promise<Result> {
  const operations = due.restarts ? [] : await stillPending(step, earlier);
  const outcome = { endpoint: undefined, operations };
  const settled = await settle(step, outcome, { declaration: due.declaration, known: state });
  // Without their ids, the operations that an earlier run left cannot be told from others.
  const ended = state.operations === "unnamed" ? undefined : settled.ended;
  return { changed: settled.state, evidence: { operations: ended, isEarlier: true } };
}
