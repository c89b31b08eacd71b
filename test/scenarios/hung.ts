/**
 * Lets a request time out as soon as the emulator holds back its answer. A test then does not wait a real minute,
 * and no request times out because the machine is slow.
 */
import type { Emulator } from "../../emulator";

const holdingBack: readonly (string | undefined)[] = ["delay", "drip"];

/** Replaces the total timeout of each request with one that ends when `endLast` is called. */
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

/** @returns a function to call when the test is over. */
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
