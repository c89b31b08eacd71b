/**
 * The part of GitHub's API that the Action needs, with a time limit for each request, retries, and the waits that
 * GitHub asks for.
 */
import { setTimeout as sleepMs } from "node:timers/promises";
import * as z from "zod";

/** A request that failed and is not retried any more. */
export class GitHubError extends Error {
  /** @param status - undefined if there was no answer. */
  constructor(
    readonly status: number | undefined,
    message: string,
  ) {
    super(message);
  }

  /** True if GitHub may have carried out the request: there was no answer, or a server error. */
  get isUnknown(): boolean {
    return this.status === undefined || this.status >= 500 || this.status === 408;
  }
}

/** The body of a write, and whether it may be repeated. */
export interface Writing {
  readonly body?: object;
  /** False if a repeated write would take effect twice. Such a write is not repeated after an unknown outcome. */
  readonly isRepeatable: boolean;
}

export interface GitHub {
  readonly get: (route: string) => Promise<unknown>;
  /** The login of the token's user; undefined for an App's token, since GitHub does not show it. */
  readonly login: () => Promise<string | undefined>;
  /** All pages of a list. */
  readonly list: (route: string) => Promise<readonly unknown[]>;
  readonly send: (method: "POST" | "PATCH" | "DELETE", route: string, writing: Writing) => Promise<unknown>;
}

/** The server and the repository that requests go to. */
interface GitHubAddress {
  /** Such as `https://api.github.com`. */
  readonly server: string;
  /** Such as `acme/shop`. */
  readonly repository: string;
  readonly token: string;
}

/** The time, which tests replace. */
interface Waits {
  readonly sleep: (ms: number) => Promise<unknown>;
}

const limitMs = 30_000;
/** More than any pull request has. The limit also ends a list whose server names the same page again and again. */
const mostPages = 100;
const mostAttempts = 5;
const firstWaitMs = 500;
/** GitHub's documentation asks for a minute if the answer names no time. */
const limitWaitMs = 60_000;
/** The limit for all waits of a step together: waiting longer only blocks a runner. */
const longestWaitsMs = 150_000;

export function openGitHub(
  { server, repository, token }: GitHubAddress,
  { sleep }: Waits = { sleep: sleepMs },
): GitHub {
  let leftMs = longestWaitsMs;

  async function ask(method: string, route: string, body?: object): Promise<Answer> {
    const response = await fetch(`${server}/${route}`, {
      method,
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${token}`,
        "x-github-api-version": "2022-11-28",
        "user-agent": "compute-preview",
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(limitMs),
    });
    // The body is read here, so that an answer that is cut off counts as no answer.
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async function waitBefore(attempt: number, failure: Failure): Promise<void> {
    const waitMs = failure.waitMs ?? firstWaitMs * 2 ** (attempt - 1);
    if (attempt >= mostAttempts) throw failure.error;
    if (waitMs > leftMs)
      throw new GitHubError(
        failure.error.status,
        `${failure.error.message}, and asks this step to wait ${Math.ceil(waitMs / 1000)} s, which is too long`,
      );
    leftMs -= waitMs;
    await sleep(waitMs);
  }

  async function request(
    method: string,
    route: string,
    { body, isRepeatable }: { readonly body?: object | undefined; readonly isRepeatable: boolean },
  ): Promise<Answer & { readonly json: unknown }> {
    for (let attempt = 1; ; attempt++) {
      const name = `${method} ${route.replace(`repos/${repository}/`, "")}`;
      const result = await ask(method, route, body).then(
        (answer) => answerOrFailure(answer, name),
        (error: unknown): Failure => ({ error: new GitHubError(undefined, `${name}: ${reasonOf(error)}`) }),
      );
      if (!("error" in result)) return result;
      const { error, isRefused = false } = result;
      // A rate limit refuses a request before doing anything. After an unknown outcome, only some requests may be
      // repeated.
      if (!isRefused && !(error.isUnknown && isRepeatable)) throw error;
      await waitBefore(attempt, result);
    }
  }

  const below = (route: string): string => `repos/${repository}/${route}`;

  async function list(route: string): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    for (let page = 1; page <= mostPages; page++) {
      const mark = route.includes("?") ? "&" : "?";
      const paged = `${below(route)}${mark}per_page=100&page=${page}`;
      const { headers, json } = await request("GET", paged, { isRepeatable: true });
      if (!Array.isArray(json))
        throw new GitHubError(200, `GET ${route} answered with something other than a list`);
      items.push(...(json as unknown[]));
      if (!/rel="next"/.test(headers.get("link") ?? "")) return items;
    }
    throw new GitHubError(200, `GET ${route} has more than ${mostPages} pages`);
  }

  return {
    get: async (route) => (await request("GET", below(route), { isRepeatable: true })).json,
    login: () => loginOf(() => request("GET", "user", { isRepeatable: true })),
    list,
    send: async (method, route, writing) => (await request(method, below(route), writing)).json,
  };
}

async function loginOf(ask: () => Promise<{ readonly json: unknown }>): Promise<string | undefined> {
  try {
    return readAs(z.looseObject({ login: z.string() }), (await ask()).json, "The token's user").login;
  } catch (error) {
    if (error instanceof GitHubError) return undefined;
    throw error;
  }
}

/** @throws GitHubError that names the missing part. */
export function readAs<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  const { path = [], message = "" } = error.issues[0] ?? {};
  throw new GitHubError(
    200,
    `${what} does not have the form that GitHub documents: ${path.join(".")}: ${message}`,
  );
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Failure {
  readonly error: GitHubError;
  /** The wait that the server asks for; undefined if it names none. */
  readonly waitMs?: number | undefined;
  /** True if the server certainly did nothing. */
  readonly isRefused?: boolean;
}

function answerOrFailure(answer: Answer, name: string): (Answer & { readonly json: unknown }) | Failure {
  const { status, headers, text } = answer;
  if (status >= 200 && status < 300) {
    try {
      return { ...answer, json: text === "" ? undefined : (JSON.parse(text) as unknown) };
    } catch {
      // A proxy's page instead of the answer.
      return {
        error: new GitHubError(undefined, `${name} answered ${status} with something other than JSON`),
      };
    }
  }
  // The body may quote what was sent. The status and the route are enough.
  const error = new GitHubError(status, `${name} answered ${status}`);
  const waitMs = waitIn(headers);
  if (!isLimit(answer)) return { error, waitMs };
  return { error, waitMs: waitMs ?? limitWaitMs, isRefused: true };
}

/** GitHub's rate limits: 429, or 403 with a header or a message that says so. Any other 403 is final. */
function isLimit({ status, headers, text }: Answer): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    headers.has("retry-after") ||
    headers.get("x-ratelimit-remaining") === "0" ||
    /rate limit|abuse detection/i.test(text)
  );
}

function waitIn(headers: Headers): number | undefined {
  const nowMs = Date.parse(headers.get("date") ?? "") || Date.now();
  const after = headers.get("retry-after");
  if (after !== null) {
    const seconds = Number(after);
    const untilMs = Number.isFinite(seconds) ? nowMs + seconds * 1000 : Date.parse(after);
    if (Number.isFinite(untilMs)) return Math.max(0, untilMs - nowMs);
  }
  const reset = Number(headers.get("x-ratelimit-reset") ?? Number.NaN);
  if (headers.get("x-ratelimit-remaining") !== "0" || !Number.isFinite(reset)) return undefined;
  // Adds a second, since the reset time is in whole seconds.
  return Math.max(0, reset * 1000 - nowMs) + 1000;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return error.name === "TimeoutError" ? `no answer within ${limitMs / 1000} s` : `${error.message}${cause}`;
}
