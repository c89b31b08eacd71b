/**
 * What a compute runs at this moment, and what a change does to it then. Pure: live.ts asks the service.
 */
import type { ApiEndpoint } from "../service/schemas";
import { spanText, timeOf } from "../model/timing";
import type { ProviderConfig } from "../settings/config";
import type { Arguments } from "../model/changes";
import {
  changeOf,
  type PlannedChange,
  type Circumstances,
  type Now,
  type Running,
} from "../model/interruption";
import { mayHoldBack } from "../model/policy";
import { asFound, fieldsOf } from "../model/state";
import type { LiveReads } from "./live";

/** Whether a plan asks: in a preview, and where a policy may hold the change back. */
export function asksService(
  { inputs, isPreview }: { readonly inputs: Arguments; readonly isPreview: boolean },
  config: ProviderConfig,
): boolean {
  return config.liveFacts && (isPreview || mayHoldBack(inputs, config));
}

/**
 * What a compute does at this moment; undefined if the service does not say. `current_state` and `pending_state`
 * count (interface 2.1), not the flag alone: a compute whose suspend failed is disabled and active, and one that is
 * starting counts as active.
 */
export function runningOf({ disabled, ...endpoint }: ApiEndpoint): Running | undefined {
  const { current_state: state, pending_state: pending } = endpoint;
  if (state === "active" || pending === "active") return "active";
  if (state !== "idle") return undefined;
  return disabled === true ? "disabled" : "idle";
}

export function nowOf(endpoint: ApiEndpoint, nowMs: number): Now {
  const running = runningOf(endpoint);
  return running === "active" ? { running, lastAccess: lastAccess(endpoint, nowMs) } : { running };
}

/** What a comparison with a live compute has to know besides the two sides. */
interface Comparing {
  /** Names of the arguments that are secret. */
  readonly secrets: readonly string[];
  readonly services: {
    readonly config: Pick<ProviderConfig, "service">;
    readonly liveReads: Pick<LiveReads, "serviceNow">;
  };
}

/** The change from what the compute runs, which may differ from its state and from its declaration. */
export function changeNow<Inputs extends Arguments>(
  { before, inputs }: PlannedChange<Inputs>,
  endpoint: ApiEndpoint,
  comparing: Comparing,
): PlannedChange<Inputs> {
  return changeOf({ ...before, ...fieldsOf(endpoint, inputs) }, inputs, optionsOf(comparing, endpoint));
}

/** The change, with what it interrupts: what changes is what differs from the state, not from what runs. */
export function interruptingNow<Inputs extends Arguments>(
  change: PlannedChange<Inputs>,
  endpoint: ApiEndpoint,
  comparing: Comparing,
): PlannedChange<Inputs> {
  const { interruption, now } = changeNow(change, endpoint, comparing);
  return { ...change, interruption, now };
}

/** The change from an existing compute, which no state of the resource has yet, to its declaration. */
export function changeOfFound<Inputs extends Arguments>(
  endpoint: ApiEndpoint,
  inputs: Inputs,
  comparing: Comparing,
): PlannedChange<Inputs> {
  return changeOf(asFound(endpoint, inputs), inputs, optionsOf(comparing, endpoint));
}

function optionsOf(
  { secrets, services: { config, liveReads } }: Comparing,
  endpoint: ApiEndpoint,
): Circumstances {
  return { secrets, service: config.service, now: nowOf(endpoint, liveReads.serviceNow()) };
}

/** `5 min ago`; undefined if the local clock is behind the service's, or the time is missing. */
function lastAccess(endpoint: ApiEndpoint, nowMs: number): string | undefined {
  const minutes = (nowMs - timeOf(endpoint.last_active)) / 60_000;
  if (!Number.isFinite(minutes) || minutes < 0) return undefined;
  return minutes < 1 ? "under a minute ago" : `${spanText(minutes)} ago`;
}
