/**
 * Decides whether to send a request again: what its outcome means (pure), whether and when it is sent again (pure), wait.
 *
 * The most important question is whether a write may have been carried out. Many answers come not from the service but
 * from a gateway in front of it, which had passed the request on before it gave up: such an answer is not a refusal.
 * Interface 7 gives no codes, so statuses have their standard meanings.
 *
 * Three attempts, full jitter, and a quota of tokens shared by the whole process, so that a service which is down
 * gets one request per call instead of three.
 */
import type { Clock, Deadline } from "../clock";
import type { RequestErrorKind } from "../model/errors";
import { longestRequestMs } from "../model/timing";
import type { WireAnswer, WireOutcome, WireRequest } from "./transport";

/**
 * What an outcome means for a retry.
 *
 * - `final`: an answer that ends the call, success or refusal.
 * - `throttled`: the service did nothing and may do it later (429): a retry is safe for every method.
 * - `busy`: the service says that it did nothing (503), but a gateway says the same after it passed a request on: a
 *   retry is safe for all methods but POST, for which the caller checks the result first.
 * - `locked`: another operation of the project is running (423): a retry is safe, but only useful later.
 * - `unsent`: the request was not sent: a retry is safe for every method.
 * - `unknown`: it may have been carried out: a retry is safe only for reads.
 */
export type RetryClass = "final" | "throttled" | "busy" | "locked" | "unsent" | "unknown";

interface Meaning {
  readonly retryClass: Exclude<RetryClass, "unsent">;
  readonly kind: RequestErrorKind;
}

const refused = (kind: RequestErrorKind): Meaning => ({ retryClass: "final", kind });
const mayBeDone: Meaning = { retryClass: "unknown", kind: "broken" };

/** Statuses whose meaning differs from their class (4xx, 5xx). */
const statusMeanings: Readonly<Record<number, Meaning>> = {
  303: mayBeDone, // the answer to a write that was done is to be read elsewhere
  400: refused("badInput"),
  404: refused("notFound"),
  408: mayBeDone, // a gateway waited too long for the service, which may still be at work
  409: refused("conflict"),
  410: refused("notFound"),
  412: refused("conflict"), // it is not as the request expects it
  413: refused("badInput"), // the body is too large
  414: refused("badInput"), // the path is too long
  422: refused("badInput"),
  423: { retryClass: "locked", kind: "locked" },
  425: mayBeDone, // a gateway that sent the request early cannot say whether the service took it
  429: { retryClass: "throttled", kind: "throttled" },
  460: mayBeDone, // a load balancer lost the connection while the service was at work
  499: mayBeDone, // a gateway lost the connection to its client while the service was at work
  503: { retryClass: "busy", kind: "busy" },
};

/**
 * Whether a gateway may say this no after it passed a request on. A conflict is not a gateway's to see, and the
 * statuses that end no call have a meaning of their own, whoever says them.
 */
export function isGatewaysToo(status: number): boolean {
  const { retryClass, kind } = meaningOf(status);
  return status >= 400 && retryClass === "final" && kind !== "conflict";
}

/**
 * The other 5xx come from the service or from a gateway (502, 504, 520 to 527, 529, 598, 599). They include the statuses
 * for "no connection", since a gateway may have tried more than once.
 *
 * @param status - of an answer that is not a success.
 */
export function meaningOf(status: number): Meaning {
  return statusMeanings[status] ?? (status >= 500 ? mayBeDone : refused("refused"));
}

export function classify(outcome: WireOutcome): RetryClass {
  if (outcome.kind === "failure") {
    return outcome.transient ? outcome.sent : "final";
  }
  const { status, readable } = outcome;
  if (status >= 300) return meaningOf(status).retryClass;
  // An unreadable success (a proxy's page, a garbled body) may mean that the request was carried out.
  return readable ? "final" : "unknown";
}

const attempts = 3;
/** After a 429: more attempts, since the rate limiter spaces them and the service did nothing. */
const throttledAttempts = 8;
/** Upper bound of the first wait; doubles with each attempt. */
const baseMs = 250;
/** What one retry costs. */
const costTokens = 5;

/** Tokens that retries cost and successes give back, shared by all calls. */
interface RetryQuota {
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

/**
 * How long to wait before the next attempt; undefined to stop.
 *
 * @param moment.attempt - 1 for the first one.
 * @param moment.random - 0 ≤ x < 1.
 */
export function decide(moment: {
  readonly retryClass: RetryClass;
  readonly method: WireRequest["method"];
  readonly attempt: number;
  readonly retryAfterMs: number | undefined;
  readonly random: number;
}): number | undefined {
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
  final: [],
  // `writePermits.ts` waits for the operations and sends again.
  locked: [],
};

/**
 * Retry-After in both its forms, in milliseconds; undefined if it is absent or invalid. A date is compared with the
 * service's own, if the answer states it: this machine's clock may be hours off.
 *
 * @param nowMs - wall time of this machine.
 */
export function readRetryAfterMs(
  { "retry-after": text = "", date = "" }: WireAnswer["headers"],
  nowMs: number,
): number | undefined {
  const serviceNowMs = Date.parse(date);
  const fromMs = Number.isFinite(serviceNowMs) ? serviceNowMs : nowMs;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - fromMs;
  return Number.isFinite(ms) && ms >= 0 && !/^[-+]/.test(text) ? ms : undefined;
}

export interface RetryOptions {
  /** When the caller stops waiting for the answer; undefined if nobody waits. */
  readonly deadline?: Deadline | undefined;
  /** Called for each retry, for the row of the resource. */
  readonly onRetry?: ((attempt: number, waitMs: number) => void) | undefined;
  /** Called before a write is sent again that the service may have carried out, whatever a gateway said. */
  readonly onDoubt?: (() => void) | undefined;
}

/** What retries need of their process. */
export interface RetryParts {
  readonly clock: Clock;
  readonly random: () => number;
  readonly quota: RetryQuota;
}

/** Sends until an outcome ends the call, all attempts are used, or the quota is empty. */
export async function sendWithRetry(
  send: () => Promise<WireOutcome>,
  method: WireRequest["method"],
  context: RetryParts & RetryOptions,
): Promise<WireOutcome> {
  const { quota, clock } = context;
  for (let attempt = 1; ; attempt++) {
    const outcome = await send();
    const retryClass = classify(outcome);
    if (retryClass === "final") {
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
