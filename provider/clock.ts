/**
 * The clock that all code uses, so that tests can replace it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { RequestError } from "./model/errors";
import { lastAnswerMs } from "./model/timing";

export interface Clock {
  /** Wall time in milliseconds since the epoch: for comparing with the service's timestamps, never for deadlines. */
  now(): number;
  /** Milliseconds that never go back: for deadlines, whatever happens to the wall clock. */
  monotonicMs(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The longest time that a timer can wait: a timer with a longer time fires immediately. */
export const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    // An abort rejects the timer's promise.
    sleep(Math.min(Math.max(ms, 0), longestTimerMs), undefined, { signal }).catch(() => undefined),
};

/** The end of a wait, on the monotonic clock. */
export interface Deadline {
  /** The whole time allowed, in milliseconds: for messages. */
  readonly limitMs: number;
  /** Milliseconds left; zero or less once the deadline has passed or the run was interrupted. */
  leftMs(): number;
  /** Milliseconds since the deadline was set. */
  elapsedMs(): number;
  /** Resolves after `ms`, or as soon as the run is interrupted. */
  wait(ms: number): Promise<void>;
  /** True once the run was interrupted by one Ctrl-C, if the host reports it. */
  isInterrupted(): boolean;
  /** How long an answer may take, in milliseconds. The last request of a wait may take some time beyond the deadline. */
  answerLimitMs(): number;
  /**
   * Applies this caller's deadline to an answer that several callers share. The request continues for the other callers.
   *
   * @throws RequestError if the answer is late for this caller.
   */
  bound<T>(answer: Promise<T>, doing: string): Promise<T>;
}

/** @param interrupted - aborts when the run is interrupted; undefined if the host does not report it. */
export function deadlineIn(limitMs: number, clock: Clock, interrupted?: AbortSignal): Deadline {
  const start = clock.monotonicMs();
  const elapsedMs = (): number => clock.monotonicMs() - start;
  const isInterrupted = (): boolean => interrupted?.aborted === true;
  const leftMs = (): number => (isInterrupted() ? 0 : limitMs - elapsedMs());
  const answerLimitMs = (): number => Math.min(Math.max(leftMs(), 0) + lastAnswerMs, longestTimerMs);
  return {
    limitMs,
    elapsedMs,
    isInterrupted,
    leftMs,
    answerLimitMs,
    wait: (ms) => clock.sleep(ms, interrupted),
    bound: async (answer, doing) => {
      const waiting = new AbortController();
      // This waits in real time, as the time limits of a request do.
      const after = (ms: number): Promise<void> =>
        sleep(ms, undefined, { signal: waiting.signal, ref: false });
      const stopped = new Promise<void>((resolve) => {
        const stop = (): void => void after(lastAnswerMs).then(resolve, () => undefined);
        interrupted?.addEventListener("abort", stop, { signal: waiting.signal });
      });
      const late = Promise.race([after(answerLimitMs()), stopped]).then(() => {
        throw lateAnswer(doing);
      });
      try {
        return await Promise.race([answer, late]);
      } finally {
        waiting.abort();
      }
    },
  };
}

function lateAnswer(doing: string): RequestError {
  const what = "no answer within the time limit";
  const fix = "Run the same command again; to wait longer, set `timeouts`";
  return new RequestError({ doing, what, fix }, { kind: "connection", outcome: "not done", transient: true });
}

/**
 * Polls after `firstMs` (0: immediately), then after each of `laterMs`, until the answer is enough. It polls at least once, and
 * stops once the deadline has passed.
 *
 * @returns the last answer.
 */
export async function pollUntil<Seen>(
  deadline: Deadline,
  [firstMs, ...laterMs]: readonly [number, ...number[]],
  { poll, isEnough }: { readonly poll: () => Promise<Seen>; readonly isEnough: (seen: Seen) => boolean },
): Promise<Seen> {
  if (firstMs > 0) await deadline.wait(firstMs);
  let seen = await poll();
  for (const waitMs of laterMs) {
    if (isEnough(seen) || deadline.leftMs() <= 0) break;
    await deadline.wait(waitMs);
    seen = await poll();
  }
  return seen;
}
