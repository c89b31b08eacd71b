/**
 * Reads computes from lists that several reads share: the interface has no request for a single endpoint, only the list of 4.2.
 * A refresh of a thousand computes needs only a handful of requests.
 */
import type { Clock } from "../clock";
import { ComputeError, RequestError } from "../model/errors";
import { listJoinMs } from "../model/timing";
import type { Api, EndpointsById } from "./client";
import type { CallOptions, ComputeScope } from "./request";
import { waitWhileAway } from "./retry";
import type { ApiEndpoint } from "./schemas";

interface ListOptions extends CallOptions {
  /**
   * How old the list may be, in milliseconds. Default 0: the list is requested after this call. An older list is used only if
   * it was requested after our last deletion in the project and our last change to the scope's compute. It may miss our latest
   * creates, and changes to other computes.
   */
  readonly ageMs?: number;
  /** In a preview: how long to wait for the answer, in milliseconds. Default: until the deadline. */
  readonly answerMs?: number;
}

/**
 * Lists the computes of a project: every read uses this list.
 *
 * @throws ComputeError if there is no answer in time, or if the answer is a refusal.
 */
export type ListComputes = (scope: ComputeScope, options?: ListOptions) => Promise<EndpointsById>;

/** A list that several reads share. Its request is sent after a short delay, so that other reads can join. */
interface Flight {
  /** When the request was sent, on the monotonic clock; undefined until then. */
  sentAtMs?: number;
  readonly answer: Promise<EndpointsById>;
}

export function createLists(api: Api, clock: Clock): ListComputes {
  /** The latest list of each project, and the latest one that has been answered. */
  const flights = new Map<string, Flight>();
  const answered = new Map<string, Flight>();

  const launch = (projectId: string, call: CallOptions): Flight => {
    const read = async (): Promise<EndpointsById> => {
      await clock.sleep(listJoinMs);
      flight.sentAtMs = clock.monotonicMs();
      // Several reads share this list, so none of their deadlines may end it.
      return api.listEndpoints(projectId, { onRetry: call.onRetry });
    };
    const flight: Flight = { answer: read() };
    flights.set(projectId, flight);
    flight.answer.then(
      () => answered.set(projectId, flight),
      // A failed list fails the reads that wait for it now. The next read requests a new list.
      () => {
        if (flights.get(projectId) === flight) flights.delete(projectId);
      },
    );
    return flight;
  };

  const listOnce: ListComputes = (scope, { ageMs = 0, answerMs, ...call } = {}) => {
    const { projectId } = scope;
    const sinceMs = Math.max(clock.monotonicMs() - ageMs, api.lastWriteMs(scope));
    const serving = [answered, flights]
      .map((known) => known.get(projectId))
      .find((flight) => flight !== undefined && (flight.sentAtMs ?? Infinity) > sinceMs);
    const { answer } = serving ?? launch(projectId, call);
    const doing = `listing the computes of project ${projectId}`;
    if (answerMs !== undefined) return answerWithin(answerMs, answer, { clock, doing });
    return call.deadline?.bound(answer, doing) ?? answer;
  };
  return async (scope, options = {}) => {
    const { deadline, onRetry } = options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await listOnce(scope, options);
      } catch (error) {
        const mayComeBack = deadline !== undefined && api.hasAnswered() && error instanceof RequestError;
        const waitMs = mayComeBack ? waitWhileAway(error, { method: "GET", attempt }) : undefined;
        if (deadline === undefined || waitMs === undefined || waitMs > deadline.leftMs()) throw error;
        onRetry?.(attempt, waitMs);
        await deadline.wait(waitMs);
      }
    }
  };
}

/** Waits at most `ms`, since a preview must not become slow. The request continues for other callers. */
async function answerWithin<T>(
  ms: number,
  answer: Promise<T>,
  { clock, doing }: { readonly clock: Clock; readonly doing: string },
): Promise<T> {
  const waiting = new AbortController();
  const late = clock.sleep(ms, waiting.signal).then(() => {
    const problem = { doing, what: `no answer within ${ms / 1000} s`, fix: "Run `pulumi preview` again" };
    throw new ComputeError(problem);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    waiting.abort();
  }
}

/**
 * Why a list cannot tell whether it has a compute; undefined if it can. A compute that cannot be read casts no doubt on the
 * others, unless its id cannot be read either.
 */
export function unreadableIn(
  { unreadable = [] }: Pick<EndpointsById, "unreadable">,
  isMeant: (id: string) => boolean,
): RequestError | undefined {
  return unreadable.find(({ id }) => id === undefined || isMeant(id))?.error;
}

/** The compute with this id in a list; undefined if the list does not have it. @throws RequestError if the list cannot tell. */
export function endpointIn(endpoints: EndpointsById, endpointId: string): ApiEndpoint | undefined {
  const endpoint = endpoints.get(endpointId);
  const error = endpoint === undefined ? unreadableIn(endpoints, (id) => id === endpointId) : undefined;
  if (error !== undefined) throw error;
  return endpoint;
}

/** The primary compute of a branch, if it has one. */
export function primaryOn(branchId: string, endpoints: EndpointsById): ApiEndpoint | undefined {
  return [...endpoints.values()].find(
    (endpoint) => endpoint.branch_id === branchId && endpoint.type === "read_write",
  );
}
