/**
 * A condition variable: callers wait until another caller reports a change, and then check the condition again.
 */
import type { Clock } from "./clock";

export interface Condition {
  /** Waits until it is woken, or until the limit, if there is one. First come, first served. */
  wait(limit?: WaitLimit): Promise<void>;
  /** Wakes the caller that has waited longest; returns false if nobody waits. */
  notify(): boolean;
  /** Wakes all callers that wait; returns false if there are none. */
  notifyAll(): boolean;
}

export interface WaitLimit {
  readonly clock: Clock;
  readonly ms: number;
  /** Ends the wait at once. */
  readonly interrupted?: AbortSignal | undefined;
}

export function createCondition(): Condition {
  const waiting = new Set<() => void>();
  const wake = (callers: readonly (() => void)[]): boolean => {
    for (const caller of callers) {
      // Must come before the call: a caller that waits again at once then waits for the next change.
      waiting.delete(caller);
      caller();
    }
    return callers.length > 0;
  };
  return {
    wait: (limit) => (limit === undefined ? waitIn(waiting) : waitAtMost(limit, waiting)),
    notify: () => wake([...waiting].slice(0, 1)),
    notifyAll: () => wake([...waiting]),
  };
}

function waitIn(waiting: Set<() => void>): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(resolve);
  });
}

async function waitAtMost({ clock, ms, interrupted }: WaitLimit, waiting: Set<() => void>): Promise<void> {
  const woken = new AbortController();
  const wake = (): void => {
    woken.abort();
  };
  waiting.add(wake);
  const ends = interrupted === undefined ? woken.signal : AbortSignal.any([woken.signal, interrupted]);
  await clock.sleep(ms, ends).catch(() => undefined);
  waiting.delete(wake);
}
