/**
 * Reads an answer of the service, or throws an error that says what was being done, what came back, whether the service may
 * have carried the request out, and what to do.
 *
 * Many answers come from a gateway in front of the service. It may have passed the request on before it gave up: such an answer
 * is not a refusal. Interface 7 gives no codes, so statuses have their standard meanings.
 */
import type * as z from "zod";
import { RequestError, type RequestErrorKind, type RequestOutcome } from "../model/errors";
import { longestRequestMs, spanText } from "../model/timing";
import type { Clock } from "../clock";
import { issueIn, readErrorBody, requestIdIn } from "./schemas";
import type { WireAnswer, WireFailure, WireResult, WireRequest } from "./transport";

/** A request, and what it is for. */
export interface ServiceRequest extends WireRequest {
  /** The action, as errors name it. */
  readonly doing: string;
}

/**
 * The service's own time, from the `Date` header of its answers in the interface's form. This machine's clock may be hours
 * off.
 */
interface ServiceClock {
  /** The service's wall time in milliseconds; undefined until an answer has stated it. */
  now(): number | undefined;
  /** Whether the service has answered in the interface's form. If it has, its address is right. */
  hasAnswered(): boolean;
  /** @param headers - of an answer in the interface's form. `age`: for how many seconds a cache has stored the answer. */
  noteAnswer(headers: WireAnswer["headers"]): void;
}

export function createServiceClock(clock: Clock): ServiceClock {
  let aheadMs: number | undefined;
  let hasAnswered = false;
  return {
    now: () => (aheadMs === undefined ? undefined : clock.now() + aheadMs),
    hasAnswered: () => hasAnswered,
    noteAnswer: ({ date = "", age = "0" }) => {
      hasAnswered = true;
      const dateMs = Date.parse(date) + Number(age) * 1000;
      if (Number.isFinite(dateMs)) aheadMs = dateMs - clock.now();
    },
  };
}

/** What `readAnswer` uses from its process. */
export interface AnswerParts {
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  /** Removes secrets from text that came from outside. */
  readonly redact: (text: string) => string;
}

/** @throws RequestError if there is no answer, or if the answer is a refusal or does not match the interface. */
export function readAnswer<T>(
  parts: AnswerParts,
  request: ServiceRequest,
  { result, schema }: { readonly result: WireResult; readonly schema: z.ZodType<T> },
): T {
  if (result.kind === "failure") throw failureError(parts, request, result);
  if (result.status >= 300) throw statusError(parts, request, result);
  if (!result.readable) throw unreadableError(request, result, " with something that is not JSON");
  const read = schema.safeParse(result.body);
  if (!read.success) {
    const { where, message } = issueIn(read.error);
    const what = `${where === "" ? "the body" : where} is not in the expected form (${message})`;
    throw unreadableError(request, result, `, but ${what}`);
  }
  // Only an answer in the interface's form tells the service's time. Any other answer may be a gateway's, with the time of the
  // gateway's own clock.
  parts.serviceClock.noteAnswer(result.headers);
  return read.data;
}

/** The error if the rate limit does not allow a request within its caller's time. */
export function heldBack({ doing }: ServiceRequest, waitMs: number): RequestError {
  const what = "the rate limit would delay this request beyond its time limit";
  const fix = `Run the same command again ${inWords(waitMs)}. To let it wait that long, set longer \`timeouts\``;
  return new RequestError({ doing, what, fix }, { kind: "throttled", outcome: "unsent", transient: true });
}

/** `in 2 min`, `in 24 h`: when to try again. */
function inWords(waitMs: number): string {
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000));
  return minutes === 1 ? "in a minute" : `in ${spanText(minutes)}`;
}

function failureError(
  { serviceClock }: AnswerParts,
  request: ServiceRequest,
  failure: WireFailure,
): RequestError {
  const isUnsent = failure.outcome === "unsent";
  const outcome = request.method === "GET" && !isUnsent ? "not done" : failure.outcome;
  const hasAnswered = serviceClock.hasAnswered();
  const isDoubtful = isUnsent && !hasAnswered;
  const usualFix = isDoubtful
    ? "The service is down, or the base URL (COMPUTE_BASE_URL or compute:baseUrl) is wrong. Nothing is lost: run the same command again"
    : `${hasAnswered ? "The service answered earlier in this run, but does not answer now. " : ""}Run the same command again: it first checks what the service did`;
  return new RequestError(
    {
      doing: request.doing,
      what: failure.what,
      requestId: failure.requestId,
      doubtsConnection: isDoubtful,
      fix: failure.fix ?? usualFix,
    },
    { kind: "connection", outcome, transient: failure.transient, isAway: failure.transient },
  );
}

/** Statuses whose meaning differs from their class (4xx, 5xx). */
const kinds: Readonly<Record<number, RequestErrorKind>> = {
  303: "broken", // the write was done, and its answer is to be read elsewhere
  400: "badInput",
  404: "notFound",
  408: "broken", // a gateway waited too long for the service, which may still be at work
  409: "conflict",
  410: "notFound",
  412: "conflict", // the compute is not as the request expects it
  413: "badInput", // the body is too large
  414: "badInput", // the path is too long
  422: "badInput",
  423: "locked",
  425: "broken", // a gateway that sent the request early cannot say whether the service took it
  429: "throttled",
  460: "broken", // a load balancer lost the connection while the service was at work
  499: "broken", // a gateway lost the connection to its client while the service was at work
  503: "busy",
};

/** Any other 5xx is `broken`: it comes from the service, or from a gateway that may have sent the request more than once. */
function errorKind(status: number): RequestErrorKind {
  return kinds[status] ?? (status >= 500 ? "broken" : "refused");
}

/** Kinds of failures after which the same request may succeed a moment later. */
const passing: readonly RequestErrorKind[] = ["throttled", "busy", "locked", "broken"];

/** The error for a refusal, or for an answer that says nothing certain (5xx). */
function statusError(parts: AnswerParts, request: ServiceRequest, answer: WireAnswer): RequestError {
  const said = readErrorBody(answer.body);
  const details = [said?.code, said?.message].filter((part) => (part ?? "") !== "");
  // Cut between words: a program removes its own secrets later, and would not recognise half a secret.
  const [whole = ""] = /^[^]{0,600}(?!\S)/.exec(parts.redact(details.join(": "))) ?? [];
  const text = whole.replace(/[.\s]+$/, "");
  const what = `the service answered ${answer.status}${text === "" ? "" : ` (${text})`}`;
  const retryAfterMs = readRetryAfterMs(answer.headers, parts.clock.now());
  const waitMs = retryAfterMs ?? 0;
  const kind = errorKind(answer.status);
  const transient = passing.includes(kind);
  const mayBeDone = kind === "broken" || (kind === "busy" && request.method === "POST");
  const outcome: RequestOutcome = mayBeDone && request.method !== "GET" ? "unknown" : "not done";
  return new RequestError(
    {
      doing: request.doing,
      what,
      requestId: requestIdIn(parts.redact(said?.request_id ?? "")) ?? answer.requestId,
      doubtsConnection: answer.status === 401 || answer.status === 403,
      fix:
        waitMs > longestRequestMs
          ? `The service asks for a long wait: run the same command again ${inWords(waitMs)}`
          : fixFor(answer.status),
    },
    {
      // A proxy's page with 404 does not come from the service.
      kind: kind === "notFound" && said === undefined ? "notFoundBetween" : kind,
      outcome,
      transient,
      retryAfterMs,
      isAway: [502, 503, 504].includes(answer.status),
      // A gateway does not see conflicts: a 409 or 412 comes from the service.
      isFromBetween: said === undefined && answer.status >= 400 && !transient && kind !== "conflict",
    },
  );
}

/**
 * Retry-After in both its forms, in milliseconds; undefined if it is absent or invalid. A date is compared with the
 * service's own time, if the answer states it: this machine's clock may be hours off.
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

function unreadableError(
  request: ServiceRequest,
  { body, status, readable, requestId }: WireAnswer,
  what: string,
): RequestError {
  const isEmpty = readable && (body === null || (body === undefined && [202, 204].includes(status)));
  return new RequestError(
    {
      doing: request.doing,
      what: `the service answered ${status}${what}`,
      requestId,
      doubtsConnection: true,
      fix: "Check that the base URL (COMPUTE_BASE_URL or compute:baseUrl) is the service's own address, and that no proxy answers in its place",
    },
    {
      kind: isEmpty ? "empty" : "unreadable",
      outcome: request.method === "GET" ? "not done" : "unknown",
    },
  );
}

function fixFor(status: number): string {
  if (status === 401)
    return "Check the API key: COMPUTE_API_KEY, or `pulumi config set --secret compute:apiKey`";
  if (status === 403) return "Use a key that has permission for this request";
  if (status === 404) return "Check the ids in the program, and the base URL";
  if (status === 423)
    return "Another operation is running in the project: run the same command again once it has ended";
  if (status === 429) return "The rate limit is used up: run the same command again in a minute";
  if (status >= 300 && status < 400)
    return "The provider does not follow redirects: set the base URL to the target of the redirect";
  if (errorKind(status) === "broken" || status === 503)
    return "The service has a problem. Run the same command again later: it first checks what was done";
  return "Correct the cause, then run the same command again";
}
