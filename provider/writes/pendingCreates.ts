/**
 * The creates of this process that are on their way: of each attempt, the half that is in memory. Another create that
 * looks for its compute waits for their answers, and knows which of them may have made one that nobody knows of.
 */
import { inTime } from "../api/answers";
import type { Deadline } from "../clock";

/** How a POST ended: with a compute, with nothing for sure, or nobody knows. */
export type PostEnd = "made" | "nothing" | "unknown";

/** The POSTs of one attempt. */
export interface PendingCreate {
  /** One is sent. @returns to be called with how it ended. */
  begin(): (end: PostEnd) => void;
}

export interface PendingCreates {
  /** An attempt begins: from here on, its POSTs are known here. */
  announce(owner: string): PendingCreate;
  /** Waits for the answers of the POSTs that are on their way now, no longer than the deadline. */
  answered(deadline: Deadline): Promise<void>;
  /** False while a POST of this resource may have created a compute whose id nobody has learned. */
  isClear(owner: string): boolean;
}

export function trackPendingCreates(): PendingCreates {
  const onTheirWay = new Set<Promise<void>>();
  /** By owner, whether it may have made a compute that nobody knows of. */
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
      // A second POST that did nothing says nothing of the first.
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
      // One that does not come in time leaves its create unclear.
      await inTime(Promise.all(onTheirWay), deadline, "creating computes").catch(() => undefined);
    },
    isClear: (owner) => unclear.get(owner) === false,
  };
}
