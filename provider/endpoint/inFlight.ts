/**
 * The creates of this process that are on their way, so that none takes another's compute for its own.
 */
export interface InFlightCreates {
  /** @returns to be called with the id when the answer is there, or with undefined where there is none. */
  begin(): (endpointId: string | undefined) => void;
  /** Waits for the answers of the creates that are on their way now. */
  answered(): Promise<void>;
  isClaimed(endpointId: string): boolean;
  /** Makes a compute this create's, unless it is another's already. */
  claim(endpointId: string): boolean;
  /** A create of this process makes an existing compute its resource's. */
  takeOver(endpointId: string): void;
  wasTakenOver(endpointId: string): boolean;
}

export function trackCreates(): InFlightCreates {
  const onTheirWay = new Set<Promise<void>>();
  const claimed = new Set<string>();
  const takenOver = new Set<string>();
  return {
    begin: () => {
      let settle: () => void = () => undefined;
      const answer = new Promise<void>((resolve) => {
        settle = resolve;
      });
      onTheirWay.add(answer);
      return (endpointId) => {
        if (endpointId !== undefined) claimed.add(endpointId);
        onTheirWay.delete(answer);
        settle();
      };
    },
    answered: async () => {
      await Promise.all(onTheirWay);
    },
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
