/**
 * Keeps each route below the service's rate limit, so that the service does not have to refuse requests.
 *
 * A process that is alone is never refused. It stays below the limits that the best known service publishes: for each route,
 * 700 requests a minute and bursts of 40 a second. Processes that share an account do not know of each other: they learn from a
 * 429. Therefore a burst begins with one request and grows with the answers, so that few requests are under way when the first
 * refusal comes. A refusal slows the route down for a long time. Random pauses keep processes that were refused together from
 * coming back together.
 *
 * Each route has its own limit, so that a create never waits for polls.
 *
 * If a user's configuration says that the service has no limit, requests leave at once; a 429 then slows the route down
 * as it does under a limit.
 */
import type { Clock, Deadline } from "../clock";
import { createCondition } from "../condition";
import { defaultRateLimits, type RateLimits } from "../settings/table";
import { longestRequestMs } from "../model/timing";

export interface RateLimiter {
  /** The limit of one route. */
  of(route: string): RouteLimit;
  /** Makes each waiting request check its deadline again, because the run was interrupted. */
  wake(): void;
}

interface RouteLimit {
  /**
   * Waits until a request of this route may be sent. Callers are served in the order in which they asked.
   *
   * @param deadline - the deadline of the caller that waits for the answer.
   * @returns 0 once the request may be sent. Otherwise it must not be sent, and the result is how long it would have to wait,
   * in milliseconds. That is well beyond the deadline, or longer than a command should wait.
   */
  acquire(deadline?: Deadline): Promise<number>;
  /** Call it when an acquired request has ended, with or without an answer. */
  ended(): void;
  /** The service refused a request of this route with 429. */
  refused(retryAfterMs: number | undefined): void;
  /** Wakes the head of the queue early: an answer came, or the run was interrupted. */
  wake(): void;
}

const secondMs = 1_000;
const minuteMs = 60_000;
const longAgo = Number.NEGATIVE_INFINITY;
/** A route begins a new burst if it has sent nothing for this long, and no answer is pending. */
const burstEndsAfterMs = 1_000;
/**
 * After n requests of a burst, the next one waits at most this time divided by n^1.5: a slow service must not make a burst
 * slow. These waits add up to less than four seconds.
 */
const firstGapMs = 1_500;
/** Width of the random pause after a refusal: doubles with each refusal in a row. */
const spreadMs = { first: 2_000, longest: 30_000 } as const;
/** If no refusal comes for this long after a pause, the next refusal counts as the first one again. */
const rowEndsAfterMs = 5_000;
/**
 * Share of the rate that remains after a refusal. A process that begins a burst beside other processes is refused within its
 * first few requests, and even its rate until then is too high for all processes together.
 */
const keptAfterRefusal = 0.3;
/** What each request adds to a learned rate, in requests a second: steady requests double it in 14 s. */
const raisePerRequest = 0.05;
/** How much longer the last poll of a wait may be held back: it is sent when the time of the wait is over. */
const lastPollWaitsMs = 1_000;
/** Longest pause that a request waits for. A longer pause ends the call. */
const longestPauseMs = longestRequestMs + spreadMs.longest;
/** Lowest rate, in requests a second, however often a route is refused. */
const lowestRate = 0.2;

export function createRateLimiter(
  clock: Clock,
  random: () => number,
  limits: RateLimits = defaultRateLimits,
): RateLimiter {
  const routes = new Map<string, RouteLimit>();
  return {
    of: (name) => {
      const route = routes.get(name) ?? createRouteLimit(clock, random, limits);
      routes.set(name, route);
      return route;
    },
    wake: () => {
      for (const route of routes.values()) route.wake();
    },
  };
}

function createRouteLimit(clock: Clock, random: () => number, limits: RateLimits): RouteLimit {
  /** When requests were sent in the last minute, on the monotonic clock, oldest first. */
  const sentAtMs: number[] = [];
  /** Requests that were sent without a pause between them. */
  let burst = { sent: 0, ended: 0 };
  let pausedUntilMs = longAgo;
  /** Refusals in a row; 0 again once the route has sent requests for a while without a refusal. */
  let refusals = 0;
  /** The rate learned from refusals, in requests a second; undefined without a refusal. */
  let learned: number | undefined;
  /** At a learned rate, the earliest time of the next request. */
  let nextAtMs = longAgo;
  /** Promise of the last caller in the queue: the next caller waits for it. */
  let tail: Promise<unknown> = Promise.resolve();
  const mayGo = createCondition();

  const lastSentAtMs = (): number => sentAtMs.at(-1) ?? longAgo;
  /** When the limit per second and the limit per minute both allow another request. */
  const windowsFreeAtMs = (nowMs: number): number => {
    while (sentAtMs.length > 0 && (sentAtMs[0] ?? 0) <= nowMs - minuteMs) sentAtMs.shift();
    const freeAtMs = (count: number, windowMs: number): number => (sentAtMs.at(-count) ?? longAgo) + windowMs;
    return Math.max(freeAtMs(limits.perSecond, secondMs), freeAtMs(limits.perMinute, minuteMs));
  };
  /**
   * One request at a time until the first has ended; after n answers, the square root of n at a time. If a service
   * answers in 10 ms, 36 requests are sent within a tenth of a second.
   */
  const burstFreeAtMs = (): number => {
    if (learned !== undefined || limits.perSecond === Infinity) return longAgo;
    const { sent, ended } = burst;
    const isFree = sent - ended < Math.max(1, Math.sqrt(ended));
    return isFree ? longAgo : lastSentAtMs() + firstGapMs / sent ** 1.5;
  };
  const recordSent = (nowMs: number): void => {
    const isNew = burst.sent === burst.ended && nowMs - lastSentAtMs() > burstEndsAfterMs;
    burst = isNew ? { sent: 1, ended: 0 } : { ...burst, sent: burst.sent + 1 };
    sentAtMs.push(nowMs);
    if (learned === undefined) return;
    nextAtMs = nowMs + (secondMs / learned) * (0.5 + random());
    learned += raisePerRequest;
    if (learned >= limits.perSecond) learned = undefined;
    if (nowMs >= pausedUntilMs + rowEndsAfterMs) refusals = 0;
  };
  /** Waits at the head of the queue; the result is that of `acquire`. */
  const take = async (deadline: Deadline | undefined): Promise<number> => {
    for (;;) {
      const nowMs = clock.monotonicMs();
      const limitedAtMs = Math.max(pausedUntilMs, nextAtMs, windowsFreeAtMs(nowMs));
      const freeAtMs = Math.max(limitedAtMs, burstFreeAtMs());
      if (freeAtMs <= nowMs) {
        recordSent(nowMs);
        return 0;
      }
      const leftMs = Math.max(deadline?.leftMs() ?? Infinity, 0);
      // A burst never makes a caller give up: answers to its requests come soon.
      const waitMs = limitedAtMs - nowMs;
      if (waitMs > leftMs + lastPollWaitsMs || pausedUntilMs - nowMs > longestPauseMs) return waitMs;
      await mayGo.wait({ clock, ms: freeAtMs - nowMs });
    }
  };
  return {
    acquire: (deadline) => {
      const taken = tail.then(() => take(deadline));
      tail = taken;
      return taken;
    },
    ended: () => {
      burst = { ...burst, ended: burst.ended + 1 };
      mayGo.notifyAll();
    },
    refused: (retryAfterMs) => {
      const nowMs = clock.monotonicMs();
      // Requests that were under way together are refused together: they count as one refusal.
      if (nowMs < pausedUntilMs) return;
      // The pause is random, because many requests were refused together, and never shorter than the service asks for.
      const spreadWidthMs = Math.min(spreadMs.longest, spreadMs.first * 2 ** refusals);
      pausedUntilMs = nowMs + (retryAfterMs ?? spreadWidthMs / 2) + random() * spreadWidthMs;
      refusals += 1;
      const sentInLastSecond = sentAtMs.filter((atMs) => atMs > nowMs - secondMs).length;
      learned = Math.max(lowestRate, keptAfterRefusal * (learned ?? sentInLastSecond));
    },
    wake: () => {
      mayGo.notifyAll();
    },
  };
}
