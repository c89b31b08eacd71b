/**
 * The running creates of this process, in memory. A create that searches for its compute waits for their answers, and
 * knows which of them may have made a compute with an unknown id.
 */
import { inTime } from "../api/answers";
import type { Deadline } from "../clock";

/** How a POST ended: with a compute, certainly with nothing, or unknown. */
type PostEnd = "made" | "nothing" | "unknown";

/** The POSTs of one attempt. */
export interface PendingCreate {
  /** Call it when a POST is sent. @returns a function to call with the POST's result. */
  begin(): (end: PostEnd) => void;
}

export interface PendingCreates {
  /** Registers an attempt, before its POSTs. */
  announce(owner: string): PendingCreate;
  /** Waits for the answers of the POSTs that are running now, at most until the deadline. */
  answered(deadline: Deadline): Promise<void>;
  /** False while a POST of this resource may have created a compute whose id is unknown. */
  isClear(owner: string): boolean;
}

export function trackPendingCreates(): PendingCreates {
  const onTheirWay = new Set<Promise<void>>();
  /** By owner: whether it may have created a compute whose id is unknown. */
  const unclear = new Map<string, boolean>();
  const begin = (owner: string): ReturnType<PendingCreate["begin"]> => {
    let settle: () => void = () => undefined;
    const answer = new Promise<void>((resolve) => {
      settle = resolve;
    });
    onTheirWay.add(answer);
    const before = unclear.get(owner) ?? false;
    unclear.set(owner, true);
    return (end) => {
      // If a second POST did nothing, the result of the first is still unknown.
      unclear.set(owner, end === "unknown" || (end === "nothing" && before));
      onTheirWay.delete(answer);
      settle();
    };
  };
  return {
    announce: (owner) => {
      unclear.set(owner, false);
      return { begin: () => begin(owner) };
    },
    answered: async (deadline) => {
      // If a create does not answer in time, its result stays unknown.
      await inTime(Promise.all(onTheirWay), deadline, "creating computes").catch(() => undefined);
    },
    isClear: (owner) => unclear.get(owner) === false,
  };
}
