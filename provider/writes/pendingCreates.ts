/**
 * The creates of this process that are on their way, so that none takes another's compute for its own.
 */

/** How a POST ended: with a compute, with nothing for sure, or nobody knows. */
export type PostEnd = { readonly endpointId: string } | "nothing" | "unknown";

export interface PendingCreates {
  /** A create begins: from here on, its POSTs are known here. */
  announce(owner: string): void;
  /** It sends its POST. @returns to be called with how that ended. */
  begin(owner: string): (end: PostEnd) => void;
  /** Waits for the answers of the POSTs that are on their way now. */
  answered(): Promise<void>;
  /** False while a POST of this resource may have created a compute whose id nobody has learned. */
  isClear(owner: string): boolean;
  isClaimed(endpointId: string): boolean;
  /** Makes a compute this create's, unless it is another's already. */
  claim(endpointId: string): boolean;
  /** A create of this process makes an existing compute its resource's. */
  takeOver(endpointId: string): void;
  wasTakenOver(endpointId: string): boolean;
}

export function trackPendingCreates(): PendingCreates {
  const onTheirWay = new Set<Promise<void>>();
  const claimed = new Set<string>();
  const takenOver = new Set<string>();
  /** By owner, whether it may have made a compute that nobody knows of. */
  const unclear = new Map<string, boolean>();
  return {
    announce: (owner) => void unclear.set(owner, false),
    begin: (owner) => {
      let settle: () => void = () => undefined;
      const answer = new Promise<void>((resolve) => {
        settle = resolve;
      });
      onTheirWay.add(answer);
      const before = unclear.get(owner) ?? false;
      unclear.set(owner, true);
      return (end) => {
        if (typeof end === "object") claimed.add(end.endpointId);
        // A second POST that did nothing says nothing of the first.
        unclear.set(owner, end === "unknown" || (end === "nothing" && before));
        onTheirWay.delete(answer);
        settle();
      };
    },
    answered: async () => {
      await Promise.all(onTheirWay);
    },
    isClear: (owner) => unclear.get(owner) === false,
    isClaimed: (endpointId) => claimed.has(endpointId),
    claim: (endpointId) => {
      if (claimed.has(endpointId)) return false;
      claimed.add(endpointId);
      return true;
    },
    takeOver: (endpointId) => void takenOver.add(endpointId),
    wasTakenOver: (endpointId) => takenOver.has(endpointId),
  };
}
