/**
 * Changes a compute: sends a PATCH with what changed and a restart if one is needed; after a failed run it may only
 * wait for what is still pending.
 */
import type { ApiOperation } from "../../api/schemas";
import { ComputeError } from "../../errors";
import { argumentNames, effectOf } from "../../fields";
import { verdictOf } from "../../operations/status";
import { decideLast, type LastDecision } from "./decideLast";
import { branchFree } from "./find";
import type { EndpointInputs } from "../planning/inputs";
import { asksLive, changeNow } from "../planning/running";
import { PartialFailure } from "../partialFailure";
import { patch } from "./patch";
import { resumeOperations, stillPending, unlisted } from "./pendingOperations";
import { changeOf, mayInterrupt, type PlannedChange } from "../planning/plan";
import { runsNothing } from "../planning/verdict";
import { observationOf } from "../../operations/interruptions";
import type { Resource } from "../resource";
import { beforeRestart, owesRestart, restart, restartsAnyway, resumeRestart } from "./restart";
import { pendingRestart, settle, waitForEnds, type Settled } from "./settle";
import { sawIn, withReceipt, type Applied } from "./applied";
import { isPatched, toStored, withDeferred, type Declaration, type EndpointState } from "../state";
import { deadlineOf, runStep, type Services, type Step } from "./step";

export async function updateEndpoint(
  services: Services,
  state: EndpointState,
  declaration: Declaration,
): Promise<EndpointState> {
  const { inputs, resource } = declaration;
  const { secrets, row } = resource;
  const declared = changeOf(state, inputs, { secrets });
  refuseReplacement(state, declared);
  const endTurn = await turnOf(services, state, { change: declared, row });
  try {
    if (declared.changed.includes("branchId"))
      await branchFree(services, inputs, {
        resource,
        deadline: deadlineOf(services, { kind: "update", timeouts: inputs.timeouts, resource }),
      });
    const change = await asItRuns(services, state, { change: declared, secrets });
    const { deferral, ...applied } = await bringAbout(services, state, { declaration, change });
    const announced = deferral ? deferral.rest.interruption : declaration.announced;
    const after = await withReceipt(row, applied, announced);
    return toStored(deferral ? withDeferred(after, state, deferral.names) : after, inputs);
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    throw new PartialFailure(toStored({ ...error.state, receipt: undefined }, inputs), error.cause);
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

/**
 * Waits before the step's time starts and without a permit: a wait for computes of the same branch then blocks no
 * other write.
 */
async function turnOf(
  { restartOrder, config, interrupted }: Services,
  state: EndpointState,
  { change, row }: { readonly change: PlannedChange; readonly row: Resource["row"] },
): Promise<() => void> {
  const moves = change.changed.includes("branchId");
  if (!moves && (!config.ordersRestarts || change.interruption === undefined)) return () => undefined;
  const onWait = (other: string | undefined): void => {
    const whom = other === undefined ? "replicas of its branch" : `compute ${other} of its branch`;
    row.progress(`waiting for ${whom}: they are interrupted one after the other`);
  };
  return restartOrder.enter(state, { onWait, interrupted });
}

/**
 * The difference to the live compute, read as the preview reads it: what the preview announced is sent, in one
 * interruption. Otherwise a size that was changed by hand would be announced with the restart of a trigger, not be
 * changed, and be announced again.
 */
async function asItRuns(
  { looks, config }: Services,
  { projectId, branchId, type, endpointId }: EndpointState,
  {
    change,
    secrets,
  }: { readonly change: PlannedChange<EndpointInputs>; readonly secrets: readonly string[] },
): Promise<PlannedChange<EndpointInputs>> {
  if (!mayInterrupt(change) || !asksLive(config)) return change;
  // Ask without the id, as `check` has to: with several replicas neither of them knows which is meant.
  const looked = await looks.lookLive({ projectId, branchId, type });
  if (looked.kind !== "found" || looked.endpoint.id !== endpointId) return change;
  const live = changeNow(change, looked.endpoint, { secrets, nowMs: looks.serviceNow() });
  // A list may be late: what differs from the state is sent as well.
  const changed = argumentNames.filter((name) => [change, live].some((side) => side.changed.includes(name)));
  return { ...live, changed };
}

/** Without their ids, the operations that an earlier run left cannot be told from others. */
function sawOfEarlier(
  left: readonly ApiOperation[],
  { ended }: Settled,
  { operations = [] }: EndpointState,
): Applied["saw"] {
  if (left.length === 0) return [];
  return [{ operations: operations.includes(unlisted) ? undefined : ended, isEarlier: true }];
}

/** The hashes of the triggers that a restart is owed for; by now, one that an earlier run began has ended well. */
function owedTriggers({ restartTriggers, triggers }: EndpointState): EndpointState["triggers"] {
  return restartTriggers === undefined ? triggers : undefined;
}

/** An error of what does not wait: its state goes on owing what waits. */
function stillOwing(error: unknown, state: EndpointState, deferral: LastDecision["deferral"]): unknown {
  if (deferral === undefined || !(error instanceof PartialFailure)) return error;
  return new PartialFailure(withDeferred(error.state, state, deferral.names), error.cause);
}

interface Work {
  readonly change: PlannedChange<EndpointInputs>;
  readonly declaration: Declaration;
}

/** Sends the writes of a change, or of what does not wait, each after the running operations have ended. */
async function bringAbout(
  services: Services,
  state: EndpointState,
  { declaration: whole, change }: Work,
): Promise<Applied & Pick<LastDecision, "deferral">> {
  const { inputs, resource } = whole;
  const { projectId, endpointId } = state;
  const ref = { projectId, endpointId };
  const target = { doing: `updating compute ${endpointId}`, kind: "change", ref } as const;
  const plan = { kind: "update", projectId, resource, timeouts: inputs.timeouts } as const;
  let decision: LastDecision = {};

  const act = async (own: Step): Promise<Applied> => {
    const step = { ...own, ...target };
    const left = await resumeOperations(step, state.operations ?? []);
    await resumeRestart(step, { state, left });
    // Interface 3.2: running operations end before the next dependent request. That request replaces failed ones.
    const pending = left.filter((operation) => verdictOf(operation.status) === "pending");
    if (isPatched(change.changed) || owesRestart(state, change)) await waitForEnds(step, pending);
    decision = await decideLast(step, state, { change, secrets: resource.secrets });
    const { deferral, now } = decision;
    if (deferral !== undefined) await resource.row.say("warning", `deferred ${deferral.notice}`);
    const due = deferral?.rest ?? { ...change, now: now ?? change.now };
    const declaration = deferral ? { ...whole, inputs: due.inputs, triggers: owedTriggers(state) } : whole;
    const { changed } = due;
    const isPulled = owesRestart(state, due);
    const sends = isPatched(changed) || isPulled;
    // A compute that ran nothing starts anew with its next client: a restart after its change could only meet one.
    const startsAnew = isPatched(changed) && runsNothing(now?.running);
    const mayRestart = isPulled && !startsAnew;
    const restarts = mayRestart && !(await restartsAnyway(step, due));
    const outcome = isPatched(changed)
      ? await patch(step, { changed, state, declaration })
      : { endpoint: undefined, operations: sends ? [] : await stillPending(step, left) };
    const restartAfter = async (saw: Applied["saw"][number]): Promise<Applied> => {
      const restarted = await runStep(services, plan, (next) =>
        restart({ ...next, ...target }, declaration, { state, answered: outcome.endpoint }),
      );
      return { ...restarted, saw: [saw, ...restarted.saw] };
    };
    if (!restarts) {
      const restartsFrom = isPulled ? state : sends ? undefined : beforeRestart(state);
      const settled = await settle(step, outcome, { declaration, restartsFrom, known: state });
      if (!sends) return { state: settled.state, saw: sawOfEarlier(left, settled, state) };
      const saw = sawIn(outcome, settled, now?.running);
      const { operations, before } = saw;
      // No operation shows that the new size restarted the compute: the triggers still ask for their restart.
      const isOwed = operations !== undefined && observationOf(operations).happened === undefined;
      return mayRestart && isOwed && !runsNothing(before)
        ? restartAfter(saw)
        : { state: settled.state, saw: [saw] };
    }
    if (!isPatched(changed)) return restart(step, declaration, { state });
    // Releases the permit: the restart is another write, with its own permit.
    const settled = await settle(step, outcome, {
      declaration: pendingRestart(declaration, state, { mayEndWell: false }),
      known: state,
    });
    return restartAfter(sawIn(outcome, settled, now?.running));
  };
  try {
    return { ...(await runStep(services, plan, act)), deferral: decision.deferral };
  } catch (error) {
    throw stillOwing(error, state, decision.deferral);
  }
}
