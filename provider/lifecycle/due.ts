/**
 * Decides which part of a change is applied now, right before it is sent: what a preview has read may have changed since. If
 * the change may interrupt, the service is asked first, as the policy needs:
 *
 * - a policy that may hold the change back, or a trigger: a fresh list;
 * - the policy `warn`, with live facts: the list of the diff, which may be some seconds old;
 * - `warn` without live facts: nothing. The state counts then, as it does if the service gives no answer.
 */
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
import { isPatched, withoutUndefined, type EndpointState } from "../model/state";
import { seenIfListed } from "./find";
import type { ComputeStep, Declaration } from "./step";

/** What is sent of a change: the whole of it, or what does not wait. */
export interface Due {
  readonly declaration: Declaration;
  /** The arguments to send. */
  readonly changed: PlannedChange["changed"];
  /** What the compute was doing when it was read for a policy. */
  readonly running?: Running | undefined;
  /**
   * Whether a trigger makes a restart follow. `unless done`: by the table of effects, what is sent restarts the compute, so
   * another restart follows only if the service shows that there was none.
   */
  readonly restarts: "always" | "unless done" | "never";
}

/**
 * Under every policy, a change that may interrupt is compared with the live compute. Everything that a preview
 * announced is sent, in one interruption: otherwise a size that was changed by hand would be announced again and again, and
 * never changed. A part that waits is left out: the state keeps its old value, so the next diff finds it again.
 *
 * A client that connects after this is not seen: the interface has no write with a condition (4.3).
 *
 * @throws ComputeError if a policy refuses the change, or if it cannot wait and would have to.
 */
export async function dueNow(
  step: ComputeStep,
  state: EndpointState,
  { declaration, change: ofState }: { readonly declaration: Declaration; readonly change: PlannedChange },
): Promise<Due> {
  const { resource } = step;
  const { clock, config } = step.service;
  const { inputs, madePublic } = declaration;
  const change = mayInterrupt(ofState) ? await asOfNow(step, declaration, ofState) : ofState;
  const situation = { config, nowMs: clock.now(), cannotWait: madePublic, isFinal: true };
  const { deferral, refusal } = decideOn(change, situation);
  if (refusal !== undefined)
    throw new ComputeError({ doing: `changing compute ${state.endpointId}`, ...refusal });
  const running = mayHoldBack(inputs, config) ? change.now?.running : undefined;
  if (deferral === undefined) {
    const restarts = asksForRestart(ofState) ? await restartBeside(step, change) : "never";
    return { declaration, changed: change.changed, running, restarts };
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

/** The part of a declaration that is applied now; for arguments that wait, it has the values that the compute keeps. */
function withoutWaiting(
  declaration: Declaration,
  kept: EndpointState,
  names: readonly ArgumentName[],
): Declaration {
  const old = Object.fromEntries(names.map((name) => [name, kept[name]]));
  const inputs = withoutUndefined({ ...declaration.inputs, ...old });
  return { ...declaration, inputs, announced: undefined, stillManaged: kept.managed };
}

/** Whether an argument that no PATCH sends interrupts the compute: a restart does what it asks for. */
function asksForRestart(change: PlannedChange): boolean {
  return interruptingArguments(change).some(isOwn);
}

/** The restart that a trigger asks for beside what is sent: a compute that runs nothing starts anew by itself. */
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

/** The change with what the compute runs and does at this moment; as the state has it if the service does not say. */
async function asOfNow(
  step: ComputeStep,
  { resource: { secrets } }: Declaration,
  ofState: PlannedChange,
): Promise<PlannedChange> {
  const live = await readNow(step, ofState);
  if (live === undefined) return ofState;
  const { liveFacts, service } = step.service.config;
  // Without live facts no preview compares: what the compute runs is left alone, and only what it does counts.
  if (!liveFacts) return changeOf(ofState.before, ofState.inputs, { secrets, service, now: live.now });
  return compareLive(ofState, live, { secrets, service });
}

/** The compute: for a policy or a restart as it is at this moment, otherwise as the diff reads it. */
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
