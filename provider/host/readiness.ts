/**
 * Counts the computes that are ready, for one line on the stack's row. It names no total: the engine plans while it
 * creates, so that a total would grow during the run.
 */
import type { Clock } from "../clock";

export interface Readiness {
  /** A check or a diff has found that a compute will be created or changed. */
  planned(resourceId: string | undefined): void;
  /** Its create or update has ended well. */
  ready(resourceId: string | undefined): void;
}

/** @param show - shows a line in place of the last one. */
export function createReadiness(clock: Clock, show: (line: string) => void): Readiness {
  const startMs = clock.monotonicMs();
  const planned = new Set<string>();
  const ready = new Set<string>();
  let isDue = false;
  const showNow = (): void => {
    isDue = false;
    const seconds = Math.round((clock.monotonicMs() - startMs) / 1000);
    show(`${ready.size} ${ready.size === 1 ? "compute" : "computes"} ready, ${seconds} s`);
  };
  return {
    planned: (id) => {
      if (id !== undefined) planned.add(id);
    },
    ready: (id) => {
      if (id === undefined || !planned.has(id)) return;
      ready.add(id);
      if (isDue || planned.size === 1) return;
      isDue = true;
      // Computes whose operations were read together are ready together.
      setImmediate(showNow);
    },
  };
}
