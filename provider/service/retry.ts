/**
 * Decides whether to send a request again: classify (pure), decide (pure), wait.
 *
 * Three attempts, full jitter, and a quota of tokens shared by the whole process, so that a service which is down
 * gets one request per call instead of three.
 */
import type { Clock } from "../clock";
import { longestRequestMs } from "../model/timing";
import type { CallOptions } from "./call";
import { meaningOf, type RetryClass } from "./statuses";
import type { WireAnswer, WireOutcome, WireRequest } from "./transport";

export function classify(outcome: WireOutcome): RetryClass {
  if (outcome.kind === "failure") {
    return outcome.transient ? outcome.sent : "done";
  }
  const { status, readable } = outcome;
  if (status < 200 || status >= 300) return meaningOf(status).retryClass;
  // An unreadable success (a proxy's page, a garbled body) may mean that the request was carried out.
  return readable ? "done" : "unknown";
}

const attempts = 3;
/** After a 429: more attempts, since the rate limiter spaces them and the service did nothing. */
const throttledAttempts = 8;
/** Upper bound of the first wait; doubles with each attempt. */
const baseMs = 250;
/** What one retry costs. */
const costTokens = 5;

/** Tokens that retries cost and successes give back, shared by all calls. */
export interface RetryQuota {
  /** Pays for one retry; returns false if too few tokens are left. */
  take(): boolean;
  giveBack(tokens: number): void;
}

export function createRetryQuota(most = 500): RetryQuota {
  let left = most;
  return {
    take: () => {
      if (left < costTokens) return false;
      left -= costTokens;
      return true;
    },
    giveBack: (tokens) => {
      left = Math.min(most, left + tokens);
    },
  };
}

interface RetryMoment {
  readonly retryClass: RetryClass;
  readonly method: WireRequest["method"];
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly retryAfterMs: number | undefined;
  /** 0 ≤ x < 1. */
  readonly random: number;
}

/** How long to wait before the next attempt; undefined to stop. */
export function decide(moment: RetryMoment): number | undefined {
  const { retryClass, method, attempt, retryAfterMs = 0, random } = moment;
  const most = retryClass === "throttled" ? throttledAttempts : attempts;
  if (!safeMethods[retryClass].includes(method) || attempt >= most) return undefined;
  // Longer than a command should wait: the error says when to try again.
  if (retryAfterMs > longestRequestMs) return undefined;
  return Math.max(random * baseMs * 2 ** (attempt - 1), retryAfterMs);
}

const everyMethod = ["GET", "POST", "PATCH", "DELETE"] as const;

/** The methods that may be sent again. */
const safeMethods: Readonly<Record<RetryClass, readonly WireRequest["method"][]>> = {
  throttled: everyMethod,
  unsent: everyMethod,
  busy: ["GET", "PATCH", "DELETE"],
  unknown: ["GET"],
  done: [],
  // `projectLock.ts` waits for the operations and sends again.
  locked: [],
};

/**
 * Retry-After in both its forms, in milliseconds; undefined if it is absent or invalid. A date is compared with the
 * service's own, if the answer states it: this machine's clock may be hours off.
 *
 * @param nowMs - wall time of this machine.
 */
export function readRetryAfterMs(
  { "retry-after": value = "", date = "" }: WireAnswer["headers"],
  nowMs: number,
): number | undefined {
  const text = value.trim();
  if (text === "") return undefined;
  const serviceNowMs = Date.parse(date);
  const fromMs = Number.isFinite(serviceNowMs) ? serviceNowMs : nowMs;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - fromMs;
  return Number.isFinite(ms) && ms >= 0 && !/^[-+]/.test(text) ? ms : undefined;
}

interface RetryContext extends CallOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly quota: RetryQuota;
}

/** Sends until an outcome ends the call, all attempts are used, or the quota is empty. */
export async function sendWithRetry(
  send: () => Promise<WireOutcome>,
  method: WireRequest["method"],
  context: RetryContext,
): Promise<WireOutcome> {
  const { quota, clock } = context;
  for (let attempt = 1; ; attempt++) {
    const outcome = await send();
    const retryClass = classify(outcome);
    if (retryClass === "done") {
      quota.giveBack(attempt === 1 ? 1 : costTokens);
      return outcome;
    }
    const retryAfterMs =
      outcome.kind === "answer" ? readRetryAfterMs(outcome.headers, clock.now()) : undefined;
    const moment = { retryClass, method, attempt, retryAfterMs, random: context.random() };
    const waitMs = decide(moment);
    // Throttled requests cost no tokens: the rate limiter spaces them, and tokens are for a failing service.
    if (waitMs === undefined || waitMs > (context.deadline?.leftMs() ?? Infinity)) return outcome;
    if (retryClass !== "throttled" && !quota.take()) return outcome;
    if (retryClass === "busy") context.onDoubt?.();
    context.onRetry?.(attempt, waitMs);
    await (context.deadline?.wait(waitMs) ?? clock.sleep(waitMs));
  }
}
