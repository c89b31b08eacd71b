/**
 * Restarts within a branch, one after the other: replicas first, the primary last, each only when the one before is
 * done. Restarted together, the branch would have no compute that answers for a moment.
 *
 * Counted are the updates of this process that are under way at once, and those that its diffs have announced. Where
 * the engine hands them out one by one, its order stands: what is announced and does not come is not waited for long.
 */
import type { Clock } from "../clock";
import { announcedComesWithinMs, announcementsEndAfterMs, longestTurnMs } from "../timing";
import type { EndpointState } from "./state";
import { restartRank } from "./verdict";

/** A compute, where it is before the change. */
export type Place = Pick<EndpointState, "projectId" | "branchId" | "endpointId" | "type">;

export interface RestartOrder {
  /** The program declares something: there may be more to come. */
  note(): void;
  /** An update of this compute is planned that interrupts it. */
  announce(place: Place): void;
  /**
   * Waits until an update may interrupt its compute.
   *
   * @returns what ends its turn.
   */
  enter(place: Place, how: EnterOptions): Promise<() => void>;
}

export interface EnterOptions {
  /** Told of the compute that is waited for; without one where others may still come. */
  readonly onWait: (other: string | undefined) => void;
  /** Ends the wait at once: nothing is sent then. */
  readonly interrupted?: AbortSignal | undefined;
}

interface Branch {
  readonly announced: Map<string, Place>;
  readonly waiting: Place[];
  running: Place | undefined;
}

export function createRestartOrder(clock: Clock): RestartOrder {
  const branches = new Map<string, Branch>();
  let notedAtMs = Number.NEGATIVE_INFINITY;
  let changed = new AbortController();
  /** Whoever waits looks again. */
  const tell = (): void => {
    changed.abort();
    changed = new AbortController();
  };
  const branchOf = ({ projectId, branchId }: Place): Branch => {
    const key = JSON.stringify([projectId, branchId]);
    const known = branches.get(key) ?? { announced: new Map(), waiting: [], running: undefined };
    branches.set(key, known);
    return known;
  };
  /** Waits for a change, and no longer than so. */
  const wait = async (ms: number | undefined, interrupted: AbortSignal | undefined): Promise<void> => {
    const signals = [changed.signal, ...(interrupted === undefined ? [] : [interrupted])];
    await clock.sleep(ms ?? longestTurnMs, AbortSignal.any(signals)).catch(() => undefined);
  };
  return {
    note: () => {
      notedAtMs = clock.monotonicMs();
    },
    announce: (place) => {
      branchOf(place).announced.set(place.endpointId, place);
      tell();
    },
    enter: async (place, { onWait, interrupted }) => {
      const branch = branchOf(place);
      branch.announced.delete(place.endpointId);
      branch.waiting.push(place);
      tell();
      let stillMs = clock.monotonicMs();
      while (interrupted?.aborted !== true) {
        const before = whoGoesFirst(place, branch);
        if (before !== undefined) {
          onWait(before.endpointId);
          await wait(undefined, interrupted);
          stillMs = clock.monotonicMs();
          continue;
        }
        const leftMs = waitsForOthers(place, branch, { stillMs, notedAtMs, nowMs: clock.monotonicMs() });
        if (leftMs <= 0) break;
        if (branch.announced.size > 0) onWait(undefined);
        await wait(leftMs, interrupted);
      }
      branch.waiting.splice(branch.waiting.indexOf(place), 1);
      branch.running = place;
      return () => {
        if (branch.running === place) branch.running = undefined;
        tell();
      };
    },
  };
}

/** The compute whose turn it is, if that is another one. */
function whoGoesFirst(place: Place, { running, waiting }: Branch): Place | undefined {
  if (running !== undefined) return running;
  const [first = place] = [...waiting].sort((a, b) => restartRank(a) - restartRank(b));
  return first === place ? undefined : first;
}

/** How long a primary still waits for replicas that are not here yet, in milliseconds. */
function waitsForOthers(
  place: Place,
  { announced }: Branch,
  {
    stillMs,
    notedAtMs,
    nowMs,
  }: { readonly stillMs: number; readonly notedAtMs: number; readonly nowMs: number },
): number {
  if (restartRank(place) === 0) return 0;
  const coming = stillMs + announcedComesWithinMs - nowMs;
  const declaring = notedAtMs + announcementsEndAfterMs - nowMs;
  return announced.size === 0 ? Math.min(declaring, coming) : coming;
}
