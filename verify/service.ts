/**
 * Watches the service with the provider's client, but independently of the provider. Records what a compute does during a
 * change, and its operations since the change began, including those that no answer has named.
 */
import type { Clock } from "../provider/clock";
import { hasEnded } from "../provider/service/observation";
import type { Api } from "../provider/service/client";
import { createOperationBatches } from "../provider/service/operations";
import type { ApiEndpoint, ApiOperation } from "../provider/service/schemas";

/** A compute at one moment. */
interface Look {
  /** Undefined if the service does not list it. */
  readonly endpoint: ApiEndpoint | undefined;
  /** Its newest operations, oldest first. */
  readonly operations: readonly ApiOperation[];
}

/** What a compute did while a change was made. */
export interface Seen {
  readonly before: ApiEndpoint | undefined;
  readonly after: ApiEndpoint | undefined;
  /** The operations since the change, oldest first. */
  readonly operations: readonly ApiOperation[];
  /**
   * Operations that no answer has named, and that the service created before those of this change, oldest first: they come from
   * an earlier change of the compute.
   */
  readonly earlier: readonly ApiOperation[];
  /** The states seen during the change: `active`, `init → active`. */
  readonly states: readonly string[];
}

export interface Observer {
  /** Carries out the change, then watches until its operations have ended. @throws the signal's reason when stopped */
  during<Result extends Named>(
    endpointId: string,
    act: () => Promise<Result>,
  ): Promise<{ seen: Seen; result: Result }>;
}

/** What the answers to the requests of a change have named. */
interface Named {
  /** Ids of operations. */
  readonly named: ReadonlySet<string>;
}

/** Time between two looks at the state. */
const lookMs = 500;
/** How long to watch operations that the provider does not wait for. */
const restMs = 60_000;

interface ObserverOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly projectId: string;
  /** How long to wait after a change and before each look: some operations that no answer names begin only in this pause. */
  readonly pauseMs: number;
  /** Aborts when nobody waits any longer. */
  readonly stop: AbortSignal;
}

export function createObserver({ api, clock, projectId, pauseMs, stop }: ObserverOptions): Observer {
  const batches = createOperationBatches(api);
  /** Ids of the operations that were seen for each compute. */
  const known = new Map<string, ReadonlySet<string>>();
  const look = async (endpointId: string): Promise<Look> => {
    const endpoint = (await api.listEndpoints(projectId)).get(endpointId);
    const operations = await batches.listOf(projectId, endpointId);
    return { endpoint, operations: [...operations].reverse() };
  };
  /** The operations of a look that no look before has shown. */
  const newIn = (endpointId: string, { operations }: Look): readonly ApiOperation[] => {
    const old = known.get(endpointId);
    known.set(endpointId, new Set([...(old ?? []), ...operations.map(({ id }) => id)]));
    // At the first look, only the operations of the create are there.
    return old === undefined ? [] : operations.filter(({ id }) => !old.has(id));
  };
  const rest = async (endpointId: string): Promise<Look> => {
    const endMs = clock.monotonicMs() + restMs;
    for (;;) {
      await clock.sleep(pauseMs);
      stop.throwIfAborted();
      const seen = await look(endpointId);
      const isOld = ({ id }: ApiOperation): boolean => known.get(endpointId)?.has(id) === true;
      const isOver = seen.operations.every((one) => isOld(one) || hasEnded(one.status));
      if (isOver || clock.monotonicMs() > endMs) return seen;
    }
  };
  /** Notes each new state until it is stopped. A failed look is skipped, since the next one may succeed. */
  const followStates = (endpointId: string, states: Set<string>): (() => Promise<void>) => {
    const over = new AbortController();
    const follow = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const listed = await api.listEndpoints(projectId).catch(() => undefined);
        noteState(states, listed?.get(endpointId));
        await clock.sleep(lookMs, over.signal);
      }
    };
    const following = follow();
    return () => {
      over.abort();
      return following;
    };
  };
  return {
    during: async (endpointId, act) => {
      const before = await look(endpointId);
      const states = new Set<string>();
      noteState(states, before.endpoint);
      const leave = followStates(endpointId, states);
      const between = newIn(endpointId, before);
      const result = await act().finally(leave);
      const after = await rest(endpointId);
      noteState(states, after.endpoint);
      const since = newIn(endpointId, after);
      // As last read: they may not have ended at the first look.
      const late = between.map((old) => after.operations.find(({ id }) => id === old.id) ?? old);
      // The service lists operations in the order of their creation.
      const first = Math.max(
        0,
        since.findIndex(({ id }) => result.named.has(id)),
      );
      const seen = {
        ...{ before: before.endpoint, after: after.endpoint, states: [...states] },
        operations: since.slice(first),
        earlier: [...late, ...since.slice(0, first)],
      };
      return { seen, result };
    },
  };
}

function noteState(states: Set<string>, endpoint: ApiEndpoint | undefined): void {
  const { current_state: now, pending_state: next } = endpoint ?? {};
  if (now == null) return;
  states.add(next == null || next === now ? now : `${now} → ${next}`);
}
