/**
 * Reading computes. The interface has no read of one endpoint, so reading is the list of 4.2, shared by
 * reads that happen together: a refresh of a thousand computes is a handful of requests.
 */
import { inTime, type CallOptions } from "../api/answers";
import type { Api, EndpointRef } from "../api/client";
import type { ApiEndpoint } from "../api/schemas";
import type { Clock } from "../clock";

/** The computes of a project by id. */
export type EndpointsById = ReadonlyMap<string, ApiEndpoint>;

export interface EndpointReads {
  /** The computes as they are now: the answer to a list that was sent after this call. */
  listNow(projectId: string, call?: CallOptions): Promise<EndpointsById>;
  /** The computes as they were at most two seconds ago, and never before a write of ours. */
  listRecent(projectId: string, call?: CallOptions): Promise<EndpointsById>;
  /** The computes as they were at most `latelyMs` ago, before our own writes or not: for those who know of them. */
  listLately(projectId: string): Promise<EndpointsById>;
  /** One compute as it is now; undefined where the project does not list it. */
  findNow(ref: EndpointRef, call?: CallOptions): Promise<ApiEndpoint | undefined>;
  /** To be told before each write: answers on their way cannot have seen it. */
  noteWrite(projectId: string): void;
}

/** How long an answer serves reads that come after it. */
const shareMs = 2_000;
/** The same for reads that need not see our own writes. */
export const latelyMs = 500;
/**
 * How long a list waits for other reads to join it, before it is sent: the longer, the more computes the last one
 * showed, so that the lists of a project with a thousand computes, a megabyte each, are few.
 */
const gatherMs = { least: 5, forEachCompute: 0.5, most: 500 } as const;

interface Flight {
  /** On the monotonic clock; undefined until it is sent. */
  sentAtMs: number | undefined;
  readonly answer: Promise<EndpointsById>;
}

export function createEndpointReads(api: Api, clock: Clock): EndpointReads {
  const flights = new Map<string, Flight>();
  const writes = new Map<string, number>();
  const sizes = new Map<string, number>();

  const launch = (projectId: string, call: CallOptions | undefined): Flight => {
    const sizeMs = gatherMs.forEachCompute * (sizes.get(projectId) ?? 0);
    const waitMs = Math.min(gatherMs.most, Math.max(gatherMs.least, sizeMs));
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
    // A failed list is nobody's answer but theirs who wait for it.
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

  const listNow: EndpointReads["listNow"] = (projectId, call) =>
    listSince(projectId, clock.monotonicMs(), call);

  return {
    listNow,
    listRecent: (projectId, call) => {
      const sinceMs = Math.max(
        clock.monotonicMs() - shareMs,
        writes.get(projectId) ?? Number.NEGATIVE_INFINITY,
      );
      return listSince(projectId, sinceMs, call);
    },
    listLately: (projectId) => listSince(projectId, clock.monotonicMs() - latelyMs),
    findNow: async (ref, call) => (await listNow(ref.projectId, call)).get(ref.endpointId),
    noteWrite: (projectId) => {
      writes.set(projectId, clock.monotonicMs());
    },
  };
}
