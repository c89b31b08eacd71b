/**
 * Decides whether and when a request is sent again (pure). `answers.ts` has already decided what an answer means, and whether
 * the service may have carried the request out. A retry looks only at the resulting error.
 *
 * A request gets three attempts, with full jitter between them. Retries also cost tokens, of which the whole process has a
 * limited number: so a service that is down gets one request per call instead of three.
 */
import { longestRequestMs } from "../model/timing";
import type { RequestError, RequestErrorKind } from "../model/errors";
import type { WireRequest } from "./transport";

type Method = WireRequest["method"];

const everyMethod: readonly Method[] = ["GET", "POST", "PATCH", "DELETE"];

/**
 * The methods that may be sent again after each kind of failure, without checking what was done. Other kinds end the call,
 * unless `writePermits.ts` waits and sends the request again.
 */
const repeated: Partial<Record<RequestErrorKind, readonly Method[]>> = {
  throttled: everyMethod,
  // Not POST: a 503 says that nothing was done, but a gateway may answer 503 after it passed the request on.
  busy: ["GET", "PATCH", "DELETE"],
  broken: ["GET"],
  unreadable: ["GET"],
};

/** Whether sending the request again may help, and does no harm. */
function isRepeatable({ kind, outcome, transient }: RequestError, method: Method): boolean {
  if (kind === "connection") return transient && (method === "GET" || outcome === "unsent");
  // The rate limit held the request back, because its caller does not want to wait longer.
  if (outcome === "unsent") return false;
  return repeated[kind]?.includes(method) === true;
}

const attempts = 3;
/** After a 429: more attempts, since the rate limiter spaces them and the service did nothing. */
const throttledAttempts = 8;
/** Upper bound of the first wait; doubles with each attempt. */
const baseMs = 250;

/**
 * How long to wait before the next attempt; undefined to stop.
 *
 * @param moment.attempt - 1 for the first one.
 * @param moment.random - 0 ≤ x < 1.
 */
export function waitBefore(
  error: RequestError,
  { method, attempt, random }: { readonly method: Method; readonly attempt: number; readonly random: number },
): number | undefined {
  const { kind, retryAfterMs = 0 } = error;
  const most = kind === "throttled" ? throttledAttempts : attempts;
  // A Retry-After that is longer than a command should wait ends the call: the error says when to try again.
  if (!isRepeatable(error, method) || attempt >= most || retryAfterMs > longestRequestMs) return undefined;
  return Math.max(random * baseMs * 2 ** (attempt - 1), retryAfterMs);
}

/**
 * How long to wait before a request is sent again to a service that answered earlier in this run, and is away now. This
 * goes on for as long as the caller has time. Undefined if the service is not away, or may have carried the request out.
 */
export function waitWhileAway(
  { isAway, outcome }: Pick<RequestError, "isAway" | "outcome">,
  { method, attempt }: { readonly method: Method; readonly attempt: number },
): number | undefined {
  if (!isAway || (method !== "GET" && outcome !== "unsent")) return undefined;
  return Math.min(awayPollMs * attempt, longestAwayPollMs);
}

const awayPollMs = 500;
const longestAwayPollMs = 5_000;

/** What one retry costs. */
const costTokens = 5;

/** Tokens that retries cost and successes give back, shared by all calls. */
interface RetryQuota {
  /** Pays for one retry; returns false if too few tokens are left. */
  take(): boolean;
  /** A call has succeeded, or failed for good, after this many attempts. */
  ended(attempts: number): void;
}

export function createRetryQuota(most = 500): RetryQuota {
  let left = most;
  return {
    take: () => {
      if (left < costTokens) return false;
      left -= costTokens;
      return true;
    },
    ended: (attempts) => {
      left = Math.min(most, left + (attempts === 1 ? 1 : costTokens));
    },
  };
}
