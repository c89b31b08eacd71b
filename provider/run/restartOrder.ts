/**
 * Keeps half of a branch's replicas running while its computes restart, and restarts the primary last, by itself. If all of
 * them restarted together, no compute of the branch would answer for a moment. One that does not come back stops those
 * that come after it: a change that no compute survives is met by a replica.
 *
 * Orders the updates that this process runs concurrently and those its diffs have announced. If the engine starts
 * them one by one, its order wins: an announced update that does not start is awaited for 3 s at most.
 */
import { longestTimerMs, type Clock } from "../clock";
import { createCondition } from "../condition";
import { announcedComesWithinMs, announcementsEndAfterMs } from "../model/timing";
import type { EndpointState } from "../model/state";
import { restartRank } from "../model/interruption";

/** A compute, at its place before the change. */
export type RestartingCompute = Pick<EndpointState, "projectId" | "branchId" | "endpointId" | "type">;

export interface RestartOrder {
  /** Call it when the program declares something: further declarations may follow. */
  note(): void;
  /** Call it when an update is planned that interrupts this compute. */
  announce(place: RestartingCompute): void;
  /**
   * Waits until an update may interrupt its compute.
   */
  enter(place: RestartingCompute, how: EnterOptions): Promise<BranchTurn>;
}

/** The turn of one compute among those of its branch. */
interface BranchTurn {
  /** Another compute of the branch that has not come back in this run, as messages call it. */
  missing(): string | undefined;
  /** The compute of this turn has not come back. @param name - what messages call it. */
  miss(name: string): void;
  end(): void;
}

interface EnterOptions {
  /** How many replicas of the branch run: half of them may be interrupted at the same time, and at least one. */
  readonly replicas: number;
  /** Called with the compute that goes first, or with undefined while announced updates have not started. */
  readonly onWait: (other: string | undefined) => void;
  /** Ends the wait at once; the caller then sends nothing. */
  readonly interrupted?: AbortSignal | undefined;
}

interface Branch {
  readonly announced: Map<string, RestartingCompute>;
  readonly waiting: Set<RestartingCompute>;
  /** Those whose turn it is. */
  readonly running: Set<RestartingCompute>;
  /** Computes that have not come back in this run: by id, what messages call them. */
  readonly missing: Map<string, string>;
}

export function createRestartOrder(clock: Clock): RestartOrder {
  const branches = new Map<string, Branch>();
  const changed = createCondition();
  let notedAtMs = Number.NEGATIVE_INFINITY;

  const branchOf = ({ projectId, branchId }: Pick<RestartingCompute, "projectId" | "branchId">): Branch => {
    const key = JSON.stringify([projectId, branchId]);
    const branch = branches.get(key) ?? {
      announced: new Map(),
      waiting: new Set(),
      running: new Set(),
      missing: new Map(),
    };
    branches.set(key, branch);
    return branch;
  };

  /** How long to wait for updates of a branch that have not started, announced or not, in milliseconds. */
  const startsInMs = ({ announced }: Branch, stillMs: number): number => {
    const startMs = stillMs + announcedComesWithinMs;
    const endMs = announced.size === 0 ? Math.min(startMs, notedAtMs + announcementsEndAfterMs) : startMs;
    return endMs - clock.monotonicMs();
  };

  /** Waits until no other compute goes first, nor may still be about to. */
  const waitForTurn = async (place: RestartingCompute, branch: Branch, how: EnterOptions): Promise<void> => {
    const { onWait, interrupted, replicas } = how;
    // A primary waits for replicas whose updates have not started.
    const canStart = restartRank(place) > 0 && (replicas > 0 || branch.announced.size > 0);
    let stillMs = clock.monotonicMs();
    while (interrupted?.aborted !== true) {
      const other = whoGoesFirst(place, branch, replicas);
      const leftMs = other === undefined ? (canStart ? startsInMs(branch, stillMs) : 0) : longestTimerMs;
      if (leftMs <= 0) return;
      if (other !== undefined || branch.announced.size > 0) onWait(other?.endpointId);
      await changed.wait({ clock, ms: leftMs, interrupted });
      if (other !== undefined) stillMs = clock.monotonicMs();
    }
  };

  return {
    note: () => {
      notedAtMs = clock.monotonicMs();
    },
    announce: (place) => {
      branchOf(place).announced.set(place.endpointId, place);
      changed.notifyAll();
    },
    enter: async (place, how) => {
      const branch = branchOf(place);
      branch.announced.delete(place.endpointId);
      branch.waiting.add(place);
      changed.notifyAll();
      await waitForTurn(place, branch, how);
      branch.waiting.delete(place);
      branch.running.add(place);
      changed.notifyAll();
      return {
        missing: () => [...branch.missing].find(([id]) => id !== place.endpointId)?.[1],
        miss: (name) => branch.missing.set(place.endpointId, name),
        end: () => {
          branch.running.delete(place);
          changed.notifyAll();
        },
      };
    },
  };
}

/** A compute that has to be done first, if there is one. */
function whoGoesFirst(
  place: RestartingCompute,
  { running, waiting }: Branch,
  replicas: number,
): RestartingCompute | undefined {
  const isPrimary = restartRank(place) > 0;
  const inOrder = [...waiting].sort((a, b) => restartRank(a) - restartRank(b));
  const before = [...running, ...inOrder.slice(0, inOrder.indexOf(place))];
  const primary = before.find((other) => restartRank(other) > 0);
  if (isPrimary || primary !== undefined) return primary ?? before[0];
  return before.length < Math.max(1, Math.floor(replicas / 2)) ? undefined : before[0];
}
