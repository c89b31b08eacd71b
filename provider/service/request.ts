/**
 * Sends a request until its answer can be used. Only this file combines the permits of writes, the retries and the rate limit.
 * From outside to inside: a locked project makes a write wait, a request whose answer says nothing certain is retried if that
 * is safe, and each attempt keeps to the rate limit.
 */
import type * as z from "zod";
import type { Deadline } from "../clock";
import { RequestError } from "../model/errors";
import { heldBack, readAnswer, readRetryAfterMs, type AnswerParts, type ServiceRequest } from "./answers";
import type { RateLimiter } from "./limiter";
import { waitBefore, waitWhileAway, type createRetryQuota } from "./retry";
import type { Transport, WireResult } from "./transport";
import type { WritePermit } from "./writePermits";

/** Options of one call of the service: its deadline, what its row shows, and for a write its permit. */
export interface CallOptions {
  /** When the caller stops waiting for the answer; undefined if nobody waits. */
  readonly deadline?: Deadline | undefined;
  /** Called for each retry, for the row of the resource. */
  readonly onRetry?: ((attempt: number, waitMs: number) => void) | undefined;
  /** Called before a write is sent again after a 503: a gateway may have passed the first request on to the service. */
  readonly onDoubt?: (() => void) | undefined;
  /** For a write: the right to send it in its project. */
  readonly permit?: WritePermit | undefined;
  /** Called after a conflict of a write: true if the cause is not a lock, so that waiting does not help. */
  readonly isTaken?: (() => Promise<boolean>) | undefined;
}

/** A request on its route. */
export interface RoutedRequest extends ServiceRequest {
  /** Name of the route, for the rate limit. */
  readonly route: string;
  /** For a write: the computes that it changes, for which earlier lists are out of date; undefined for a create. */
  readonly changes?: ComputeScope;
  /** Makes the body, in place of `body`, before each send. */
  readonly bodyNow?: () => Promise<unknown>;
}

/** The computes of a project, or one of them. */
export interface ComputeScope {
  readonly projectId: string;
  readonly endpointId?: string | undefined;
}

/** What requests share in a process. */
export interface RequestParts extends AnswerParts {
  readonly transport: Transport;
  readonly limiter: RateLimiter;
  readonly random: () => number;
  readonly quota: ReturnType<typeof createRetryQuota>;
  /** Called at each attempt of a write, with the computes that it changes. */
  readonly onChange: (scope: ComputeScope) => void;
}

/**
 * @throws RequestError if there is no answer, or if the answer is a refusal or does not match the interface. Also if the run
 * was interrupted before a write was sent.
 */
export async function send<T>(parts: RequestParts, request: RoutedRequest, asked: Asked<T>): Promise<T> {
  const { permit, deadline, isTaken } = asked.options;
  const write = deadline && permit?.begin({ deadline, isTaken });
  for (;;) {
    try {
      const answer = await retried(parts, request, asked);
      write?.accepted();
      return answer;
    } catch (error) {
      if ((await write?.outlastsLock(error)) !== true) throw error;
    }
  }
}

/** The form of the answer that a caller asks for, and the call. */
interface Asked<T> {
  readonly schema: z.ZodType<T>;
  readonly options: CallOptions;
}

/** Sends until an answer can be used, or until sending again would not help or could do harm. */
async function retried<T>(
  parts: RequestParts,
  request: RoutedRequest,
  { schema, options: { deadline, onDoubt, onRetry } }: Asked<T>,
): Promise<T> {
  const { clock } = parts;
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await sendLimited(parts, request, deadline);
      const answer = readAnswer(parts, request, { result, schema });
      parts.quota.ended(attempt);
      return answer;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (!error.transient) parts.quota.ended(attempt);
      const waitMs =
        waitBeforeRetry(parts, error, { method: request.method, attempt }) ??
        (deadline && parts.serviceClock.hasAnswered()
          ? waitWhileAway(error, { method: request.method, attempt })
          : undefined);
      if (waitMs === undefined || waitMs > (deadline?.leftMs() ?? Infinity)) throw error;
      if (error.kind === "busy") onDoubt?.();
      onRetry?.(attempt, waitMs);
      await (deadline?.wait(waitMs) ?? clock.sleep(waitMs));
    }
  }
}

/** @returns undefined once the attempts, or the tokens for retries (`retry.ts`), are used up. */
function waitBeforeRetry(
  { quota, random }: RequestParts,
  error: RequestError,
  moment: { readonly method: RoutedRequest["method"]; readonly attempt: number },
): number | undefined {
  const waitMs = waitBefore(error, { ...moment, random: random() });
  if (waitMs === undefined) return undefined;
  // Retries of throttled requests cost no tokens: the rate limiter spaces them. Tokens limit the retries at a failing service.
  return error.kind === "throttled" || quota.take() ? waitMs : undefined;
}

/** Sends one attempt, within the rate limit. */
async function sendLimited(
  { limiter, transport, clock, redact, onChange }: RequestParts,
  request: RoutedRequest,
  deadline: Deadline | undefined,
): Promise<WireResult> {
  const limit = limiter.of(request.route);
  const waitMs = await limit.acquire(deadline);
  // By now the request has waited for its turn, for a pause that the service asked for, and for the rate limit.
  refuseInterrupted(request, deadline);
  if (waitMs > 0) throw heldBack(request, waitMs);
  try {
    const { bodyNow, ...sent } = request;
    const body = bodyNow === undefined ? request.body : await bodyNow();
    refuseInterrupted(request, deadline);
    if (request.changes !== undefined) onChange(request.changes);
    const result = await transport.send({ ...sent, body }, deadline?.answerLimitMs());
    if (result.kind === "answer" && result.status === 429)
      limit.refused(readRetryAfterMs(result.headers, clock.now()));
    // Remove secrets from the id: a header may quote what was sent.
    return { ...result, requestId: redact(result.requestId) };
  } finally {
    limit.ended();
  }
}

/** @throws RequestError if the run was interrupted before this write. */
function refuseInterrupted({ method, doing }: RoutedRequest, deadline: Deadline | undefined): void {
  if (method === "GET" || deadline?.isInterrupted() !== true) return;
  const what = "the run was interrupted before this change was sent";
  const problem = { doing, what, fix: "Run the same command again: nothing was done" };
  throw new RequestError(problem, { kind: "connection", outcome: "unsent" });
}
