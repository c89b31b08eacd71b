/**
 * Keeps each route below the rate that the service takes, instead of finding out by being refused.
 *
 * It starts from the limits that the best known service publishes, 700 requests a minute and bursts of 40 a
 * second for each route, with a margin; a 429 teaches it a lower one, and time without a 429 leads it back.
 * Routes are apart, so that a create never waits behind polls.
 */
import type { Clock } from "../clock";

export interface RateLimits {
  readonly perSecond: number;
  readonly perMinute: number;
}

export const defaultRateLimits: RateLimits = { perSecond: 36, perMinute: 680 };

export interface RateLimiter {
  /** Resolves when a request of this route may be sent; in the order asked. */
  acquire(route: string): Promise<void>;
  /** The service refused a request of this route with 429. */
  refused(route: string, retryAfterMs: number | undefined): void;
}

interface Route {
  limits: RateLimits;
  /** When requests were sent in the last minute, on the monotonic clock, oldest first. */
  sentAtMs: number[];
  pausedUntilMs: number;
  refusals: number;
  refusedAtMs: number;
  /** The one that asked last; the next one waits behind it. */
  tail: Promise<void>;
}

const secondMs = 1_000;
const minuteMs = 60_000;
/** A pause where the service names none: doubles with each refusal in a row. */
const pauseMs = { first: 1_000, longest: 30_000 } as const;
/** Longest Retry-After that is honoured: a service may say a day, or nonsense. */
const longestRetryAfterMs = 60_000;
/** Time without a refusal after which a learned limit is raised again. */
const forgiveAfterMs = 10_000;

export function createRateLimiter(
  clock: Clock,
  random: () => number,
  start: RateLimits = defaultRateLimits,
): RateLimiter {
  const routes = new Map<string, Route>();

  const routeOf = (name: string): Route => {
    const known = routes.get(name);
    if (known !== undefined) return known;
    const route: Route = {
      limits: start,
      sentAtMs: [],
      pausedUntilMs: Number.NEGATIVE_INFINITY,
      refusals: 0,
      refusedAtMs: Number.NEGATIVE_INFINITY,
      tail: Promise.resolve(),
    };
    routes.set(name, route);
    return route;
  };

  const take = async (route: Route): Promise<void> => {
    for (;;) {
      const nowMs = clock.monotonicMs();
      forgive(route, nowMs, start);
      const waitMs = Math.max(route.pausedUntilMs - nowMs, waitForSlotMs(route, nowMs));
      if (waitMs <= 0) {
        route.sentAtMs.push(nowMs);
        return;
      }
      await clock.sleep(waitMs);
    }
  };

  return {
    acquire: (name) => {
      const route = routeOf(name);
      route.tail = route.tail.then(() => take(route));
      return route.tail;
    },
    refused: (name, retryAfterMs) => {
      const route = routeOf(name);
      const nowMs = clock.monotonicMs();
      const backoffMs = Math.min(pauseMs.longest, pauseMs.first * 2 ** route.refusals);
      // Requests that were on their way together are refused together: that is one lesson, not ten.
      if (nowMs < route.pausedUntilMs) return;
      route.refusals += 1;
      route.refusedAtMs = nowMs;
      // Full jitter on top: processes that share a limit must not come back at the same moment.
      route.pausedUntilMs = nowMs + Math.min(retryAfterMs ?? backoffMs, longestRetryAfterMs) + random() * 250;
      route.limits = lowered(route, nowMs);
    },
  };
}

/** How long until both windows have room. */
function waitForSlotMs(route: Route, nowMs: number): number {
  const { sentAtMs, limits } = route;
  while (sentAtMs.length > 0 && (sentAtMs[0] ?? 0) <= nowMs - minuteMs) sentAtMs.shift();
  const freeAt = (count: number, windowMs: number): number => {
    const earliest = sentAtMs.at(-count);
    return earliest === undefined ? nowMs : earliest + windowMs;
  };
  return Math.max(freeAt(limits.perSecond, secondMs), freeAt(limits.perMinute, minuteMs)) - nowMs;
}

/** A little less than what was just refused: by the second after a burst, by the minute otherwise. */
function lowered({ sentAtMs, limits }: Route, nowMs: number): RateLimits {
  const lastSecond = sentAtMs.filter((at) => at > nowMs - secondMs).length;
  if (lastSecond > limits.perSecond / 4) {
    return { ...limits, perSecond: Math.max(1, Math.floor(lastSecond * 0.8)) };
  }
  return { ...limits, perMinute: Math.max(10, Math.floor(sentAtMs.length * 0.9)) };
}

function forgive(route: Route, nowMs: number, start: RateLimits): void {
  if (nowMs - route.refusedAtMs < forgiveAfterMs) return;
  route.refusals = 0;
  route.refusedAtMs = nowMs;
  route.limits = {
    perSecond: Math.min(start.perSecond, Math.ceil(route.limits.perSecond * 1.1)),
    perMinute: Math.min(start.perMinute, Math.ceil(route.limits.perMinute * 1.1)),
  };
}
