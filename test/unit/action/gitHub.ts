/**
 * GitHub as the action and the drift workflow see it: a pull request and its comments; issues.
 */
import type { ServerResponse } from "node:http";
import { objectionsTo } from "./openApi";
import { faultOf, serve, type Asked, type Fault, type Served } from "../preview/server";

export interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string; readonly type: string };
  readonly html_url: string;
}

interface Issue {
  readonly number: number;
  readonly user: Comment["user"];
  title: string;
  body: string;
  state: string;
}

export interface Pull {
  readonly number: number;
  readonly user: { readonly login: string };
  readonly head: {
    readonly sha: string;
    readonly ref: string;
    readonly repo: { readonly full_name: string };
  };
  readonly base: { readonly ref: string; readonly repo: { readonly full_name: string } };
}

/** What tests set up, and look at afterwards. */
export class Repository {
  pulls: Pull[] = [];
  readonly comments: Comment[] = [];
  readonly issues: Issue[] = [];
  /** Who the token is; undefined for one of an App, of which GitHub does not say. */
  login: string | undefined;
  /** Ids of comments that the token may not change. */
  readonly foreign = new Set<number>();
  readonly faults: Fault[] = [];
  /** What happens right before the answer to a request. */
  before: ((request: string) => void) | undefined;
  /** False for a token that may read alone. */
  mayWrite = true;
  /** What GitHub's OpenAPI does not have of the requests. */
  readonly objections: string[] = [];
  /** Every request, `METHOD route`. */
  readonly requests: string[] = [];
}

export interface FakeGitHub extends Served {
  readonly repository: Repository;
}

export const fullName = "acme/shop";
const longestPage = 100;

export async function startGitHub(): Promise<FakeGitHub> {
  const repository = new Repository();
  const server = await serve((asked, response) => {
    answer(repository, asked, response);
  });
  return { ...server, repository };
}

function answer(repository: Repository, asked: Asked, response: ServerResponse): void {
  const { request, method, url, body } = asked;
  repository.objections.push(
    ...objectionsTo({ method, route: `${url.pathname}${url.search}`, body: method === "GET" ? {} : body }),
  );
  const route = url.pathname.replace(`/repos/${fullName}/`, "").replace(/^\//, "");
  const name = `${method} ${route}`;
  repository.requests.push(name);
  repository.before?.(name);
  const fault = faultOf(repository.faults, name);
  const isDone = fault === undefined || fault.isDone === true;
  const isKnown = /^(Bearer|token) (the|another)-token$/.test(request.headers.authorization ?? "");
  const result = !isKnown ? 401 : isDone ? resultOf(repository, route, asked) : {};
  if (fault !== undefined) {
    spoil(fault, response);
    return;
  }
  const status = typeof result === "number" ? result : method === "POST" ? 201 : 200;
  const value = typeof result === "number" ? errorBody(result) : result;
  const { shown, link } = pageOf(value, url);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "x-ratelimit-limit": "1000",
    "x-ratelimit-remaining": "999",
    ...(link && { link }),
  });
  response.end(status === 204 ? undefined : JSON.stringify(shown));
}

function spoil(
  { status = 502, headers, body = "<html>Bad gateway</html>", hangsUp }: Fault,
  response: ServerResponse,
): void {
  if (hangsUp === true) response.socket?.destroy();
  else {
    response.writeHead(status, headers);
    response.end(body);
  }
}

function errorBody(status: number): object {
  const messages: Record<number, string> = {
    403: "Resource not accessible by integration",
    404: "Not Found",
  };
  const message = messages[status] ?? "Bad credentials";
  return { message, documentation_url: "https://docs.github.com/rest", status: String(status) };
}

/** Lists come in pages of at most 100, and the header says where the next one is. */
function pageOf(value: unknown, url: URL): { shown: unknown; link?: string } {
  if (!Array.isArray(value)) return { shown: value };
  const page = Number(url.searchParams.get("page") ?? "1");
  const length = Math.min(Number(url.searchParams.get("per_page") ?? "30"), longestPage);
  const shown: unknown[] = value.slice((page - 1) * length, page * length);
  if (value.length <= page * length) return { shown };
  const next = new URL(url);
  next.searchParams.set("page", String(page + 1));
  return { shown, link: `<${next.href}>; rel="next", <${next.href}>; rel="last"` };
}

function resultOf(repository: Repository, route: string, { method, body }: Asked): unknown {
  if (method === "GET") return read(repository, route);
  return repository.mayWrite ? write(repository, `${method} ${route}`, body) : 403;
}

/** @returns a status where there is nothing. */
function read({ pulls, comments, issues, login }: Repository, route: string): unknown {
  if (route === "issues") return issues.filter(({ state }) => state === "open");
  if (route === "user") return login === undefined ? 403 : { login, type: "User" };
  const [, number] = /^pulls\/(\d+)$/.exec(route) ?? [];
  if (number !== undefined) return pulls.find((pull) => pull.number === Number(number)) ?? 404;
  return /^issues\/\d+\/comments$/.test(route) ? comments : 404;
}

function write(repository: Repository, request: string, body: Asked["body"]): unknown {
  const { comments, foreign } = repository;
  const [, verb, id] = /^(PATCH|DELETE) issues\/comments\/(\d+)$/.exec(request) ?? [];
  if (id !== undefined) {
    const comment = comments.find((candidate) => candidate.id === Number(id));
    if (comment === undefined) return 404;
    if (foreign.has(comment.id)) return 403;
    if (verb === "DELETE") {
      comments.splice(comments.indexOf(comment), 1);
      return 204;
    }
    comment.body = body["body"]!;
    return comment;
  }
  if (/^(POST|PATCH) issues(\/\d+)?$/.test(request)) return writeIssue(repository, request, body);
  if (!/^POST issues\/\d+\/comments$/.test(request)) return 404;
  if ((body["body"] ?? "").length > 65_536) return 422;
  return addComment(repository, body["body"]!);
}

function writeIssue({ issues }: Repository, request: string, body: Asked["body"]): unknown {
  if (request.startsWith("PATCH")) {
    const issue = issues.find(({ number }) => request.endsWith(`/${number}`));
    return issue === undefined ? 404 : Object.assign(issue, body);
  }
  const user = { login: "github-actions[bot]", type: "Bot" };
  issues.push({ number: issues.length + 101, user, title: "", body: "", state: "open", ...body });
  return issues.at(-1);
}

/** Begun by the token. */
export function addComment({ comments, login }: Repository, body: string): Comment {
  const next = Math.max(0, ...comments.map(({ id }) => id)) + 1;
  const comment: Comment = {
    id: next,
    body,
    user: login === undefined ? { login: "github-actions[bot]", type: "Bot" } : { login, type: "User" },
    html_url: `https://github.example/acme/shop/pull/7#issuecomment-${next}`,
  };
  comments.push(comment);
  return comment;
}
