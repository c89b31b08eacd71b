/**
 * Reads computes from lists that several reads share: the interface cannot read one endpoint, it only has the list of
 * 4.2. A refresh of a thousand computes needs only a handful of requests.
 */
import { inTime } from "../api/answers";
import type { CallOptions } from "../api/retry";
import type { Api } from "../api/client";
import type { Clock } from "../clock";
import type { EndpointsById } from "./listed";
import { listJoinMs, listServesMs } from "../pure/timing";

/** The computes of a project, or one of them. */
export interface ListedOf {
  readonly projectId: string;
  readonly endpointId?: string | undefined;
}

export interface EndpointLists {
  /** The computes as they are now: the answer to a list that was sent after this call. */
  now(projectId: string, call?: CallOptions): Promise<EndpointsById>;
  /**
   * The computes as they were at most two seconds (or `ageMs`) ago, and never before a deletion of ours, nor before a
   * change of ours to the compute that is named. The list may miss our latest creates, and changes to other computes.
   */
  recent(of: ListedOf, call?: CallOptions, ageMs?: number): Promise<EndpointsById>;
  /** Call it before each change of a compute, and before each deletion in a project: a list already sent may miss it. */
  noteWrite(of: ListedOf): void;
}

/** A list that several reads share: it is sent after a short delay, so that others can join. */
interface Flight {
  /** On the monotonic clock; undefined until the request is sent. */
  sentAtMs?: number;
  readonly answer: Promise<EndpointsById>;
}

export function createEndpointLists(api: Api, clock: Clock): EndpointLists {
  /** The latest list of each project, and the latest one that has been answered. */
  const flights = new Map<string, Flight>();
  const answered = new Map<string, Flight>();
  /** When we last changed a compute, or deleted one of a project; by its id. */
  const writes = new Map<string, number>();

  const launch = (projectId: string, call: CallOptions | undefined): Flight => {
    const read = async (): Promise<EndpointsById> => {
      await clock.sleep(listJoinMs);
      flight.sentAtMs = clock.monotonicMs();
      // Several reads share this list, so none of their deadlines may end it.
      const endpoints = await api.listEndpoints(projectId, { onRetry: call?.onRetry });
      const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint] as const));
      return Object.assign(byId, { unreadable: endpoints.unreadable });
    };
    const flight: Flight = { answer: read() };
    flights.set(projectId, flight);
    flight.answer.then(
      () => answered.set(projectId, flight),
      // A failed list fails the reads that wait for it now; the next read sends a new one.
      () => {
        if (flights.get(projectId) === flight) flights.delete(projectId);
      },
    );
    return flight;
  };

  const listSince = (projectId: string, sinceMs: number, call?: CallOptions): Promise<EndpointsById> => {
    const serving = [answered, flights]
      .map((known) => known.get(projectId))
      .find((flight) => flight !== undefined && (flight.sentAtMs ?? Infinity) > sinceMs);
    const { answer } = serving ?? launch(projectId, call);
    return inTime(answer, call?.deadline, `listing the computes of project ${projectId}`);
  };

  return {
    now: (projectId, call) => listSince(projectId, clock.monotonicMs(), call),
    recent: ({ projectId, endpointId = "" }, call, ageMs = listServesMs) => {
      const writtenAtMs = [projectId, endpointId].map((id) => writes.get(id) ?? -Infinity);
      return listSince(projectId, Math.max(clock.monotonicMs() - ageMs, ...writtenAtMs), call);
    },
    noteWrite: ({ projectId, endpointId }) => {
      writes.set(endpointId ?? projectId, clock.monotonicMs());
    },
  };
}
