/** Changes a compute: sends a PATCH with what changed; after a failed run it may only wait for what is still pending. */
import type { ApiOperation } from "../../api/schemas";
import { ComputeError } from "../../errors";
import { argumentNames, effectOf } from "../../fields";
import { verdictOf } from "../../operations/status";
import { decideFinally, type FinalDecision } from "./finalDecision";
import { branchFree } from "./find";
import type { EndpointInputs } from "../planning/inputs";
import { asksLive, changeNow, runningOf } from "../planning/running";
import { patch } from "./patch";
import { resumeOperations, stillPending, unlisted } from "./pendingOperations";
import { changeOf, mayInterrupt, type PlannedChange } from "../planning/plan";
import { restartRank, rowText, runsNothing } from "../planning/verdict";
import type { EndpointLists } from "../lists";
import type { Resource } from "../resource";
import type { Running } from "../planning/interruption";
import { settle } from "./settle";
import { waitForEnds } from "./waitFor";
import { evidenceIn, sayReceipt, type Applied } from "./applied";
import {
  PartialFailure,
  isPatched,
  toStored,
  withDeferred,
  type Declaration,
  type EndpointState,
} from "../state";
import { deadlineOf, runStep, type ComputeStep, type Services } from "./step";

export async function updateEndpoint(
  services: Services,
  state: EndpointState,
  declaration: Declaration,
): Promise<EndpointState> {
  const { inputs, resource } = declaration;
  const { service } = services.config;
  const declared = changeOf(state, inputs, { secrets: resource.secrets, service });
  refuseReplacement(state, declared);
  const endTurn = await turnOf(services, state, { change: declared, resource });
  try {
    if (declared.changed.includes("branchId"))
      await branchFree(services, inputs, {
        resource,
        own: state,
        deadline: deadlineOf(services, { kind: "update", timeouts: inputs.timeouts, resource }),
      });
    const change = await comparedWithLive(services, state, { change: declared, resource });
    const { deferral, state: after, evidence } = await applyChange(services, state, { declaration, change });
    const announced = deferral ? deferral.rest.interruption : declaration.announced;
    services.fresh.updated(state, await sayReceipt(resource.row, evidence, announced));
    return toStored(deferral ? withDeferred(after, state, deferral.names) : after, inputs);
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    throw new PartialFailure(toStored(error.state, inputs), error.cause);
  } finally {
    endTurn();
  }
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

interface ResourceChange {
  readonly change: PlannedChange<EndpointInputs>;
  readonly resource: Resource;
}

/**
 * Waits before the step's time starts and without a permit: a wait for computes of the same branch then blocks no
 * other write.
 */
async function turnOf(
  { lists, restartOrder, interrupted }: Services,
  state: EndpointState,
  { change, resource }: ResourceChange,
): Promise<() => void> {
  if (!change.changed.includes("branchId") && change.interruption === undefined) return () => undefined;
  const onWait = (other: string | undefined): void => {
    const whom = other === undefined ? "replicas of its branch" : `compute ${other} of its branch`;
    resource.row.progress(`waiting for ${whom}: half of its replicas keep running, and the primary is last`);
  };
  return restartOrder.enter(state, { onWait, interrupted, replicas: await runningReplicas(lists, state) });
}

/** How many replicas of a branch run. Without a list, it counts as one. */
async function runningReplicas(lists: EndpointLists, of: EndpointState): Promise<number> {
  const listed = await lists.recent(of).catch(() => undefined);
  if (listed === undefined) return 1;
  const onBranch = [...listed.values()].filter((endpoint) => endpoint.branch_id === of.branchId);
  return onBranch.filter((endpoint) => restartRank(endpoint) === 0 && !runsNothing(runningOf(endpoint)))
    .length;
}

/**
 * The difference to the live compute, read as the preview reads it: what the preview announced is sent, in one
 * interruption. Otherwise a size that was changed by hand would be announced with another change, not be changed, and
 * be announced again.
 */
async function comparedWithLive(
  { liveReads, config }: Services,
  { projectId, branchId, type, endpointId }: EndpointState,
  { change, resource }: ResourceChange,
): Promise<PlannedChange<EndpointInputs>> {
  if (!mayInterrupt(change) || !asksLive(config)) return change;
  // Ask without the id, as `check` has to: with several replicas neither of them knows which is meant.
  const read = await liveReads.readLive({ projectId, branchId, type });
  if (read.kind !== "found" || read.endpoint.id !== endpointId) return change;
  const live = changeNow(change, read.endpoint, {
    secrets: resource.secrets,
    service: config.service,
    nowMs: liveReads.serviceNow(),
  });
  // A list may be late: what differs from the state is sent as well.
  const changed = argumentNames.filter((name) => [change, live].some((side) => side.changed.includes(name)));
  return { ...live, changed };
}

interface Work {
  readonly change: PlannedChange<EndpointInputs>;
  readonly declaration: Declaration;
}

/** Waits for what an earlier run began, decides what may be applied now, and applies it. */
async function applyChange(
  services: Services,
  state: EndpointState,
  { declaration, change }: Work,
): Promise<Applied & Pick<FinalDecision, "deferral">> {
  const { resource, inputs } = declaration;
  const { projectId, endpointId } = state;
  const target = {
    doing: `updating compute ${endpointId}`,
    kind: "change",
    ref: { projectId, endpointId },
  } as const;
  const plan = { kind: "update", projectId, resource, timeouts: inputs.timeouts } as const;
  let deferral: FinalDecision["deferral"];
  try {
    const applied = await runStep(services, plan, async (own) => {
      const step = { ...own, ...target };
      const earlier = await awaitEarlier(step, state, change);
      const decision = await decideFinally(step, state, { change, secrets: resource.secrets });
      deferral = decision.deferral;
      if (deferral !== undefined)
        await resource.row.say(
          "warning",
          rowText({ property: "deferred", text: deferral.text, now: decision.now }),
        );
      const due = dueNow({ declaration, change }, decision);
      if (isPatched(due.change.changed)) return changeNext(step, state, due);
      return settleEarlier(step, state, { declaration: due.declaration, earlier });
    });
    return { ...applied, deferral };
  } catch (error) {
    if (deferral === undefined || !(error instanceof PartialFailure)) throw error;
    // What waits stays pending in the state.
    throw new PartialFailure(withDeferred(error.state, state, deferral.names), error.cause);
  }
}

/** Interface 3.2: running operations end before the next dependent request. That request replaces failed ones. */
async function awaitEarlier(
  step: ComputeStep,
  state: EndpointState,
  change: Work["change"],
): Promise<readonly ApiOperation[]> {
  const earlier = await resumeOperations(step, state.operations ?? []);
  const pending = earlier.filter((operation) => verdictOf(operation.status) === "pending");
  if (isPatched(change.changed)) await waitForEnds(step, pending);
  return earlier;
}

/** What is applied now: the whole change, or the part of it that does not wait. */
interface Due extends Work {
  /** What the compute did when the decision was made. */
  readonly running: Running | undefined;
}

function dueNow({ declaration, change }: Work, { deferral, now }: FinalDecision): Due {
  const due = deferral?.rest ?? change;
  return {
    change: due,
    declaration: deferral ? { ...declaration, inputs: due.inputs } : declaration,
    running: now?.running,
  };
}

/** Sends nothing: waits for what is still pending. */
async function settleEarlier(
  step: ComputeStep,
  state: EndpointState,
  { declaration, earlier }: { readonly declaration: Declaration; readonly earlier: readonly ApiOperation[] },
): Promise<Applied> {
  const outcome = { endpoint: undefined, operations: await stillPending(step, earlier) };
  const settled = await settle(step, outcome, { declaration, known: state });
  if (earlier.length === 0) return { state: settled.state, evidence: [] };
  // Without their ids, the operations that an earlier run left cannot be told from others.
  const isUnlisted = state.operations?.includes(unlisted) === true;
  return {
    state: settled.state,
    evidence: [{ operations: isUnlisted ? undefined : settled.ended, isEarlier: true }],
  };
}

async function changeNext(
  step: ComputeStep,
  state: EndpointState,
  { change, declaration, running }: Due,
): Promise<Applied> {
  const outcome = await patch(step, { changed: change.changed, state, declaration });
  const settled = await settle(step, outcome, { declaration, known: state });
  return { state: settled.state, evidence: [evidenceIn(outcome, settled, { running })] };
}
