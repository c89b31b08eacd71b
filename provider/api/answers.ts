/**
 * One request until its answer can be used: below the rate limit, sent again where that is safe, read as the
 * interface says, or turned into an error that says what was being done, what came back, and what to do.
 */
import type { z } from "zod";
import type { Clock, Deadline } from "../clock";
import { RequestError, type RequestOutcome } from "../errors";
import type { RateLimiter } from "./limiter";
import { classify, readRetryAfterMs, sendWithRetry, type RetryQuota } from "./retry";
import { readErrorBody } from "./schemas";
import { requestIdIn, type Transport, type WireOutcome, type WireRequest } from "./transport";

export interface CallOptions {
  /** When whoever waits for the answer stops waiting; none where nobody does. */
  readonly deadline?: Deadline | undefined;
  /** Told of each retry, for the row of the resource. */
  readonly onRetry?: ((attempt: number, waitMs: number) => void) | undefined;
}

export interface ClientContext {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly quota: RetryQuota;
  readonly limiter: RateLimiter;
  /** Takes everything secret out of text that came from outside. */
  readonly redact: (text: string) => string;
}

/** What a request is for. */
export interface Purpose {
  /** Name of the route: what a rate limit counts by. */
  readonly route: string;
  /** In the words of its error. */
  readonly doing: string;
}

/**
 * Sends a request until an answer ends it.
 *
 * @throws RequestError where the answer is none, a refusal, or not as the interface says.
 */
export async function send<T>(
  context: ClientContext,
  request: WireRequest & Purpose,
  expected: { readonly schema: z.ZodType<T>; readonly options: CallOptions },
): Promise<T> {
  const { schema, options } = expected;
  const once = async (): Promise<WireOutcome> => {
    // A write may queue for as long as it takes: that is our own pace, not a service that is stuck.
    const patience = request.method === "GET" ? options.deadline : undefined;
    if (!(await context.limiter.acquire(request.route, patience))) throw heldBack(request);
    const outcome = await context.transport.send(request, limitOf(options.deadline));
    context.limiter.ended(request.route);
    if (outcome.kind === "answer" && outcome.status === 429) {
      const retryAfterMs = readRetryAfterMs(outcome.headers["retry-after"], context.clock.now());
      context.limiter.refused(request.route, retryAfterMs);
    }
    // A header may quote what was sent.
    return { ...outcome, requestId: context.redact(outcome.requestId) };
  };
  const outcome = await sendWithRetry(once, request.method, {
    clock: context.clock,
    random: context.random,
    quota: context.quota,
    deadline: options.deadline,
    onRetry: options.onRetry,
  });
  if (outcome.kind === "failure") throw failureError(request, outcome);
  if (outcome.status >= 300 || outcome.status < 200) throw statusError(context, request, outcome);
  const read = schema.safeParse(outcome.body);
  if (outcome.readable && read.success) return read.data;
  throw unreadableError(request, outcome, read.error);
}

/** The last look of a wait is sent when its time is over, and gets this long for its answer. */
const graceMs = 5_000;

function limitOf(deadline: Deadline | undefined): number | undefined {
  return deadline === undefined ? undefined : Math.max(deadline.leftMs(), 0) + graceMs;
}

/**
 * A shared answer, for one of those who wait for it: a failure once its time is over, while the request goes on
 * for the others.
 */
export function inTime<T>(answer: Promise<T>, deadline: Deadline | undefined, doing: string): Promise<T> {
  const limitMs = limitOf(deadline);
  if (limitMs === undefined) return answer;
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      const what = "no answer within the time limit";
      const fix = "Run the same command again; a longer wait is set with `timeouts`";
      reject(new RequestError({ doing, what, fix }, { outcome: "unsent", transient: true }));
    }, limitMs).unref();
    answer.then(resolve, reject).finally(() => {
      clearTimeout(late);
    });
  });
}

function heldBack({ doing }: Purpose): RequestError {
  const what = "the rate limit leaves no room for that within the time limit";
  const fix = "Run the same command again in a minute; a longer wait is set with `timeouts`";
  return new RequestError({ doing, what, fix }, { outcome: "unsent", transient: true });
}

type Failure = Extract<WireOutcome, { kind: "failure" }>;
type Answer = Extract<WireOutcome, { kind: "answer" }>;

function failureError(request: WireRequest & Purpose, failure: Failure): RequestError {
  const outcome = request.method === "GET" ? "unsent" : failure.sent;
  const fix =
    failure.sent === "unsent"
      ? "Check the base URL (COMPUTE_BASE_URL or compute:baseUrl) and the network, then run the same command again"
      : "Run the same command again: it finds out first what the service did";
  return new RequestError(
    { doing: request.doing, what: failure.what, requestId: failure.requestId, fix },
    { outcome, transient: failure.transient },
  );
}

/** An answer that says no, or that says nothing certain (5xx). */
function statusError(context: ClientContext, request: WireRequest & Purpose, answer: Answer): RequestError {
  const said = answer.readable && answer.body !== undefined ? readErrorBody(answer.body) : undefined;
  const details = [said?.code, said?.message].filter(
    (part) => part !== undefined && part !== null && part !== "",
  );
  const text = context
    .redact(details.join(": "))
    .slice(0, 600)
    .replace(/[.\s]+$/, "");
  const what = `the service answered ${answer.status}${text === "" ? "" : ` (${text})`}`;
  const retryClass = classify(answer);
  const uncertain = retryClass === "unknown" || (retryClass === "busy" && request.method === "POST");
  const outcome: RequestOutcome = uncertain && request.method !== "GET" ? "unknown" : "refused";
  return new RequestError(
    {
      doing: request.doing,
      what,
      requestId: requestIdIn(context.redact(said?.request_id ?? "")) ?? answer.requestId,
      fix: fixFor(answer.status),
    },
    {
      outcome,
      status: answer.status,
      transient: retryClass !== "done",
      retryAfterMs: readRetryAfterMs(answer.headers["retry-after"], context.clock.now()),
      fromService: said !== undefined,
    },
  );
}

function unreadableError(
  request: WireRequest & Purpose,
  answer: Answer,
  error: z.ZodError | undefined,
): RequestError {
  const issue = error?.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? "the body" : issue.path.join(".");
  const what = answer.readable
    ? `the service answered ${answer.status}, but ${where} is not as the interface says (${issue?.message ?? "?"})`
    : `the service answered ${answer.status} with something that is not JSON`;
  return new RequestError(
    {
      doing: request.doing,
      what,
      requestId: answer.requestId,
      fix: "Check that the base URL (COMPUTE_BASE_URL or compute:baseUrl) is the service's own, without a proxy's pages in between",
    },
    { outcome: request.method === "GET" ? "refused" : "unknown", status: answer.status },
  );
}

/** Interface 7 gives no codes: these are what the statuses mean everywhere. */
function fixFor(status: number): string {
  if (status === 401)
    return "Check the API key: COMPUTE_API_KEY, or `pulumi config set --secret compute:apiKey`";
  if (status === 403) return "Ask for a key that may do this";
  if (status === 404) return "Check the project, branch and endpoint ids, and the base URL";
  if (status === 423)
    return "Another operation of the project is under way: run the same command again when it is over";
  if (status === 429) return "The rate limit is used up: run the same command again in a minute";
  if (status >= 300 && status < 400) return "Redirects are not followed: set the base URL to where it points";
  if (status >= 500)
    return "The service is in trouble: run the same command again later; it first finds out what was done";
  return "Change what the message names, then run the same command again";
}
