/**
 * Carries a restart out: sends it, unless the run has started the compute anew, the compute runs nothing, or a policy
 * holds it back. Nothing is remembered: a restart that was not done is asked for again by the next run.
 */
import type { ApiEndpoint } from "../api/schemas";
import { ComputeError } from "../pure/errors";
import type { Interruption } from "../pure/interruption";
import { nowOf } from "../endpoint/planning/running";
import { mayHoldBack } from "../pure/policy";
import { rowText, runsNothing } from "../pure/verdict";
import type { Resource } from "../endpoint/resource";
import { sayReceipt } from "../endpoint/applying/applied";
import { seenNow } from "../endpoint/applying/find";
import { restartEndpoint } from "./send";
import { runStep, type ComputeStep, type Services } from "../endpoint/applying/step";
import { takeTurn } from "../endpoint/applying/turn";
import type { RestartInputs } from "./arguments";
import { decideOnRestart, sparedTexts } from "./plan";
import { interruptionBy, type RestartCause } from "../pure/restartCause";

export interface RestartOrderedBy {
  /** The call of the engine, whose time limit counts. */
  readonly kind: "create" | "update";
  readonly inputs: RestartInputs;
  readonly resource: Resource;
  readonly cause: RestartCause;
  /** What check or diff of this run announced. */
  readonly announced: Interruption | undefined;
}

/** What became of a restart; it may also have been needless. */
export interface RestartOutcome {
  /** True if it waits for a later run. */
  readonly isWaiting?: true;
}

/** @throws ComputeError if the restart was not done, or if nobody can tell. */
export function applyRestart(services: Services, order: RestartOrderedBy): Promise<RestartOutcome> {
  const { projectId, endpointId } = order.inputs;
  const ref = { projectId, endpointId };
  return services.fresh.once(ref, async () => {
    const how = services.fresh.done(ref);
    if (how !== undefined) {
      await order.resource.row.say("info", sparedTexts[how]);
      return {};
    }
    return restartInTurn(services, order);
  });
}

/** Waits for other computes of the branch before the step's time starts, and without a permit. */
async function restartInTurn(services: Services, order: RestartOrderedBy): Promise<RestartOutcome> {
  const { kind, inputs, resource } = order;
  const { projectId, endpointId, timeouts } = inputs;
  const ref = { projectId, endpointId };
  const endTurn = await takeTurn(services, ref, resource);
  try {
    return await runStep(services, { kind, projectId, resource, timeouts }, async (step) => {
      const target = { doing: `restarting compute ${endpointId}`, kind: "restart", ref } as const;
      return decideAndSend({ ...step, ...target }, order);
    });
  } finally {
    endTurn();
  }
}

async function decideAndSend(step: ComputeStep, order: RestartOrderedBy): Promise<RestartOutcome> {
  const { resource, announced } = order;
  const waiting = await heldBack(step, order);
  if (waiting !== undefined) {
    await resource.row.say("warning", waiting);
    return { isWaiting: true };
  }
  const evidence = await restartEndpoint(step);
  if (evidence === undefined) return {};
  step.services.fresh.restarted(step.ref);
  await sayReceipt(resource.row, evidence, announced);
  return {};
}

/**
 * Asks only where a policy asks for it: the window may have closed since the check, or a client may have connected.
 *
 * @returns what waits, and until when.
 * @throws ComputeError if a policy refuses the restart.
 */
async function heldBack(step: ComputeStep, { inputs, cause }: RestartOrderedBy): Promise<string | undefined> {
  const { clock, config, liveReads } = step.services;
  if (!mayHoldBack({ onInterruption: inputs.onInterruption }, config)) return undefined;
  const live = await seenNow(step).catch((): ApiEndpoint | undefined => undefined);
  const now = live && nowOf(live, liveReads.serviceNow());
  if (runsNothing(now?.running)) return undefined;
  const restart = { inputs, interruption: interruptionBy(cause), now };
  const { deferral, refusal } = decideOnRestart(restart, { config, nowMs: clock.now(), isFinal: true });
  if (refusal !== undefined) throw new ComputeError({ doing: step.doing, ...refusal });
  return deferral && rowText({ property: "deferred", text: deferral.text, now });
}
