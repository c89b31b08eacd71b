/**
 * Decides which part of a change is applied now, right before it is sent: the compute may have changed since the preview. If
 * the change may interrupt, the policy decides what the service is asked first:
 *
 * - with a policy that may hold the change back, or for a trigger: a new list of the computes;
 * - with the policy `warn` and live facts: only the list that the diff has read, which may be some seconds old;
 * - with `warn` and without live facts: nothing. The state counts, as it does if the service gives no answer.
 */
import type { ApiEndpoint, ApiOperation } from "../service/schemas";
import { pollUntil } from "../clock";
import { ComputeError } from "../model/errors";
import { changedArguments, settingsArgument } from "../model/changes";
import { plannedInputs } from "../model/inputs";
import { isOwn, type ArgumentName } from "../model/fields";
import {
  interruptingArguments,
  interruptionOf,
  runsNothing,
  type PlannedChange,
} from "../model/interruption";
import { judgeHeld, type Judgement } from "../plan/judge";
import type { LiveRead } from "../plan/live";
import { rowOn } from "../plan/said";
import { mayHoldBack } from "../model/policy";
import {
  fieldsOf,
  isPatched,
  unsettledArguments,
  withoutUndefined,
  type EndpointState,
} from "../model/state";
import { writeShowsAfterMs } from "../model/timing";
import { hasEnded, outcomeOf } from "../service/observation";
import { seenIfListed } from "./find";
import { namesSent, type SentChange } from "./sent";
import { operationsOf } from "./waiting";
import type { ComputeStep, Declaration } from "./step";

/** The part of a change that is sent now: all of it, or all but the arguments that wait. */
export interface Due extends SentChange {
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
  declaration: Declaration,
): Promise<Due> {
  const { resource } = step;
  const { clock, config } = step.service;
  const { inputs, madePublic, announced } = declaration;
  const { ofState, ...judgement } = await judgeHeld(state, plannedInputs(inputs), {
    secrets: resource.secrets,
    ignores: resource.ignores,
    madePublic,
    config,
    now: () => clock.now(),
    isFinal: true,
    readNow: (ofState) => readNow(step, ofState),
  });
  const { change, deferral, refusal } = judgement;
  if (refusal !== undefined)
    throw new ComputeError({ doing: `changing compute ${state.endpointId}`, ...refusal });
  const running = mayHoldBack(inputs, config) ? change.now?.running : undefined;
  const left = await leftToSend(step, judgement);
  if (deferral === undefined) {
    const restarts = asksForRestart(ofState) ? await restartBeside(step, { ...change, ...left }) : "never";
    return { ...sentOf(state, declaration, left.changed), ...left, running, restarts };
  }
  const { names } = deferral;
  if (announced?.deferral === undefined) await resource.row.say("warning", rowOn(judgement) ?? "");
  const changed = left.changed.filter((name) => !names.includes(name));
  return {
    ...sentOf(state, withoutWaiting(declaration, state, names), changed),
    begun: left.begun,
    running,
    restarts: "never",
  };
}

function sentOf(known: EndpointState, declaration: Declaration, changed: Due["changed"]): SentChange {
  return { declaration, known, changed, names: namesSent(known, declaration, changed) };
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

/**
 * Leaves out what the compute already has: a killed run or somebody else has sent it, and a service may restart a compute for
 * each PATCH. Since a list may be late, the lists of some seconds must agree. Settings are always sent, so that the state
 * knows which ones are ours. If the last operation of the compute failed, everything is sent.
 */
async function leftToSend(
  step: ComputeStep,
  { change, read }: Judgement,
): Promise<Pick<Due, "changed" | "begun">> {
  const { before, inputs, changed } = change;
  // Without live facts, the update compares with the state alone, as previews do.
  if (!step.service.config.liveFacts || read?.kind !== "found") return { changed };
  const { ignores } = step.resource;
  const missing = changedArguments(before, inputs);
  const done = changed.filter((name) => name !== settingsArgument && !isOwn(name) && !missing.includes(name));
  if (done.length === 0) return { changed };
  const isDone = (endpoint: ApiEndpoint | undefined): boolean => {
    if (endpoint === undefined) return false;
    const shown = { ...before, ...fieldsOf(endpoint, inputs) };
    return unsettledArguments(shown, inputs, { sent: done, ignores }).length === 0;
  };
  const last = await pollUntil(step.deadline, writeShowsAfterMs, {
    poll: () => seenIfListed(step),
    isEnough: (endpoint) => !isDone(endpoint),
  });
  const operations = isDone(last) ? await operationsOf(step).catch(() => undefined) : undefined;
  const newest = operations?.at(-1);
  const isFailed =
    newest !== undefined && hasEnded(newest.status) && outcomeOf(newest.status) !== "succeeded";
  if (operations === undefined || isFailed) return { changed };
  return {
    changed: changed.filter((name) => !done.includes(name)),
    begun: operations.filter(({ status }) => outcomeOf(status) === "pending"),
  };
}

/** Reads the compute: from a new list for a policy or a restart, otherwise as the diff reads it. */
async function readNow(step: ComputeStep, change: PlannedChange): Promise<LiveRead | undefined> {
  const { config, liveReads } = step.service;
  if (!mayHoldBack(change.inputs, config) && !asksForRestart(change))
    return config.liveFacts ? liveReads.readLive(step.ref) : undefined;
  const listed = await seenIfListed(step);
  return listed && { kind: "found", ...liveReads.liveCompute(listed) };
}
