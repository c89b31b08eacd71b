/**
 * Decides on an interruption directly before it is sent: what `check` read may have changed since.
 */
import type { ApiEndpoint } from "../../api/schemas";
import { ComputeError } from "../../errors";
import { asFound } from "../planning/adopt";
import type { EndpointInputs } from "../planning/inputs";
import { changeNow, nowOf } from "../planning/running";
import {
  changeOf,
  decideOn,
  mayHoldBack,
  type Decision,
  type Deferral,
  type PlannedChange,
} from "../planning/plan";
import type { Now } from "../planning/interruption";
import type { Declaration, EndpointState } from "../state";
import { seenNow } from "./find";
import type { ComputeStep, Step } from "./step";

/** What is left of a decision directly before anything is sent. */
export interface FinalDecision {
  readonly deferral?: Deferral<EndpointInputs> | undefined;
  /** What the compute does at this moment; undefined if nothing depends on it, or if the service does not say. */
  readonly now?: Now | undefined;
}

/**
 * Decides again under the permit: the window may have closed since the check, a client may have connected, and a check
 * does not see what a failed update has not applied. A compute that already runs as declared has nothing to wait for.
 *
 * A client that connects after this look is not seen: the interface has no write with a condition (4.3, 4.5).
 *
 * @throws ComputeError if a change that cannot wait would have to.
 */
export async function decideFinally(
  step: ComputeStep,
  state: EndpointState,
  {
    change,
    secrets,
  }: { readonly change: PlannedChange<EndpointInputs>; readonly secrets: readonly string[] },
): Promise<FinalDecision> {
  const { clock, config, liveReads } = step.services;
  if (!mayHoldBack(change.inputs, config)) return {};
  const situation = { config, nowMs: clock.now(), isFinal: true };
  const unseen = decideOn({ ...change, now: undefined }, situation);
  if (unseen.deferral === undefined && unseen.refusal === undefined) return {};
  const live = await seenNow(step).catch(() => undefined);
  if (live === undefined) return heldBack(state, unseen);
  const options = { secrets, service: config.service, nowMs: liveReads.serviceNow() };
  const { interruption, now } = changeNow(change, live, options);
  if (interruption === undefined) return { now };
  return { ...heldBack(state, decideOn({ ...change, interruption, now }, situation)), now };
}

function heldBack(
  { endpointId }: EndpointState,
  { deferral, refusal }: Decision<EndpointInputs>,
): FinalDecision {
  if (refusal !== undefined) throw new ComputeError({ doing: `changing compute ${endpointId}`, ...refusal });
  return { deferral };
}

interface Found {
  readonly endpoint: ApiEndpoint;
  /** As in `Situation`. */
  readonly cannotWait?: readonly string[];
}

/** Decides on the change from what an existing compute runs to what is declared. */
export function decideOnFound(
  { services: { clock, config, liveReads } }: Step,
  { inputs, resource }: Declaration,
  { endpoint, cannotWait = [] }: Found,
): Decision<EndpointInputs> & { readonly change: PlannedChange<EndpointInputs> } {
  const change = changeOf(asFound(endpoint, inputs), inputs, {
    secrets: resource.secrets,
    service: config.service,
    now: nowOf(endpoint, liveReads.serviceNow()),
  });
  return { change, ...decideOn(change, { config, nowMs: clock.now(), cannotWait, isFinal: true }) };
}
