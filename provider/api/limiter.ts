/**
 * Keeps each route below the rate that the service takes, instead of finding out by being refused.
 *
 * A process that is alone stays below the limits that the best known service publishes, 700 requests a minute and
 * bursts of 40 a second for each route, and is never refused. Processes that share an account do not know of each
 * other: a 429 is how they learn. That is why a burst begins with one request and grows with the answers, so that
 * few are on their way when the first refusal comes; why a refusal slows the route down for long; and why chance
 * keeps those that were refused together from coming back together.
 *
 * Routes are apart, so that a create never waits behind polls.
 *
 * A user who knows that the service has no limit says so. Then requests leave as they come, and a 429 that comes all the
 * same teaches what it teaches under a limit.
 */
import type { Clock, Deadline } from "../clock";
import { defaultRateLimits, type RateLimits } from "../rates";
import { longestRetryAfterMs } from "../timing";

export interface RateLimiter {
  /**
   * Waits until a request of this route may be sent; in the order asked.
   *
   * @param deadline - of the caller that waits for the answer.
   * @returns 0 once it may be sent; else the milliseconds until then, where that is well after the deadline, or later
   * than a command should wait: nothing is to be sent then.
   */
  acquire(route: string, deadline?: Deadline): Promise<number>;
  /** A request that was let through is over, with an answer or without one. */
  ended(route: string): void;
  /** The service refused a request of this route with 429. */
  refused(route: string, retryAfterMs: number | undefined): void;
  /** Has each waiting request look at its deadline again: the run was interrupted. */
  wake(): void;
}

interface Route {
  /** When requests were sent in the last minute, on the monotonic clock, oldest first. */
  sentAtMs: number[];
  burst: Burst;
  pausedUntilMs: number;
  /** In a row: forgotten once the route has gone on without one for a while. */
  refusals: number;
  /** Requests a second that refusals have taught; undefined while none has. */
  learned: number | undefined;
  /** At a learned rate, the next request leaves no earlier: each keeps its distance from the one before. */
  nextAtMs: number;
  /** The one that asked last; the next one waits behind it. */
  tail: Promise<unknown>;
  /** Of the one at the head: lets it look again before its time. */
  waiting: AbortController | undefined;
}

/** The requests of a route that follow each other without a pause. */
interface Burst {
  readonly sent: number;
  readonly ended: number;
}

const secondMs = 1_000;
const minuteMs = 60_000;
/** A route that has sent nothing for so long, and waits for nothing, begins a new burst. */
const burstEndsAfterMs = 1_000;
/**
 * The next request of a burst leaves after this at the latest, divided by n^1.5 after n of them: a service that
 * answers slowly must not make a burst slow. All of it is less than four seconds.
 */
const firstGapMs = 1_500;
/** How far a pause spreads where the service names none: doubles with each refusal in a row. */
const spreadMs = { first: 2_000, longest: 30_000 } as const;
/** Time after a pause without a refusal, after which the next refusal is the first of a row again. */
const rowEndsAfterMs = 5_000;
/**
 * What remains of the rate after a refusal: a process that began a burst beside others is refused within its first few
 * requests, and that many a second is still too much for all of them together.
 */
const keptAfterRefusal = 0.3;
/** What each request adds to a learned rate, in requests a second: steady requests double it in 14 s. */
const raisePerRequest = 0.05;
/** The last look of a wait is sent when its time is over: it may wait this much longer. */
const lastLookWaitsMs = 1_000;
/** What a service asks to wait beyond this is not waited for. */
const longestPauseMs = longestRetryAfterMs + spreadMs.longest;
/** Requests a second of a route that has been refused again and again. */
const lowestRate = 0.2;

export function createRateLimiter(
  clock: Clock,
  random: () => number,
  limits: RateLimits = defaultRateLimits,
): RateLimiter {
  const routes = new Map<string, Route>();

  const take = async (route: Route, deadline: Deadline | undefined): Promise<number> => {
    for (;;) {
      const nowMs = clock.monotonicMs();
      const limitedAtMs = Math.max(
        route.pausedUntilMs,
        route.nextAtMs,
        windowsFreeAtMs(route, nowMs, limits),
      );
      const isBurst = route.learned === undefined && limits.perSecond !== Infinity;
      const freeAtMs = isBurst ? Math.max(limitedAtMs, burstFreeAtMs(route)) : limitedAtMs;
      if (freeAtMs <= nowMs) {
        recordSent(route, nowMs, random);
        if ((route.learned ?? 0) >= limits.perSecond) route.learned = undefined;
        return 0;
      }
      const leftMs = Math.max(deadline?.leftMs() ?? Infinity, 0);
      // A burst goes on soon: it waits for answers that are on their way.
      const waitMs = limitedAtMs - nowMs;
      if (waitMs > leftMs + lastLookWaitsMs || route.pausedUntilMs - nowMs > longestPauseMs) return waitMs;
      route.waiting = new AbortController();
      await clock.sleep(freeAtMs - nowMs, route.waiting.signal).catch(() => undefined);
    }
  };

  return {
    wake: () => {
      for (const route of routes.values()) route.waiting?.abort();
    },
    acquire: (name, deadline) => {
      const route = routeCalled(name, routes);
      const taken = route.tail.then(() => take(route, deadline));
      route.tail = taken;
      return taken;
    },
    ended: (name) => {
      const route = routeCalled(name, routes);
      route.burst = { ...route.burst, ended: route.burst.ended + 1 };
      route.waiting?.abort();
    },
    refused: (name, retryAfterMs) => {
      const route = routeCalled(name, routes);
      const nowMs = clock.monotonicMs();
      // Requests that were on their way together are refused together: that is one lesson, not ten.
      if (nowMs < route.pausedUntilMs) return;
      route.pausedUntilMs = nowMs + pauseMs(route.refusals, retryAfterMs, random());
      route.refusals += 1;
      route.learned = Math.max(
        lowestRate,
        keptAfterRefusal * (route.learned ?? sentInLastSecond(route, nowMs)),
      );
    },
  };
}

function routeCalled(name: string, routes: Map<string, Route>): Route {
  const known = routes.get(name);
  if (known !== undefined) return known;
  const never = Number.NEGATIVE_INFINITY;
  const route: Route = {
    sentAtMs: [],
    burst: { sent: 0, ended: 0 },
    nextAtMs: never,
    pausedUntilMs: never,
    refusals: 0,
    learned: undefined,
    tail: Promise.resolve(),
    waiting: undefined,
  };
  routes.set(name, route);
  return route;
}

function recordSent(route: Route, nowMs: number, random: () => number): void {
  const { sent, ended } = route.burst;
  const isNew = sent === ended && nowMs - lastSentAtMs(route) > burstEndsAfterMs;
  route.burst = isNew ? { sent: 1, ended: 0 } : { sent: sent + 1, ended };
  route.sentAtMs.push(nowMs);
  if (route.learned === undefined) return;
  route.nextAtMs = nowMs + (secondMs / route.learned) * (0.5 + random());
  route.learned += raisePerRequest;
  if (nowMs >= route.pausedUntilMs + rowEndsAfterMs) route.refusals = 0;
}

/**
 * A refused request comes back at a moment that chance gives: within a pause as wide as the wait is long, since
 * many were refused together. Never before the service says.
 */
function pauseMs(refusals: number, retryAfterMs: number | undefined, chance: number): number {
  const widthMs = Math.min(spreadMs.longest, spreadMs.first * 2 ** refusals);
  const leastMs = retryAfterMs ?? widthMs / 2;
  return leastMs + chance * widthMs;
}

/**
 * One request at a time until the first has ended; after n of them the root of n at a time. Where a service answers
 * in 10 ms, 36 requests leave within a tenth of a second.
 */
function burstFreeAtMs(route: Route): number {
  const { sent, ended } = route.burst;
  const isFree = sent - ended < Math.max(1, Math.sqrt(ended));
  return isFree ? Number.NEGATIVE_INFINITY : lastSentAtMs(route) + firstGapMs / sent ** 1.5;
}

function lastSentAtMs({ sentAtMs }: Route): number {
  return sentAtMs.at(-1) ?? Number.NEGATIVE_INFINITY;
}

/** When both windows have room. */
function windowsFreeAtMs({ sentAtMs }: Route, nowMs: number, { perSecond, perMinute }: RateLimits): number {
  while (sentAtMs.length > 0 && (sentAtMs[0] ?? 0) <= nowMs - minuteMs) sentAtMs.shift();
  const freeAtMs = (count: number, windowMs: number): number =>
    (sentAtMs.at(-count) ?? Number.NEGATIVE_INFINITY) + windowMs;
  return Math.max(freeAtMs(perSecond, secondMs), freeAtMs(perMinute, minuteMs));
}

function sentInLastSecond({ sentAtMs }: Route, nowMs: number): number {
  return sentAtMs.filter((atMs) => atMs > nowMs - secondMs).length;
}
