/**
 * Reads computes from lists that several reads share: the interface cannot read one endpoint, it only has the list of
 * 4.2. A refresh of a thousand computes needs only a handful of requests.
 */
import { inTime, type CallOptions } from "../api/answers";
import type { Api } from "../api/client";
import type { Clock } from "../clock";
import { launchIn, type Flight } from "../flight";
import type { EndpointsById } from "./listed";
import { listBatchMs, listServesMs } from "../timing";

export interface EndpointLists {
  /** The computes as they are now: the answer to a list that was sent after this call. */
  now(projectId: string, call?: CallOptions): Promise<EndpointsById>;
  /** The computes as they were at most two seconds ago, and never before a write of ours. */
  recent(projectId: string, call?: CallOptions): Promise<EndpointsById>;
  /**
   * The computes as they were at most so many milliseconds ago, and never before a deletion of ours. The list may miss
   * our own latest creates and updates: for whoever knows of them, or asks about a compute before it is written to.
   */
  within(projectId: string, ageMs: number, call?: CallOptions): Promise<EndpointsById>;
  /** Call it before each write: lists already sent may not show the write. */
  noteWrite(projectId: string, options?: { readonly isDeletion?: boolean | undefined }): void;
}

export function createEndpointLists(api: Api, clock: Clock): EndpointLists {
  const flights = new Map<string, Flight<EndpointsById>>();
  const writes = new Map<string, number>();
  const deletions = new Map<string, number>();
  const launch = launcher(api, clock, flights);

  const listSince = (projectId: string, sinceMs: number, call?: CallOptions): Promise<EndpointsById> => {
    const flight = flights.get(projectId);
    const serves = flight !== undefined && (flight.sentAtMs === undefined || flight.sentAtMs > sinceMs);
    const { answer } = serves ? flight : launch(projectId, call);
    return inTime(answer, call?.deadline, `listing the computes of project ${projectId}`);
  };

  const noEarlier = (ageMs: number, writtenAtMs = Number.NEGATIVE_INFINITY): number =>
    Math.max(clock.monotonicMs() - ageMs, writtenAtMs);

  return {
    now: (projectId, call) => listSince(projectId, clock.monotonicMs(), call),
    recent: (projectId, call) => listSince(projectId, noEarlier(listServesMs, writes.get(projectId)), call),
    within: (projectId, ageMs, call) =>
      listSince(projectId, noEarlier(ageMs, deletions.get(projectId)), call),
    noteWrite: (projectId, { isDeletion = false } = {}) => {
      writes.set(projectId, clock.monotonicMs());
      if (isDeletion) deletions.set(projectId, clock.monotonicMs());
    },
  };
}

/**
 * Sends the next list of a project, in time for other reads to join it; `flights` has the latest list of each
 * project.
 */
function launcher(api: Api, clock: Clock, flights: Map<string, Flight<EndpointsById>>) {
  const sizes = new Map<string, number>();
  return (projectId: string, call: CallOptions | undefined): Flight<EndpointsById> => {
    const sizeMs = listBatchMs.forEachCompute * (sizes.get(projectId) ?? 0);
    const waitMs = Math.min(listBatchMs.most, Math.max(listBatchMs.least, sizeMs));
    const flight = launchIn(waitMs, clock, async () => {
      // Several reads share this list, so none of their deadlines may end it.
      const endpoints = await api.listEndpoints(projectId, { onRetry: call?.onRetry });
      sizes.set(projectId, endpoints.length);
      const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint] as const));
      return Object.assign(byId, { unreadable: endpoints.unreadable });
    });
    flights.set(projectId, flight);
    // A failed list fails the reads that wait for it now; the next read sends a new one.
    flight.answer.catch(() => {
      if (flights.get(projectId) === flight) flights.delete(projectId);
    });
    return flight;
  };
}
