/**
 * Decides which part of a change is applied now, right before it is sent: the compute may have changed since the preview. If
 * the change may interrupt, the policy decides what the service is asked first:
 *
 * - with a policy that may hold the change back, or for a trigger: a new list of the computes;
 * - with the policy `warn` and live facts: only the list that the diff has read, which may be some seconds old;
 * - with `warn` and without live facts: nothing. The state counts, as it does if the service gives no answer.
 */
import type { ApiOperation } from "../service/schemas";
import { pollUntil } from "../clock";
import { ComputeError } from "../model/errors";
import { changedArguments } from "../model/changes";
import { isOwn, type ArgumentName } from "../model/fields";
import {
  changeOf,
  interruptingArguments,
  interruptionOf,
  mayInterrupt,
  runsNothing,
  type PlannedChange,
  type Running,
} from "../model/interruption";
import { compareLive } from "../plan/compare";
import type { LiveCompute } from "../plan/live";
import { decideOn, mayHoldBack } from "../model/policy";
import { rowText } from "../model/notice";
import { writeShowsAfterMs } from "../model/timing";
import { hasEnded, outcomeOf } from "../service/observation";
import { fieldsOf, isPatched, withoutUndefined, type EndpointState } from "../model/state";
import { seenIfListed } from "./find";
import { operationsOf } from "./waiting";
import type { ComputeStep, Declaration } from "./step";

/** The part of a change that is sent now: all of it, or all but the arguments that wait. */
export interface Due {
  readonly declaration: Declaration;
  /** The arguments to send. */
  readonly changed: PlannedChange["changed"];
  /** Names of what is sent, if an earlier run has sent it already. */
  readonly names?: readonly string[] | undefined;
  /** What the compute was doing when it was read for a policy. */
  readonly running?: Running | undefined;
  /**
   * Whether a trigger's restart follows the PATCH. `unless done`: by the table of effects, the PATCH itself restarts the
   * compute, so the trigger's restart follows only if the service shows that the PATCH did not restart it.
   */
  readonly restarts: "always" | "unless done" | "never";
  /** Operations that apply what the service already shows, and so what this update does not send again. */
  readonly begun?: readonly ApiOperation[] | undefined;
}

/**
 * With live facts, a change that may interrupt is compared with the live compute under every policy. Everything that a
 * preview announced is sent, in one interruption. Otherwise a size that somebody changed by hand would be announced again and
 * again, but never corrected. A part that waits is left out: the state keeps its old value, so the next diff finds it again.
 *
 * A client that connects after this check goes unnoticed: the interface has no conditional write (4.3).
 *
 * @throws ComputeError if a policy refuses the change, or would defer a change that cannot wait.
 */
export async function dueNow(
  step: ComputeStep,
  state: EndpointState,
  { declaration, change: ofState }: { readonly declaration: Declaration; readonly change: PlannedChange },
): Promise<Due> {
  const { resource } = step;
  const { clock, config } = step.service;
  const { inputs, madePublic } = declaration;
  const { begun, ...change } = mayInterrupt(ofState)
    ? await asOfNow(step, declaration, ofState)
    : { ...ofState, begun: undefined };
  const situation = { config, nowMs: clock.now(), madePublic, isFinal: true };
  const { deferral, refusal } = decideOn(change, situation);
  if (refusal !== undefined)
    throw new ComputeError({ doing: `changing compute ${state.endpointId}`, ...refusal });
  const running = mayHoldBack(inputs, config) ? change.now?.running : undefined;
  if (deferral === undefined) {
    const restarts = asksForRestart(ofState) ? await restartBeside(step, change) : "never";
    return { declaration, changed: change.changed, running, restarts, begun };
  }
  const { names, text } = deferral;
  if (declaration.hasSaidWaiting !== true)
    await resource.row.say("warning", rowText({ property: "deferred", text, now: change.now }));
  return {
    declaration: withoutWaiting(declaration, state, names),
    changed: change.changed.filter((name) => !names.includes(name)),
    running,
    restarts: "never",
  };
}

/** The declaration to apply now: arguments that wait keep the values that the state has. */
function withoutWaiting(
  declaration: Declaration,
  kept: EndpointState,
  names: readonly ArgumentName[],
): Declaration {
  const old = Object.fromEntries(names.map((name) => [name, kept[name]]));
  const inputs = withoutUndefined({ ...declaration.inputs, ...old });
  return { ...declaration, inputs, announced: undefined, stillManaged: kept.managed };
}

/** Whether an argument that no PATCH sends (a trigger) asks for a restart. */
function asksForRestart(change: PlannedChange): boolean {
  return interruptingArguments(change).some(isOwn);
}

/**
 * Whether a trigger's restart follows the PATCH. An idle or disabled compute needs no restart: its next start is a fresh one.
 */
async function restartBeside(
  { resource }: ComputeStep,
  { before, inputs, changed, now }: PlannedChange,
): Promise<Due["restarts"]> {
  if (runsNothing(now?.running)) {
    if (!isPatched(changed))
      await resource.row.say("info", `The compute is ${now?.running}: there is nothing to restart.`);
    return "never";
  }
  const sent = changedArguments(before, inputs).filter((name) => !isOwn(name));
  const ofSent = interruptionOf({ before, inputs, changed: sent }, { now });
  return ofSent?.certain === true ? "unless done" : "always";
}

/** Compares the declaration with the compute at this moment, or with the state if the service does not answer. */
async function asOfNow(
  step: ComputeStep,
  { resource: { secrets, ignores } }: Declaration,
  ofState: PlannedChange,
): Promise<PlannedChange & Pick<Due, "begun">> {
  const live = await readNow(step, ofState);
  if (live === undefined) return ofState;
  const { liveFacts, service } = step.service.config;
  const telling = { secrets, ignores, service };
  // Without live facts, the update compares with the state alone, as previews do. It asks the service only whether the compute
  // runs.
  if (!liveFacts) return changeOf(ofState.before, ofState.inputs, { ...telling, now: live.now });
  const change = compareLive(ofState, live, telling);
  const differs = (endpoint: LiveCompute["endpoint"]): readonly ArgumentName[] =>
    changeOf({ ...change.before, ...fieldsOf(endpoint, change.inputs) }, change.inputs, telling).changed;
  return withoutDone(step, change, differs);
}

/**
 * Leaves out what the compute already has: a killed run or somebody else has sent it, and a service may restart a compute for
 * each PATCH. Since a list may be late, the lists of some seconds must agree. Settings are always sent, so that the state
 * knows which ones are ours. If the last operation of the compute failed, everything is sent.
 *
 * @param differs - the arguments in which a listed compute differs from the declaration.
 */
async function withoutDone(
  step: ComputeStep,
  change: PlannedChange,
  differs: (endpoint: LiveCompute["endpoint"]) => readonly ArgumentName[],
): Promise<PlannedChange & Pick<Due, "begun">> {
  const sendable = change.changed.filter((name) => name !== "settings" && !isOwn(name));
  const left = changedArguments(change.before, change.inputs);
  const done = sendable.filter((name) => !left.includes(name));
  if (done.length === 0) return change;
  const isDone = (endpoint: LiveCompute["endpoint"] | undefined): boolean =>
    endpoint !== undefined && !done.some((name) => differs(endpoint).includes(name));
  const last = await pollUntil(step.deadline, writeShowsAfterMs, {
    poll: () => seenIfListed(step),
    isEnough: (endpoint) => !isDone(endpoint),
  });
  const operations = isDone(last) ? await operationsOf(step).catch(() => undefined) : undefined;
  const newest = operations?.at(-1);
  const isFailed =
    newest !== undefined && hasEnded(newest.status) && outcomeOf(newest.status) !== "succeeded";
  if (operations === undefined || isFailed) return change;
  return {
    ...change,
    changed: change.changed.filter((name) => !done.includes(name)),
    begun: operations.filter(({ status }) => outcomeOf(status) === "pending"),
  };
}

/** Reads the compute: from a new list for a policy or a restart, otherwise as the diff reads it. */
async function readNow(step: ComputeStep, change: PlannedChange): Promise<LiveCompute | undefined> {
  const { config, liveReads } = step.service;
  if (mayHoldBack(change.inputs, config) || asksForRestart(change)) {
    const listed = await seenIfListed(step);
    return listed && liveReads.liveCompute(listed);
  }
  if (!config.liveFacts) return undefined;
  const read = await liveReads.readLive(step.ref);
  return read.kind === "found" ? read : undefined;
}
