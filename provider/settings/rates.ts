/**
 * How many requests the service takes: what is kept to unless told otherwise, and how it is told.
 */
import type { Unreadable } from "../errors";

/** What the service takes of each route. */
export interface RateLimits {
  readonly perSecond: number;
  readonly perMinute: number;
}

/** Below what the best known service publishes, 40 and 700: what leaves evenly may arrive unevenly. */
export const defaultRateLimits: RateLimits = { perSecond: 36, perMinute: 680 };

/** Requests leave as they come, until the service refuses one. */
export const noRateLimits: RateLimits = { perSecond: Infinity, perMinute: Infinity };

/**
 * What `compute:requestsPerMinute` asks for. A second takes the part of a minute that it takes by default: services that
 * take more in a minute take more at once.
 */
export function rateLimitsFrom(text: string): RateLimits | Unreadable {
  if (!/^\d{1,9}$/.test(text)) {
    return {
      what: `it is "${text.slice(0, 40)}"`,
      fix: "Set it to a whole number from 0 (no limit) to 999999999",
      example: String(defaultRateLimits.perMinute),
    };
  }
  const perMinute = Number(text);
  if (perMinute === 0) return noRateLimits;
  const ofAMinute = defaultRateLimits.perSecond / defaultRateLimits.perMinute;
  return { perSecond: Math.ceil(perMinute * ofAMinute), perMinute };
}
