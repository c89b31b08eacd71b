/**
 * Restarts the computes of a branch one after the other: replicas first, the primary last, each only after the one
 * before is done. If all of them restarted together, no compute of the branch would answer for a moment.
 *
 * Orders the updates that this process runs concurrently and those its diffs have announced. If the engine starts
 * them one by one, its order wins: an announced update that does not start is awaited for 3 s at most.
 */
import { longestTimerMs, type Clock } from "../../clock";
import { createCondition } from "../../condition";
import { announcedComesWithinMs, announcementsEndAfterMs } from "../../timing";
import type { EndpointState } from "../state";
import { restartRank } from "../planning/verdict";

/** A compute, at its place before the change. */
export type RestartingCompute = Pick<EndpointState, "projectId" | "branchId" | "endpointId" | "type">;

export interface RestartOrder {
  /** Call it when the program declares something: further declarations may follow. */
  note(): void;
  /** Call it when an update is planned that interrupts this compute. */
  announce(place: RestartingCompute): void;
  /**
   * Waits until an update may interrupt its compute.
   *
   * @returns a function that ends the compute's turn.
   */
  enter(place: RestartingCompute, how: EnterOptions): Promise<() => void>;
  /**
   * Waits for the updates of computes of a branch: one of them may move its primary away. Does not wait if their moves
   * wait for this compute's turn, as where two primaries swap their branches: the service then refuses both.
   */
  ended(
    branch: Pick<RestartingCompute, "projectId" | "branchId">,
    how: EnterOptions & { readonly own?: RestartingCompute | undefined },
  ): Promise<void>;
}

export interface EnterOptions {
  /** Called with the compute that goes first, or with undefined while announced updates have not started. */
  readonly onWait: (other: string | undefined) => void;
  /** Ends the wait at once; the caller then sends nothing. */
  readonly interrupted?: AbortSignal | undefined;
}

interface Branch {
  readonly announced: Map<string, RestartingCompute>;
  readonly waiting: Set<RestartingCompute>;
  running: RestartingCompute | undefined;
}

export function createRestartOrder(clock: Clock): RestartOrder {
  const branches = new Map<string, Branch>();
  const changed = createCondition();
  /** The branch whose updates the move of a compute waits for, by the compute's id. */
  const awaited = new Map<string, Branch>();
  let notedAtMs = Number.NEGATIVE_INFINITY;

  const waitsFor = ({ running }: Branch, own: RestartingCompute): boolean => {
    if (running?.endpointId === own.endpointId) return true;
    const next = running && awaited.get(running.endpointId);
    return next !== undefined && waitsFor(next, own);
  };

  /** Waits until no other compute of the branch has to go first. */
  const waitForTurn = async (
    place: RestartingCompute,
    branch: Branch,
    { onWait, interrupted }: EnterOptions,
  ): Promise<void> => {
    let stillMs = clock.monotonicMs();
    while (interrupted?.aborted !== true) {
      const before = whoGoesFirst(place, branch);
      const times = { stillMs, notedAtMs, nowMs: clock.monotonicMs() };
      const leftMs = before === undefined ? waitsForOthers(place, branch, times) : longestTimerMs;
      if (leftMs <= 0) return;
      if (before !== undefined || branch.announced.size > 0) onWait(before?.endpointId);
      await changed.wait({ clock, ms: leftMs, interrupted });
      if (before !== undefined) stillMs = clock.monotonicMs();
    }
  };

  const waitForAll = async (branch: Branch, { onWait, interrupted }: EnterOptions): Promise<void> => {
    let stillMs = clock.monotonicMs();
    while (interrupted?.aborted !== true) {
      const [other] = [branch.running, ...branch.waiting].filter((one) => one !== undefined);
      const times = { stillMs, notedAtMs, nowMs: clock.monotonicMs() };
      const leftMs = other === undefined ? announcesIn(branch, times) : longestTimerMs;
      if (leftMs <= 0) return;
      if (other !== undefined || branch.announced.size > 0) onWait(other?.endpointId);
      await changed.wait({ clock, ms: leftMs, interrupted });
      if (other !== undefined) stillMs = clock.monotonicMs();
    }
  };

  return {
    ended: async (place, { own, ...how }) => {
      const branch = branchOf(place, branches);
      if (own === undefined) return waitForAll(branch, how);
      if (waitsFor(branch, own)) return;
      awaited.set(own.endpointId, branch);
      await waitForAll(branch, how);
      awaited.delete(own.endpointId);
    },
    note: () => {
      notedAtMs = clock.monotonicMs();
    },
    announce: (place) => {
      branchOf(place, branches).announced.set(place.endpointId, place);
      changed.notifyAll();
    },
    enter: async (place, how) => {
      const branch = branchOf(place, branches);
      branch.announced.delete(place.endpointId);
      branch.waiting.add(place);
      changed.notifyAll();
      await waitForTurn(place, branch, how);
      branch.waiting.delete(place);
      branch.running = place;
      return () => {
        if (branch.running === place) branch.running = undefined;
        changed.notifyAll();
      };
    },
  };
}

function branchOf(
  { projectId, branchId }: Pick<RestartingCompute, "projectId" | "branchId">,
  branches: Map<string, Branch>,
): Branch {
  const key = JSON.stringify([projectId, branchId]);
  const known = branches.get(key) ?? { announced: new Map(), waiting: new Set(), running: undefined };
  branches.set(key, known);
  return known;
}

/** The compute that has to restart first, if it is another one. */
function whoGoesFirst(place: RestartingCompute, { running, waiting }: Branch): RestartingCompute | undefined {
  if (running !== undefined) return running;
  const [first = place] = [...waiting].sort((a, b) => restartRank(a) - restartRank(b));
  return first === place ? undefined : first;
}

interface Times {
  readonly stillMs: number;
  readonly notedAtMs: number;
  readonly nowMs: number;
}

/** How long a primary still waits for replicas whose updates have not started, in milliseconds. */
function waitsForOthers(place: RestartingCompute, branch: Branch, times: Times): number {
  return restartRank(place) === 0 ? 0 : announcesIn(branch, times);
}

/** How long to wait for updates of a branch that have not started, announced or not, in milliseconds. */
function announcesIn({ announced }: Branch, { stillMs, notedAtMs, nowMs }: Times): number {
  const startsInMs = stillMs + announcedComesWithinMs - nowMs;
  const declaredInMs = notedAtMs + announcementsEndAfterMs - nowMs;
  return announced.size === 0 ? Math.min(declaredInMs, startsInMs) : startsInMs;
}
