/**
 * Requests whose answer does not come: their total time is over as soon as the service is seen to hold them
 * back, so that a minute of patience takes no minute, and a slow machine takes no longer for an answer.
 */
import type { Emulator } from "../../emulator";

const holdingBack: readonly (string | undefined)[] = ["delay", "drip"];

/** The total times of requests, each of which is over when the test says so. */
function ownTimeouts(): { readonly endLast: () => void; readonly restore: () => void } {
  let last: AbortController | undefined;
  const spy = jest
    .spyOn(AbortSignal, "timeout")
    .mockImplementation(() => (last = new AbortController()).signal);
  return {
    endLast: () => {
      last?.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    },
    restore: () => {
      spy.mockRestore();
    },
  };
}

/** @returns to be called when the test is over. */
export function endHungRequests(emulator: Emulator): () => void {
  const { endLast, restore } = ownTimeouts();
  const ended = new Set<number>();
  const timer = setInterval(() => {
    const last = emulator.requests().at(-1);
    if (last === undefined || ended.has(last.number) || !holdingBack.includes(last.fault)) return;
    ended.add(last.number);
    endLast();
  }, 2);
  return () => {
    clearInterval(timer);
    restore();
  };
}
