/**
 * Every error that a user can get. All have one form:
 * `<doing> <resource> <id>: <what happened> [request <id>]. <what to do>.`
 * Choices follow, each on its own line.
 */

/** The parts of a message; none of them may ever contain the API key. */
export interface Problem {
  /** The action and its resource: `creating a compute on branch br-x`. */
  readonly doing: string;
  /** What happened, without a full stop. */
  readonly what: string;
  /** The service's id of the request. */
  readonly requestId?: string | undefined;
  /** What the reader can do, without a full stop. */
  readonly fix: string;
  /** What the reader can choose from, the likeliest choice first: a sentence or two each. */
  readonly choices?: readonly string[];
  /** True if the key or the address of the service may be wrong. */
  readonly doubtsConnection?: boolean | undefined;
  readonly cause?: unknown;
}

/** Why a text cannot be read, and what to do. */
export interface Unreadable extends Pick<Problem, "what" | "fix"> {
  /** A valid text. The caller knows where the text comes from, and adds how to set this example there. */
  readonly example?: string | undefined;
}

/** A failure whose message is written for the user at the terminal. */
export class ComputeError extends Error {
  override readonly name: string = "ComputeError";

  constructor(readonly problem: Problem) {
    const request = problem.requestId === undefined ? "" : ` [request ${problem.requestId}]`;
    const text = oneLine(`${problem.doing}: ${problem.what}${request}. ${problem.fix}.`);
    const choices = (problem.choices ?? []).map((choice) => `\n- ${oneLine(choice)}`);
    super([text, ...choices].join(""), { cause: problem.cause });
  }
}

/**
 * Messages are printed on a terminal and in CI logs, so a service's text must not contain control characters, characters that
 * change the direction of a text, or commands to the CI system. GitHub's runner finds `##[` anywhere in a line, Azure's agent
 * `##vso[`, and TeamCity `##teamcity[`.
 */
export function oneLine(text: string): string {
  return withoutCommands(text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, " "));
}

/** `a`, `a and b`, or `a, b, and c`. */
export function inList(parts: readonly string[]): string {
  return new Intl.ListFormat("en").format(parts);
}

/** Like `oneLine`, but choices stay on lines of their own. */
export function withChoices(text: string): string {
  return text
    .split(/\n(?=- )/)
    .map(oneLine)
    .join("\n");
}

/** A line without commands to a CI system: GitHub's runner also finds `::` at the beginning of a line. */
export function withoutCommands(line: string): string {
  return line.replace(/##(?=\w*\[)/g, "## ").replace(/^(\s*):(?=:)/, "$1: ");
}

/** The configuration is missing or wrong; nothing was sent. */
export class ConfigurationError extends ComputeError {
  override readonly name = "ConfigurationError";
}

/**
 * Whether a request that got no usable answer was carried out.
 *
 * - `unsent`: no, the last attempt never left this machine. Earlier attempts may have been carried out.
 * - `not done`: no, the service says so, or the request only reads.
 * - `unknown`: it may have been carried out.
 */
export type RequestOutcome = "unsent" | "not done" | "unknown";

/**
 * What an answer means, whatever its status was.
 *
 * - `connection`: there was no answer.
 * - `unreadable`: a success, but not in the interface's form.
 * - `empty`: null, or a 202 or 204 without a body.
 * - `badInput`: the service does not accept something in the request.
 * - `notFound`: the service itself says that the thing does not exist.
 * - `notFoundBetween`: a 404 or 410 that is not in the service's own form: a proxy or gateway may have answered.
 * - `conflict`: the state of the service prevents the request, such as a primary that exists already. `locked`: another operation
 *   prevents it.
 * - `throttled`: the service did nothing and may do it later.
 * - `busy`: like `throttled`, but with the status 503. A gateway may answer 503 after it passed the request on, so the outcome
 *   of a POST is unknown.
 * - `broken`: the service failed, and may have carried the request out.
 * - `refused`: any other refusal.
 */
export type RequestErrorKind =
  | "connection"
  | "unreadable"
  | "empty"
  | "badInput"
  | "notFound"
  | "notFoundBetween"
  | "conflict"
  | "locked"
  | "throttled"
  | "busy"
  | "broken"
  | "refused";

/** A request that did not get a usable answer. */
export class RequestError extends ComputeError {
  override readonly name = "RequestError";
  readonly kind: RequestErrorKind;
  readonly outcome: RequestOutcome;
  /** Whether the same request may succeed a moment later. */
  readonly transient: boolean;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** True if the service did not write this refusal: a gateway may have passed a create on before it refused. */
  readonly isFromBetween: boolean;
  /** True if the service cannot be reached: there is no connection, or a gateway says so (502 to 504). */
  readonly isAway: boolean;

  constructor(
    problem: Problem,
    facts: {
      readonly kind: RequestErrorKind;
      readonly outcome: RequestOutcome;
      readonly transient?: boolean | undefined;
      readonly retryAfterMs?: number | undefined;
      readonly isFromBetween?: boolean | undefined;
      readonly isAway?: boolean | undefined;
    },
  ) {
    super(problem);
    this.outcome = facts.outcome;
    this.kind = facts.kind;
    this.transient = facts.transient ?? false;
    this.retryAfterMs = facts.retryAfterMs;
    this.isFromBetween = facts.isFromBetween ?? false;
    this.isAway = facts.isAway ?? false;
  }
}

export function isKind(error: unknown, ...kinds: readonly RequestErrorKind[]): error is RequestError {
  return error instanceof RequestError && kinds.includes(error.kind);
}

/** Whether the service itself says that the thing does not exist; a proxy's HTML page with 404 does not count. */
export function isNotFound(error: unknown): error is RequestError {
  return isKind(error, "notFound");
}

/** The message of anything that can be thrown. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message === "" ? thrown.name : thrown.message;
  return typeof thrown === "string" && thrown !== "" ? thrown : `unexpected failure: ${printed(thrown)}`;
}

/** Not every value converts to text: an object without a prototype throws an error. */
function printed(value: unknown): string {
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}
