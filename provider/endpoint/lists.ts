/**
 * Reading computes. The interface has no read of one endpoint, so reading is the list of 4.2, shared by
 * reads that happen together: a refresh of a thousand computes is a handful of requests.
 */
import { inTime, type CallOptions } from "../api/answers";
import type { Api } from "../api/client";
import type { ApiEndpoint } from "../api/schemas";
import type { Clock } from "../clock";
import { listBatchMs, listServesCreatesMs, listServesMs } from "../timing";

/** The computes of a project by id. */
export type EndpointsById = ReadonlyMap<string, ApiEndpoint>;

export interface EndpointLists {
  /** The computes as they are now: the answer to a list that was sent after this call. */
  now(projectId: string, call?: CallOptions): Promise<EndpointsById>;
  /** The computes as they were at most two seconds ago, and never before a write of ours. */
  recent(projectId: string, call?: CallOptions): Promise<EndpointsById>;
  /** The computes as they were half a second ago at most, before our own writes or not: for creates, which know of each other. */
  forCreate(projectId: string, call?: CallOptions): Promise<EndpointsById>;
  /** To be told before each write: answers on their way cannot have seen it. */
  noteWrite(projectId: string): void;
}

interface Flight {
  /** On the monotonic clock; undefined until it is sent. */
  sentAtMs: number | undefined;
  readonly answer: Promise<EndpointsById>;
}

export function createEndpointLists(api: Api, clock: Clock): EndpointLists {
  const flights = new Map<string, Flight>();
  const writes = new Map<string, number>();
  const sizes = new Map<string, number>();

  const launch = (projectId: string, call: CallOptions | undefined): Flight => {
    const sizeMs = listBatchMs.forEachCompute * (sizes.get(projectId) ?? 0);
    const waitMs = Math.min(listBatchMs.most, Math.max(listBatchMs.least, sizeMs));
    const flight: Flight = {
      sentAtMs: undefined,
      answer: clock.sleep(waitMs).then(async () => {
        flight.sentAtMs = clock.monotonicMs();
        // For all who join it, so bounded by none of their deadlines.
        const endpoints = await api.listEndpoints(projectId, { onRetry: call?.onRetry });
        sizes.set(projectId, endpoints.length);
        return new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
      }),
    };
    flights.set(projectId, flight);
    // A failed list answers only the reads that wait for it now.
    flight.answer.catch(() => {
      if (flights.get(projectId) === flight) flights.delete(projectId);
    });
    return flight;
  };

  const listSince = (projectId: string, sinceMs: number, call?: CallOptions): Promise<EndpointsById> => {
    const flight = flights.get(projectId);
    const serves = flight !== undefined && (flight.sentAtMs === undefined || flight.sentAtMs > sinceMs);
    const { answer } = serves ? flight : launch(projectId, call);
    return inTime(answer, call?.deadline, `listing the computes of project ${projectId}`);
  };

  return {
    now: (projectId, call) => listSince(projectId, clock.monotonicMs(), call),
    recent: (projectId, call) => {
      const sinceMs = Math.max(
        clock.monotonicMs() - listServesMs,
        writes.get(projectId) ?? Number.NEGATIVE_INFINITY,
      );
      return listSince(projectId, sinceMs, call);
    },
    forCreate: (projectId, call) => listSince(projectId, clock.monotonicMs() - listServesCreatesMs, call),
    noteWrite: (projectId) => {
      writes.set(projectId, clock.monotonicMs());
    },
  };
}
