/**
 * The rate limit of the service (interface, section 8): counts requests, and refuses those above a limit.
 */
import { ServiceError } from "../model/errors";
import type { Switches } from "../switches";

const windows = [
  { lengthMs: 60_000, limitOf: (switches: Switches): number => switches.rateLimitPerMinute },
  { lengthMs: 1000, limitOf: (switches: Switches): number => switches.rateLimitBurst },
];

/** Counts requests by route, in whole minutes and whole seconds of the emulator's clock. */
export class RateLimit {
  readonly #counts = new Map<string, { window: number; count: number }>();

  /** Counts one request. @throws ServiceError 429 if it is above a limit */
  count(route: string, switches: Switches, nowMs: number): void {
    for (const { lengthMs, limitOf } of windows) {
      const limit = limitOf(switches);
      if (limit === 0) continue;
      const key = `${route}/${lengthMs}`;
      const window = Math.floor(nowMs / lengthMs);
      const seen = this.#counts.get(key);
      const count = seen?.window === window ? seen.count + 1 : 1;
      this.#counts.set(key, { window, count });
      if (count > limit)
        throw new ServiceError(429, "too_many_requests", `More than ${limit} requests in ${lengthMs} ms.`);
    }
  }
}

/** The Retry-After header: one second, in the form that the switch `retryAfter` chooses. */
export function retryAfterHeader(switches: Switches, nowMs: number): Readonly<Record<string, string>> {
  switch (switches.retryAfter) {
    case "none":
      return {};
    case "seconds":
      return { "Retry-After": "1" };
    case "date":
      return { "Retry-After": new Date(nowMs + 1000).toUTCString() };
  }
}
