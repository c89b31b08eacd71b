/**
 * What is a compute doing at this moment, according to the service?
 */
import type { Now, Running } from "../model/interruption";
import { spanText, timeOf } from "../model/timing";
import type { ApiEndpoint } from "./schemas";

/**
 * What a compute is doing at this moment; undefined if the service does not say. `current_state` and `pending_state`
 * count (interface 2.1), and not the flag `disabled` alone: a compute whose suspension failed is disabled and active. A
 * compute that is starting counts as active.
 */
export function runningOf({ disabled, ...endpoint }: ApiEndpoint): Running | undefined {
  const { current_state: state, pending_state: pending } = endpoint;
  if (state === "active" || pending === "active") return "active";
  if (state !== "idle") return undefined;
  return disabled === true ? "disabled" : "idle";
}

/**
 * What a compute was doing before a change, according to the change's answer. Its pending state does not count: the operations
 * of the change lead to that state.
 */
export function ranBefore(answered: ApiEndpoint): Running | undefined {
  return runningOf({ ...answered, pending_state: undefined });
}

/** What a compute is doing now, for a notice, with the time since its last connection. @param nowMs - the service's time. */
export function nowOf(endpoint: ApiEndpoint, nowMs: number): Now {
  const running = runningOf(endpoint);
  return running === "active" ? { running, lastAccess: lastAccess(endpoint, nowMs) } : { running };
}

/** `5 min ago`; undefined if the local clock is behind the service's, or the time is missing. */
function lastAccess(endpoint: ApiEndpoint, nowMs: number): string | undefined {
  const minutes = (nowMs - timeOf(endpoint.last_active)) / 60_000;
  if (!Number.isFinite(minutes) || minutes < 0) return undefined;
  return minutes < 1 ? "under a minute ago" : `${spanText(minutes)} ago`;
}
