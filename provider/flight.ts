/**
 * A request that several callers share: it is sent after a short delay, so that others can join and wait for the same
 * answer.
 */
import type { Clock } from "./clock";

export interface Flight<T> {
  /** On the monotonic clock; undefined until the request is sent. */
  readonly sentAtMs: number | undefined;
  readonly answer: Promise<T>;
}

/** @param joinMs - how long others may join, from now. */
export function launchIn<T>(joinMs: number, clock: Clock, send: () => Promise<T>): Flight<T> {
  let sentAtMs: number | undefined;
  const answer = clock.sleep(joinMs).then(() => {
    sentAtMs = clock.monotonicMs();
    return send();
  });
  return {
    get sentAtMs() {
      return sentAtMs;
    },
    answer,
  };
}
