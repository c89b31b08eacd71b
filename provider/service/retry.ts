/**
 * Decides whether and when a request is sent again (pure). What an answer means, and whether the service may have carried
 * the request out, `answers.ts` has said before: a retry asks nothing of the answer but its error.
 *
 * Three attempts, full jitter, and a quota of tokens shared by the whole process, so that a service which is down
 * gets one request per call instead of three.
 */
import { longestRequestMs } from "../model/timing";
import type { RequestError, RequestErrorKind } from "../model/errors";
import type { WireRequest } from "./transport";

type Method = WireRequest["method"];

const everyMethod: readonly Method[] = ["GET", "POST", "PATCH", "DELETE"];

/**
 * The methods that may be sent again after each kind of failure, without a look at what was done. Not after others: they end
 * the call, or `writePermits.ts` waits first.
 */
const repeated: Partial<Record<RequestErrorKind, readonly Method[]>> = {
  throttled: everyMethod,
  // The service says that it did nothing, but a gateway says the same after it passed a request on.
  busy: ["GET", "PATCH", "DELETE"],
  broken: ["GET"],
  unreadable: ["GET"],
};

/** Whether sending it again may help, and does nothing twice. */
function isRepeatable({ kind, outcome, transient }: RequestError, method: Method): boolean {
  if (kind === "connection") return transient && (method === "GET" || outcome === "unsent");
  // Held back by the rate limit: waiting longer is what its caller does not want.
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
  // Longer than a command should wait: the error says when to try again.
  if (!isRepeatable(error, method) || attempt >= most || retryAfterMs > longestRequestMs) return undefined;
  return Math.max(random * baseMs * 2 ** (attempt - 1), retryAfterMs);
}

/**
 * How long to wait before a request is sent again to a service that has answered before in this run, and is away now:
 * as often as its caller has time. undefined if the service is not away, or may have done it.
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
  /** A call has ended with a certain answer, after so many attempts. */
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
