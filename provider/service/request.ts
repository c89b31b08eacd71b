/**
 * Sends a request until its answer can be used. The one place where the turn of a write, the retries and the rate limit are
 * put together, in this order from outside to inside: a locked project makes a write wait, each answer that says nothing
 * certain is retried if that is safe, and each attempt keeps to the rate limit.
 */
import type * as z from "zod";
import { longestTimerMs, type Clock, type Deadline } from "../clock";
import { ComputeError, RequestError } from "../model/errors";
import { lastAnswerMs } from "../model/timing";
import { heldBack, readAnswer } from "./answers";
import type { CallOptions, ServiceRequest } from "./call";
import type { RateLimiter } from "./limiter";
import { readRetryAfterMs, sendWithRetry, type RetryQuota } from "./retry";
import type { ServiceClock } from "./serviceClock";
import type { Transport, WireOutcome } from "./transport";

/** What requests share in a process. */
export interface RequestParts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly quota: RetryQuota;
  readonly limiter: RateLimiter;
  readonly serviceClock: ServiceClock;
  /** Removes secrets from text that came from outside. */
  readonly redact: (text: string) => string;
  /** Called at each attempt of a write. */
  readonly onWrite: (request: ServiceRequest) => void;
}

/**
 * @throws RequestError if there is no answer, or it is a refusal, or it does not match the interface.
 * @throws ComputeError if the run was interrupted before a write was sent.
 */
export function send<T>(
  parts: RequestParts,
  request: ServiceRequest,
  { schema, options }: { readonly schema: z.ZodType<T>; readonly options: CallOptions },
): Promise<T> {
  const attempt = (): Promise<WireOutcome> => sendLimited(parts, request, options.deadline);
  const answered = async (): Promise<T> => {
    const outcome = await sendWithRetry(attempt, request.method, { ...parts, ...options });
    return readAnswer(parts, request, { outcome, schema });
  };
  const { turn } = options;
  if (turn === undefined) return answered();
  return turn.permit.send(() => {
    if (turn.deadline.isInterrupted()) throw interruptedBefore(request);
    return answered();
  }, turn);
}

/** One attempt, below the rate limit. */
async function sendLimited(
  { limiter, transport, clock, redact, onWrite }: RequestParts,
  request: ServiceRequest,
  deadline: Deadline | undefined,
): Promise<WireOutcome> {
  const waitMs = await limiter.acquire(request.route, deadline);
  if (waitMs > 0) throw heldBack(request, waitMs);
  if (request.method !== "GET") onWrite(request);
  const outcome = await transport.send(request, limitOf(deadline));
  limiter.ended(request.route);
  if (outcome.kind === "answer" && outcome.status === 429)
    limiter.refused(request.route, readRetryAfterMs(outcome.headers, clock.now()));
  // A header may quote what was sent.
  return { ...outcome, requestId: redact(outcome.requestId) };
}

function interruptedBefore({ doing }: ServiceRequest): ComputeError {
  return new ComputeError({
    doing,
    what: "the run was interrupted before this change was sent",
    fix: "Run the same command again: nothing of it was done",
  });
}

function limitOf(deadline: Deadline | undefined): number | undefined {
  return deadline && Math.min(Math.max(deadline.leftMs(), 0) + lastAnswerMs, longestTimerMs);
}

/**
 * A shared answer for one of its callers: it fails when this caller's time is over, while the request continues for
 * the others.
 */
export function inTime<T>(answer: Promise<T>, deadline: Deadline | undefined, doing: string): Promise<T> {
  const limitMs = limitOf(deadline);
  if (limitMs === undefined) return answer;
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      const what = "no answer within the time limit";
      const fix = "Run the same command again; a longer wait is set with `timeouts`";
      reject(
        new RequestError({ doing, what, fix }, { kind: "connection", outcome: "unsent", transient: true }),
      );
    }, limitMs).unref();
    answer.then(resolve, reject).finally(() => {
      clearTimeout(late);
    });
  });
}
