/**
 * A condition variable: callers wait until another caller reports a change, and then check the condition again.
 */
import { once } from "node:events";
import type { Clock } from "./clock";

export interface Condition {
  /** Waits until another caller wakes this one, or until the limit, if there is one. First come, first served. */
  wait(limit?: WaitLimit): Promise<void>;
  /** Wakes the caller that has waited longest; returns how many it has woken. */
  notify(): number;
  /** Wakes all callers that wait; returns how many. */
  notifyAll(): number;
}

interface WaitLimit {
  readonly clock: Clock;
  readonly ms: number;
}

export function createCondition(): Condition {
  const waiting = new Set<AbortController>();
  const wake = (callers: readonly AbortController[]): number => {
    for (const caller of callers) {
      // Remove the caller before waking it: if it waits again at once, it waits for the next change.
      waiting.delete(caller);
      caller.abort();
    }
    return callers.length;
  };
  return {
    wait: async (limit) => {
      const caller = new AbortController();
      waiting.add(caller);
      await (limit?.clock.sleep(limit.ms, caller.signal) ?? once(caller.signal, "abort"));
      waiting.delete(caller);
    },
    notify: () => wake([...waiting].slice(0, 1)),
    notifyAll: () => wake([...waiting]),
  };
}
