/**
 * Asks the service about a compute during a preview: only if a change interrupts, once for all computes of a project,
 * and with a short time limit. A preview must not fail or become slow because of it.
 */
import type { ApiEndpoint } from "../../api/schemas";
import type { Clock } from "../../clock";
import { previewReadMs, previewReadsAgainMs } from "../../timing";
import type { ComputeType } from "./inputs";
import { unreadableIn, type EndpointsById } from "../listed";
import type { EndpointLists } from "../lists";
import { computeTypeOf } from "../state";
import { trackFailedReads, type FailedReads } from "./failedReads";

/** Identifies one compute of a project: by its id, or as the only one of its branch and type. */
export interface ComputeDescription {
  readonly projectId: string;
  readonly endpointId?: string | undefined;
  readonly branchId?: string | undefined;
  readonly type?: ComputeType | undefined;
}

/**
 * - `found`: the compute as it is.
 * - `missing`: the service knows the project, and it has no such compute.
 * - `unsure`: several computes fit, or the answer cannot be read.
 * - `unanswered`: the service did not answer in time, or refused to.
 */
export type LiveRead =
  | { readonly kind: "found"; readonly endpoint: ApiEndpoint }
  | { readonly kind: "missing" | "unsure" | "unanswered" };

export type ReadLive = (compute: ComputeDescription) => Promise<LiveRead>;

/** What previews ask the service. */
export interface LiveReads {
  readonly readLive: ReadLive;
  /** The computes of a project; undefined if the service did not answer in time, or refused to. */
  readonly listLive: (projectId: string) => Promise<EndpointsById | undefined>;
  /**
   * Wall time in milliseconds, for comparing with the service's timestamps: its own if its answers state it. This
   * machine's clock may be hours off.
   */
  readonly serviceNow: () => number;
  /** Why the service did not list a project, for a preview's row; each cause is returned once in a process. */
  readonly takeFailures: FailedReads["take"];
}

const nothing = (): undefined => undefined;

interface LiveSources {
  /** The service's time; undefined until an answer of the service has stated it. */
  readonly serviceNow?: () => number | undefined;
}

export function createLiveReads(
  lists: EndpointLists,
  clock: Clock,
  { serviceNow }: LiveSources = {},
): LiveReads {
  const lateAtMs = new Map<string, number>();
  const failed = trackFailedReads();
  const inTime = async <T>(answer: Promise<T>): Promise<T | undefined> => {
    const waiting = new AbortController();
    const first = await Promise.race([
      answer.catch(nothing),
      clock.sleep(previewReadMs, waiting.signal).then(nothing, nothing),
    ]);
    waiting.abort(new Error("the service has answered"));
    return first;
  };
  const listLive: LiveReads["listLive"] = async (projectId) => {
    const late = lateAtMs.get(projectId);
    if (late !== undefined && clock.monotonicMs() - late < previewReadsAgainMs) return undefined;
    const list = lists.recent({ projectId });
    let error: unknown;
    list.catch((reason: unknown) => (error = reason));
    const endpoints = await inTime(list);
    if (endpoints !== undefined) return endpoints;
    lateAtMs.set(projectId, clock.monotonicMs());
    failed.note(projectId, error);
    return undefined;
  };
  const readLive: ReadLive = async ({ projectId, endpointId, branchId, type }) => {
    const endpoints = await listLive(projectId);
    if (endpoints === undefined) return { kind: "unanswered" };
    const fitting = [...endpoints.values()].filter((endpoint) =>
      endpointId === undefined
        ? endpoint.branch_id === branchId && computeTypeOf(endpoint.type) === type
        : endpoint.id === endpointId,
    );
    const [only, ...more] = fitting;
    if (only === undefined) {
      const isUnsure =
        unreadableIn(endpoints, (id) => endpointId === undefined || id === endpointId) !== undefined;
      return { kind: isUnsure ? "unsure" : "missing" };
    }
    return more.length === 0 ? { kind: "found", endpoint: only } : { kind: "unsure" };
  };
  return {
    readLive,
    listLive,
    serviceNow: () => serviceNow?.() ?? clock.now(),
    takeFailures: failed.take,
  };
}
