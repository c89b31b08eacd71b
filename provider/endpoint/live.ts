/**
 * What the service says of a compute while a preview is made: asked only where a change interrupts, once for
 * all computes of a project, and never for long. A preview must not fail or crawl because of it.
 */
import type { ApiEndpoint } from "../api/schemas";
import type { Clock } from "../clock";
import type { ComputeType } from "./inputs";
import type { EndpointReads } from "./reads";
import { fieldsOf } from "./state";

/** Tells one compute of a project: by its id, or as the only one of its branch and type. */
export interface ComputeDescription {
  readonly projectId: string;
  readonly endpointId?: string | undefined;
  readonly branchId?: string | undefined;
  readonly type?: ComputeType | undefined;
}

/**
 * - `found`: the compute as it is.
 * - `missing`: the service knows the project, and no such compute in it.
 * - `unsure`: the service did not answer in time, or several computes fit.
 */
export type LiveLook =
  { readonly kind: "found"; readonly endpoint: ApiEndpoint } | { readonly kind: "missing" | "unsure" };

export type LookLive = (compute: ComputeDescription) => Promise<LiveLook>;

/** Longest that a preview waits for the service. */
const patienceMs = 2_000;
/** How long a project whose list was late is not asked again: previews check one compute after the other. */
const discouragedMs = 30_000;

export function createLiveLook(reads: EndpointReads, clock: Clock): LookLive {
  const lateAtMs = new Map<string, number>();
  return async ({ projectId, endpointId, branchId, type }) => {
    const late = lateAtMs.get(projectId);
    if (late !== undefined && clock.monotonicMs() - late < discouragedMs) return { kind: "unsure" };
    const waiting = new AbortController();
    const list = reads.listRecent(projectId).catch(() => undefined);
    const endpoints = await Promise.race([
      list,
      clock.sleep(patienceMs, waiting.signal).catch(() => undefined),
    ]);
    waiting.abort(new Error("the service has answered"));
    if (endpoints === undefined) {
      lateAtMs.set(projectId, clock.monotonicMs());
      return { kind: "unsure" };
    }
    const fitting = [...endpoints.values()].filter((endpoint) =>
      endpointId === undefined
        ? endpoint.branch_id === branchId && fieldsOf(endpoint)["type"] === type
        : endpoint.id === endpointId,
    );
    const [only, ...more] = fitting;
    if (only === undefined) return { kind: "missing" };
    return more.length === 0 ? { kind: "found", endpoint: only } : { kind: "unsure" };
  };
}

/** Whether a compute serves connections at this moment; undefined where the service does not say. */
export function isRunning(endpoint: ApiEndpoint): boolean | undefined {
  if (endpoint.disabled === true || endpoint.current_state === "idle") return false;
  return endpoint.current_state === "active" ? true : undefined;
}

/** `idle now: none is open`, or `active now, last access 2 min ago`; empty where the service does not say. */
export function describeNow(endpoint: ApiEndpoint, nowMs: number): string {
  switch (isRunning(endpoint)) {
    case true:
      return `active now${lastAccess(endpoint, nowMs)}`;
    case false:
      return `${endpoint.disabled === true ? "disabled" : "idle"} now: none is open`;
    case undefined:
      return "";
  }
}

function lastAccess(endpoint: ApiEndpoint, nowMs: number): string {
  const minutes = (nowMs - Date.parse(endpoint.last_active ?? "")) / 60_000;
  // A clock that is behind the service's, or no time at all.
  if (!Number.isFinite(minutes) || minutes < 0) return "";
  if (minutes < 1) return ", last access under a minute ago";
  const rounded = minutes < 120 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
  return `, last access ${rounded} ago`;
}
