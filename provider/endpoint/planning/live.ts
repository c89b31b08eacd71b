/**
 * What the service says of a compute while a preview is made: asked only where a change interrupts, once for
 * all computes of a project, and never for long. A preview must not fail or crawl because of it.
 */
import type { ApiEndpoint } from "../../api/schemas";
import { spanText, type Clock } from "../../clock";
import type { ProviderConfig } from "../../settings/config";
import { previewLookMs, previewLooksAgainMs } from "../../timing";
import type { DeclaredArguments } from "./changes";
import type { ComputeType } from "./inputs";
import type { EndpointLists, EndpointsById } from "../lists";
import { changeOf, type PlannedChange, type NoticeOptions } from "./plan";
import { computeTypeOf, fieldsOf } from "../state";
import type { Now, Running } from "./verdict";

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

/** What previews ask the service. */
export interface LiveLooks {
  readonly lookLive: LookLive;
  /** The computes of a project; undefined where the service did not answer in time. */
  readonly listLive: (projectId: string) => Promise<EndpointsById | undefined>;
}

/** Saved plans compare a preview with its update: what the service says now would differ between the two. */
export function asksLive({
  liveFacts,
  updatePlans,
}: Pick<ProviderConfig, "liveFacts" | "updatePlans">): boolean {
  return liveFacts && !updatePlans;
}

const nothing = (): undefined => undefined;

export function createLiveLooks(lists: EndpointLists, clock: Clock): LiveLooks {
  const lateAtMs = new Map<string, number>();
  const listLive: LiveLooks["listLive"] = async (projectId) => {
    const late = lateAtMs.get(projectId);
    if (late !== undefined && clock.monotonicMs() - late < previewLooksAgainMs) return undefined;
    const waiting = new AbortController();
    const list = lists.recent(projectId).catch(() => undefined);
    const endpoints = await Promise.race([
      list,
      clock.sleep(previewLookMs, waiting.signal).then(nothing, nothing),
    ]);
    waiting.abort(new Error("the service has answered"));
    if (endpoints === undefined) lateAtMs.set(projectId, clock.monotonicMs());
    return endpoints;
  };
  const lookLive: LookLive = async ({ projectId, endpointId, branchId, type }) => {
    const endpoints = await listLive(projectId);
    if (endpoints === undefined) return { kind: "unsure" };
    const fitting = [...endpoints.values()].filter((endpoint) =>
      endpointId === undefined
        ? endpoint.branch_id === branchId && computeTypeOf(endpoint.type) === type
        : endpoint.id === endpointId,
    );
    const [only, ...more] = fitting;
    if (only === undefined) return { kind: "missing" };
    return more.length === 0 ? { kind: "found", endpoint: only } : { kind: "unsure" };
  };
  return { lookLive, listLive };
}

/**
 * What a compute does at this moment; undefined where the service does not say. What runs is `current_state` and
 * `pending_state` (interface 2.1), never the flag alone: one whose suspend failed is disabled and active, and one that
 * wakes is as good as active.
 */
export function runningOf({ disabled, ...endpoint }: ApiEndpoint): Running | undefined {
  const { current_state: state, pending_state: pending } = endpoint;
  if (state === "active" || pending === "active") return "active";
  if (state !== "idle") return undefined;
  return disabled === true ? "disabled" : "idle";
}

/** `idle now: none is open`, or `active now, last access 2 min ago`. */
export function nowOf(endpoint: ApiEndpoint, nowMs: number): Now {
  const running = runningOf(endpoint);
  if (running === undefined) return { running, text: "" };
  return {
    running,
    text: running === "active" ? `active now${lastAccess(endpoint, nowMs)}` : `${running} now: none is open`,
  };
}

/** A change from what the compute runs, which may be another thing than what its state or its declaration says. */
export function changeNow<Inputs extends DeclaredArguments>(
  { before, inputs }: PlannedChange<Inputs>,
  endpoint: ApiEndpoint,
  { nowMs, ...telling }: Omit<NoticeOptions, "now"> & { readonly nowMs: number },
): PlannedChange<Inputs> {
  const live = { ...before, ...fieldsOf(endpoint, inputs) };
  return changeOf(live, inputs, { ...telling, now: nowOf(endpoint, nowMs) });
}

function lastAccess(endpoint: ApiEndpoint, nowMs: number): string {
  const minutes = (nowMs - Date.parse(endpoint.last_active ?? "")) / 60_000;
  // A clock that is behind the service's, or no time at all.
  if (!Number.isFinite(minutes) || minutes < 0) return "";
  if (minutes < 1) return ", last access under a minute ago";
  return `, last access ${spanText(minutes)} ago`;
}
