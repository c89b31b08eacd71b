/**
 * The request limits of the service: the default, and the setting for another one.
 */
import type { Unreadable } from "../model/errors";

/** How many requests of each route the service accepts. */
export interface RateLimits {
  readonly perSecond: number;
  readonly perMinute: number;
}

/** Below what the best known service publishes, 40 and 700: requests that are sent evenly may arrive unevenly. */
export const defaultRateLimits: RateLimits = { perSecond: 36, perMinute: 680 };

/** Requests are sent at once, until the service refuses one. */
export const noRateLimits: RateLimits = { perSecond: Infinity, perMinute: Infinity };

/**
 * The limits that `compute:requestsPerMinute` asks for. The limit per second grows in proportion to the default:
 * services that accept more requests in a minute accept more at once.
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
