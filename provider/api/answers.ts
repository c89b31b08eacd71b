/**
 * Sends one request until its answer can be used: keeps to the rate limit, retries if that is safe, and checks the
 * answer against the interface. Otherwise it throws an error that says what was being done, what came back, and what
 * to do.
 */
import type * as z from "zod";
import { longestTimerMs, type Clock, type Deadline } from "../clock";
import { RequestError, type RequestOutcome } from "../pure/errors";
import { lastAnswerMs, longestRequestMs, spanText } from "../pure/timing";
import type { RateLimiter } from "./limiter";
import { classify, readRetryAfterMs, sendWithRetry, type CallOptions, type RetryQuota } from "./retry";
import { readErrorBody, requestIdIn } from "./schemas";
import { isGatewaysToo, meaningOf } from "./statuses";
import type { Transport, WireAnswer, WireFailure, WireOutcome, WireRequest } from "./transport";

export interface ClientContext {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly quota: RetryQuota;
  readonly limiter: RateLimiter;
  readonly serviceClock: ServiceClock;
  /** Removes secrets from text that came from outside. */
  readonly redact: (text: string) => string;
}

/** The service's own time, from the `Date` header of its answers in the interface's form. */
export interface ServiceClock {
  /** The service's wall time in milliseconds; undefined until an answer has stated it. */
  now(): number | undefined;
  /** @param headers - of an answer; a cache states in `age` for how many seconds it has had it. */
  noteDate(headers: WireAnswer["headers"]): void;
}

export function createServiceClock(clock: Clock): ServiceClock {
  let aheadMs: number | undefined;
  return {
    now: () => (aheadMs === undefined ? undefined : clock.now() + aheadMs),
    noteDate: ({ date = "", age = "0" }) => {
      const dateMs = Date.parse(date) + Number(age) * 1000;
      if (Number.isFinite(dateMs)) aheadMs = dateMs - clock.now();
    },
  };
}

/** The purpose of a request. */
export interface Purpose {
  /** Name of the route, for the rate limit. */
  readonly route: string;
  /** The action, as errors name it. */
  readonly doing: string;
}

/**
 * Sends a request until an answer ends it.
 *
 * @throws RequestError if there is no answer, or it is a refusal, or it does not match the interface.
 */
export async function send<T>(
  context: ClientContext,
  request: WireRequest & Purpose,
  expected: { readonly schema: z.ZodType<T>; readonly options: CallOptions },
): Promise<T> {
  const { schema, options } = expected;
  const once = async (): Promise<WireOutcome> => {
    const waitMs = await context.limiter.acquire(request.route, options.deadline);
    if (waitMs > 0) throw heldBack(request, waitMs);
    const outcome = await context.transport.send(request, limitOf(options.deadline));
    context.limiter.ended(request.route);
    if (outcome.kind === "answer" && outcome.status === 429) {
      const retryAfterMs = readRetryAfterMs(outcome.headers, context.clock.now());
      context.limiter.refused(request.route, retryAfterMs);
    }
    // A header may quote what was sent.
    return { ...outcome, requestId: context.redact(outcome.requestId) };
  };
  const outcome = await sendWithRetry(once, request.method, { ...context, ...options });
  if (outcome.kind === "failure") throw failureError(request, outcome);
  if (outcome.status >= 300 || outcome.status < 200) throw statusError(context, request, outcome);
  const read = schema.safeParse(outcome.body);
  if (outcome.readable && read.success) {
    // Other answers may be a gateway's, whose clock says nothing of the service's.
    context.serviceClock.noteDate(outcome.headers);
    return read.data;
  }
  throw unreadableError(request, outcome, read.error);
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

function heldBack({ doing }: Purpose, waitMs: number): RequestError {
  const what = "the rate limit leaves no room for that within the time limit";
  const fix = `Run the same command again ${inWords(waitMs)}; a longer wait is set with \`timeouts\``;
  return new RequestError({ doing, what, fix }, { kind: "throttled", outcome: "unsent", transient: true });
}

/** `in 2 min`, `in 24 h`: when to try again. */
function inWords(waitMs: number): string {
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000));
  return minutes === 1 ? "in a minute" : `in ${spanText(minutes)}`;
}

function failureError(request: WireRequest & Purpose, failure: WireFailure): RequestError {
  const outcome = request.method === "GET" ? "unsent" : failure.sent;
  const usualFix =
    failure.sent === "unsent"
      ? "Check the base URL (COMPUTE_BASE_URL or compute:baseUrl) and the network, then run the same command again"
      : "Run the same command again: it finds out first what the service did";
  return new RequestError(
    {
      doing: request.doing,
      what: failure.what,
      requestId: failure.requestId,
      doubtsConnection: failure.sent === "unsent",
      fix: failure.fix ?? usualFix,
    },
    { kind: "connection", outcome, transient: failure.transient },
  );
}

/** The error for a refusal, or for an answer that says nothing certain (5xx). */
function statusError(
  context: ClientContext,
  request: WireRequest & Purpose,
  answer: WireAnswer,
): RequestError {
  const said = answer.readable && answer.body !== undefined ? readErrorBody(answer.body) : undefined;
  const details = [said?.code, said?.message].filter((part) => (part ?? "") !== "");
  // Cut between words: a program removes secrets of its own later, and would not know half of one.
  const [whole = ""] = /^[^]{0,600}(?!\S)/.exec(context.redact(details.join(": "))) ?? [];
  const text = whole.replace(/[.\s]+$/, "");
  const what = `the service answered ${answer.status}${text === "" ? "" : ` (${text})`}`;
  const retryClass = classify(answer);
  const retryAfterMs = readRetryAfterMs(answer.headers, context.clock.now());
  const waitMs = retryAfterMs ?? 0;
  const { kind } = meaningOf(answer.status);
  const uncertain = retryClass === "unknown" || (retryClass === "busy" && request.method === "POST");
  const outcome: RequestOutcome = uncertain && request.method !== "GET" ? "unknown" : "refused";
  return new RequestError(
    {
      doing: request.doing,
      what,
      requestId: requestIdIn(context.redact(said?.request_id ?? "")) ?? answer.requestId,
      doubtsConnection: answer.status === 401 || answer.status === 403,
      fix:
        waitMs > longestRequestMs
          ? `The service asks to wait longer than a command should: run the same command again ${inWords(waitMs)}`
          : fixFor(answer.status),
    },
    {
      // A proxy's page with 404 does not come from the service.
      kind: kind === "notFound" && said === undefined ? "notFoundBetween" : kind,
      outcome,
      transient: retryClass !== "done",
      retryAfterMs,
      isBetween: said === undefined && isGatewaysToo(answer.status),
    },
  );
}

function unreadableError(
  request: WireRequest & Purpose,
  answer: WireAnswer,
  error: z.ZodError | undefined,
): RequestError {
  const issue = error?.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? "the body" : issue.path.join(".");
  const what = answer.readable
    ? `the service answered ${answer.status}, but ${where} is not as the interface says (${issue?.message ?? "?"})`
    : `the service answered ${answer.status} with something that is not JSON`;
  const { body, status, readable } = answer;
  const isEmpty = readable && (body === null || (body === undefined && [202, 204].includes(status)));
  return new RequestError(
    {
      doing: request.doing,
      what,
      requestId: answer.requestId,
      doubtsConnection: true,
      fix: "Check that the base URL (COMPUTE_BASE_URL or compute:baseUrl) is the service's own, without a proxy's pages in between",
    },
    {
      kind: isEmpty ? "empty" : "unreadable",
      outcome: request.method === "GET" ? "refused" : "unknown",
    },
  );
}

function fixFor(status: number): string {
  if (status === 401)
    return "Check the API key: COMPUTE_API_KEY, or `pulumi config set --secret compute:apiKey`";
  if (status === 403) return "Ask for a key that may do this";
  if (status === 404) return "Check the project, branch and endpoint ids, and the base URL";
  if (status === 423)
    return "Another operation of the project is under way: run the same command again when it is over";
  if (status === 429) return "The rate limit is used up: run the same command again in a minute";
  if (status >= 300 && status < 400) return "Redirects are not followed: set the base URL to where it points";
  if (meaningOf(status).kind === "broken" || status === 503)
    return "The service is in trouble: run the same command again later; it first finds out what was done";
  return "Change what the message names, then run the same command again";
}
