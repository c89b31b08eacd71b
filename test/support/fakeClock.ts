/**
 * Time that a test controls: sleeping costs nothing, and every sleep is recorded.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Clock } from "../../provider/clock";

/** A clock that somebody else moves, such as the emulator's manual clock. */
export interface Follower {
  advance(ms: number): void;
}

export interface FakeClock extends Clock {
  /** Every sleep asked for so far, in milliseconds. */
  readonly sleeps: readonly number[];
  /** Moves time by hand, as if work had taken that long. */
  advance(ms: number): void;
  /** Moves the wall clock alone, as when somebody sets it. */
  setWallClockOffBy(ms: number): void;
}

interface Sleeper {
  readonly wakesAtMs: number;
  readonly wake: () => void;
}

/** Where the emulator's manual clock begins, so that timestamps agree. */
const startMs = Date.UTC(2026, 0, 5, 8);

/** Requests on their way, of any client in this process. */
const requests = new Set<unknown>();
const begin = (message: unknown): unknown => requests.add(requestOf(message));
const end = (message: unknown): unknown => requests.delete(requestOf(message));
const watched = [
  ["undici:request:create", begin],
  ["undici:request:trailers", end],
  ["undici:request:error", end],
] as const;
beforeAll(() => {
  for (const [channel, listener] of watched) subscribe(channel, listener);
});
/** True once the tests of the file have ended: time that went on for what they left behind would keep the process alive. */
let isOver = false;
// Channels outlive a test file: without unsubscribing, every file that ran would stay in memory.
afterAll(() => {
  isOver = true;
  for (const [channel, listener] of watched) unsubscribe(channel, listener);
});

function requestOf(message: unknown): unknown {
  return (message as { readonly request: unknown }).request;
}

/** How many turns of the event loop must pass with nothing on its way, so that code can react to what has just arrived. */
const quietTurnsNeeded = 3;

function isQuiet(): boolean {
  // This check is last, since it takes longest.
  return (
    requests.size === 0 && !process.getActiveResourcesInfo().some((name) => /^FSReq|^CloseReq/.test(name))
  );
}

/**
 * Sleepers wake in the order of their times, one moment after the other. Between two moments, everything that can run
 * without a sleep runs: time stands still while a request or a file is on its way, however long that takes on this
 * machine.
 *
 * @param followers - clocks that move along, so that the service's operations end as time passes here.
 */
export function createFakeClock(...followers: readonly Follower[]): FakeClock {
  const sleeps: number[] = [];
  let sleepers: Sleeper[] = [];
  let elapsedMs = 0;
  let wallOffsetMs = 0;
  let isPumping = false;

  const advance = (ms: number): void => {
    elapsedMs += ms;
    for (const follower of followers) follower.advance(ms);
  };

  let quietTurns = 0;
  const wakeNext = (): void => {
    if (isOver) return;
    quietTurns = isQuiet() ? quietTurns + 1 : 0;
    if (quietTurns < quietTurnsNeeded) {
      setImmediate(wakeNext);
      return;
    }
    quietTurns = 0;
    if (sleepers.length === 0) {
      isPumping = false;
      return;
    }
    const nextMs = Math.min(...sleepers.map(({ wakesAtMs }) => wakesAtMs));
    if (nextMs > elapsedMs) advance(nextMs - elapsedMs);
    const due = sleepers.filter(({ wakesAtMs }) => wakesAtMs <= elapsedMs);
    sleepers = sleepers.filter(({ wakesAtMs }) => wakesAtMs > elapsedMs);
    for (const { wake } of due) wake();
    setImmediate(wakeNext);
  };

  return {
    sleeps,
    advance,
    setWallClockOffBy: (ms) => {
      wallOffsetMs = ms;
    },
    now: () => startMs + elapsedMs + wallOffsetMs,
    monotonicMs: () => elapsedMs,
    sleep: (ms, signal) => {
      if (signal?.aborted) return Promise.resolve();
      sleeps.push(ms);
      return new Promise((resolve) => {
        const stop = (): void => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          resolve();
        };
        const wake = (): void => {
          signal?.removeEventListener("abort", stop);
          resolve();
        };
        const sleeper = { wakesAtMs: elapsedMs + Math.max(ms, 0), wake };
        signal?.addEventListener("abort", stop);
        sleepers.push(sleeper);
        if (isPumping) return;
        isPumping = true;
        setImmediate(wakeNext);
      });
    },
  };
}
