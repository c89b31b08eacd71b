/**
 * Keeps each route below the service's rate limit, so that the service does not have to refuse requests.
 *
 * A process that is alone stays below the limits that the best known service publishes, 700 requests a minute and
 * bursts of 40 a second for each route, and is never refused. Processes that share an account do not know of each
 * other: they learn from a 429. Therefore a burst begins with one request and grows with the answers, so that few
 * requests are under way when the first refusal comes. A refusal slows the route down for long. Random pauses keep
 * processes that were refused together from coming back together.
 *
 * Each route has a limit of its own, so that a create never waits for polls.
 *
 * If a user's configuration says that the service has no limit, requests leave at once; a 429 then slows the route down
 * as it does under a limit.
 */
import type { Clock, Deadline } from "../clock";
import { createCondition, type Condition } from "../condition";
import { defaultRateLimits, type RateLimits } from "../settings/rates";
import { longestRequestMs } from "../model/timing";

export interface RateLimiter {
  /**
   * Waits until a request of this route may be sent. Callers are served in the order in which they asked.
   *
   * @param deadline - of the caller that waits for the answer.
   * @returns 0 once the request may be sent. Otherwise it must not be sent, and the result is the time until it could
   * be, in milliseconds: well after the deadline, or later than a command should wait.
   */
  acquire(route: string, deadline?: Deadline): Promise<number>;
  /** Call it when a request that was let through has ended, with an answer or without one. */
  ended(route: string): void;
  /** The service refused a request of this route with 429. */
  refused(route: string, retryAfterMs: number | undefined): void;
  /** Makes each waiting request check its deadline again, because the run was interrupted. */
  wake(): void;
}

interface Route {
  /** When requests were sent in the last minute, on the monotonic clock, oldest first. */
  sentAtMs: number[];
  burst: Burst;
  pausedUntilMs: number;
  /** Refusals in a row; 0 again once the route has sent requests for a while without a refusal. */
  refusals: number;
  /** The rate learned from refusals, in requests a second; undefined without a refusal. */
  learned: number | undefined;
  /** At a learned rate, the earliest time of the next request. */
  nextAtMs: number;
  /** Promise of the last caller in the queue: the next caller waits for it. */
  tail: Promise<unknown>;
  /** Wakes the head of the queue early: an answer came, or the run was interrupted. */
  readonly mayGo: Condition;
}

/** Requests of a route that were sent without a pause between them. */
interface Burst {
  readonly sent: number;
  readonly ended: number;
}

const secondMs = 1_000;
const minuteMs = 60_000;
const longAgo = Number.NEGATIVE_INFINITY;
/** A route begins a new burst if it has sent nothing for this long, and no answer is pending. */
const burstEndsAfterMs = 1_000;
/**
 * The next request of a burst is sent after this time at the latest, divided by n^1.5 after n requests: a slow
 * service must not make a burst slow. The sum is less than four seconds.
 */
const firstGapMs = 1_500;
/** Width of the random pause after a refusal: doubles with each refusal in a row. */
const spreadMs = { first: 2_000, longest: 30_000 } as const;
/** After this long without a refusal since the last pause, the next refusal counts as the first one again. */
const rowEndsAfterMs = 5_000;
/**
 * Share of the rate that remains after a refusal. A process that begins a burst beside others is refused within its first
 * few requests, and that rate is still too high for all of them together.
 */
const keptAfterRefusal = 0.3;
/** What each request adds to a learned rate, in requests a second: steady requests double it in 14 s. */
const raisePerRequest = 0.05;
/** The last poll of a wait is sent when its time is over: it may wait this much longer. */
const lastPollWaitsMs = 1_000;
/** Longest pause that a request waits for; a longer one ends the call. */
const longestPauseMs = longestRequestMs + spreadMs.longest;
/** Lowest rate, in requests a second, however often a route is refused. */
const lowestRate = 0.2;

/** What all routes of a limiter share. */
interface LimiterParts {
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: RateLimits;
}

export function createRateLimiter(
  clock: Clock,
  random: () => number,
  limits: RateLimits = defaultRateLimits,
): RateLimiter {
  const routes = new Map<string, Route>();
  return {
    acquire: (name, deadline) => {
      const route = routeCalled(name, routes);
      const taken = route.tail.then(() => take(route, deadline, { clock, random, limits }));
      route.tail = taken;
      return taken;
    },
    ended: (name) => {
      const route = routeCalled(name, routes);
      route.burst = { ...route.burst, ended: route.burst.ended + 1 };
      route.mayGo.notifyAll();
    },
    refused: (name, retryAfterMs) => {
      const route = routeCalled(name, routes);
      const nowMs = clock.monotonicMs();
      // Requests that were under way together are refused together: they count as one refusal.
      if (nowMs < route.pausedUntilMs) return;
      slowDown(route, nowMs, pauseMs(route.refusals, retryAfterMs, random()));
    },
    wake: () => {
      for (const route of routes.values()) route.mayGo.notifyAll();
    },
  };
}

/** Waits at the head of a route's queue; the result is that of `acquire`. */
async function take(
  route: Route,
  deadline: Deadline | undefined,
  { clock, random, limits }: LimiterParts,
): Promise<number> {
  for (;;) {
    const nowMs = clock.monotonicMs();
    const limitedAtMs = Math.max(route.pausedUntilMs, route.nextAtMs, windowsFreeAtMs(route, nowMs, limits));
    const freeAtMs = Math.max(limitedAtMs, burstFreeAtMs(route, limits));
    if (freeAtMs <= nowMs) {
      recordSent(route, nowMs, random);
      if ((route.learned ?? 0) >= limits.perSecond) route.learned = undefined;
      return 0;
    }
    const leftMs = Math.max(deadline?.leftMs() ?? Infinity, 0);
    // A burst never makes a caller give up: answers to its requests come soon.
    const waitMs = limitedAtMs - nowMs;
    if (waitMs > leftMs + lastPollWaitsMs || route.pausedUntilMs - nowMs > longestPauseMs) return waitMs;
    await route.mayGo.wait({ clock, ms: freeAtMs - nowMs });
  }
}

function slowDown(route: Route, nowMs: number, forMs: number): void {
  route.pausedUntilMs = nowMs + forMs;
  route.refusals += 1;
  route.learned = Math.max(lowestRate, keptAfterRefusal * (route.learned ?? sentInLastSecond(route, nowMs)));
}

function routeCalled(name: string, routes: Map<string, Route>): Route {
  const known = routes.get(name);
  if (known !== undefined) return known;
  const route: Route = {
    sentAtMs: [],
    burst: { sent: 0, ended: 0 },
    nextAtMs: longAgo,
    pausedUntilMs: longAgo,
    refusals: 0,
    learned: undefined,
    tail: Promise.resolve(),
    mayGo: createCondition(),
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
 * A random pause, because many requests were refused together and must not come back together. Never shorter than the
 * service asks for.
 */
function pauseMs(refusals: number, retryAfterMs: number | undefined, chance: number): number {
  const widthMs = Math.min(spreadMs.longest, spreadMs.first * 2 ** refusals);
  return (retryAfterMs ?? widthMs / 2) + chance * widthMs;
}

/**
 * One request at a time until the first has ended; after n answers, the square root of n at a time. If a service
 * answers in 10 ms, 36 requests are sent within a tenth of a second.
 */
function burstFreeAtMs(route: Route, { perSecond }: RateLimits): number {
  if (route.learned !== undefined || perSecond === Infinity) return longAgo;
  const { sent, ended } = route.burst;
  const isFree = sent - ended < Math.max(1, Math.sqrt(ended));
  return isFree ? longAgo : lastSentAtMs(route) + firstGapMs / sent ** 1.5;
}

function lastSentAtMs({ sentAtMs }: Route): number {
  return sentAtMs.at(-1) ?? longAgo;
}

/** When both windows allow another request. */
function windowsFreeAtMs({ sentAtMs }: Route, nowMs: number, { perSecond, perMinute }: RateLimits): number {
  while (sentAtMs.length > 0 && (sentAtMs[0] ?? 0) <= nowMs - minuteMs) sentAtMs.shift();
  const freeAtMs = (count: number, windowMs: number): number => (sentAtMs.at(-count) ?? longAgo) + windowMs;
  return Math.max(freeAtMs(perSecond, secondMs), freeAtMs(perMinute, minuteMs));
}

function sentInLastSecond({ sentAtMs }: Route, nowMs: number): number {
  return sentAtMs.filter((atMs) => atMs > nowMs - secondMs).length;
}
