/**
 * Requests whose answer does not come: their total time is over as soon as the service is seen to hold them
 * back, so that a minute of patience takes no minute, and a slow machine takes no longer for an answer.
 */
import type { Emulator } from "../../emulator";

const holdingBack: readonly (string | undefined)[] = ["delay", "drip"];

/** @returns to be called when the test is over. */
export function endHungRequests(emulator: Emulator): () => void {
  const deadlines: AbortController[] = [];
  const spy = jest.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const controller = new AbortController();
    deadlines.push(controller);
    return controller.signal;
  });
  const ended = new Set<number>();
  const timer = setInterval(() => {
    const last = emulator.requests().at(-1);
    if (last === undefined || ended.has(last.number) || !holdingBack.includes(last.fault)) return;
    ended.add(last.number);
    deadlines.at(-1)?.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  }, 2);
  return () => {
    clearInterval(timer);
    spy.mockRestore();
  };
}
