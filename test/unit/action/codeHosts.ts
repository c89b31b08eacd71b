/**
 * Stand-ins for GitHub, as the Action sees it (a pull request and its comments), and for GitLab, as the example's script sees it
 * (the same pull request as a merge request, whose comments are notes).
 */
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono, type Context } from "hono";
import { closeServers, listen } from "../../support/servers";
import { objectionsTo } from "./openApi";

interface User {
  /** Used by GitLab only. */
  readonly id?: number;
  readonly login: string;
  readonly type: string;
}

export interface Comment {
  readonly id: number;
  body: string;
  readonly user: User;
  readonly html_url: string;
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

/** How a request goes wrong. */
export interface Failing {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The connection ends without an answer. */
  readonly hangsUp?: boolean;
  /** The request is carried out anyway. */
  readonly isDone?: boolean;
}

export interface Fault extends Failing {
  /** Matches `METHOD route`. */
  readonly of: RegExp;
  times: number;
}

/** What tests set up, and check afterwards. */
export class Repository {
  pulls: Pull[] = [];
  readonly comments: Comment[] = [];
  /** The token's user. Undefined for an App's token, since GitHub does not tell its user. */
  login: string | undefined;
  /** Ids of comments that the token may not change. */
  readonly foreign = new Set<number>();
  readonly faults: Fault[] = [];
  /** Called right before a request, `METHOD route`, is answered. */
  before: ((request: string) => void) | undefined;
  /** False for a token that can only read. */
  mayWrite = true;
  /** Parts of the requests that GitHub's OpenAPI does not allow. */
  readonly objections: string[] = [];
  /** Every request, `METHOD route`. */
  readonly requests: string[] = [];
}

export interface FakeGitHub {
  readonly url: string;
  readonly close: () => Promise<void>;
  readonly repository: Repository;
}

export const fullName = "acme/shop";
const base = `/repos/${fullName}/`;
const mergeRequest = "/projects/3/merge_requests/7";
const workflow = { id: 5, login: "github-actions[bot]", type: "Bot" };

export async function startGitHub(): Promise<FakeGitHub> {
  const repository = new Repository();
  const { comments, foreign, objections, requests } = repository;
  const server = new Hono<{ Bindings: HttpBindings }>();
  server.use(async (context, next) => {
    const { req } = context;
    const { method, path, url } = req;
    const name = `${method} ${path.replace(base, "")}`;
    requests.push(name);
    const body = /POST|PATCH/.test(method) ? await req.json<Record<string, unknown>>() : {};
    if (req.header("private-token") === undefined)
      objections.push(...objectionsTo({ method, route: `${path}${new URL(url).search}`, body }));
    repository.before?.(name);
    const fault = repository.faults.find(({ of, times }) => times > 0 && of.test(name));
    if (fault === undefined || fault.isDone === true) await next();
    if (fault === undefined) return;
    fault.times -= 1;
    const { status = 502, headers = {}, body: text = "<html>Bad gateway</html>", hangsUp } = fault;
    if (hangsUp === true) context.env.outgoing.socket?.destroy();
    context.res = undefined;
    context.res = hangsUp === true ? RESPONSE_ALREADY_SENT : new Response(text, { status, headers });
  });
  server.use(async (context, next) => {
    const { authorization, "private-token": token = authorization ?? "" } = context.req.header();
    if (!/^((Bearer|token) (the|another)|the)-token$/.test(token)) return refused(context, 401);
    return context.req.method === "GET" || repository.mayWrite ? next() : refused(context, 403);
  });

  server.get("/user", (context) => {
    const { login } = repository;
    if (context.req.header("private-token") !== undefined) return context.json(workflow);
    return login === undefined ? refused(context, 403) : context.json({ login, type: "User" });
  });
  server.get(`${base}pulls/:number`, (context) => {
    const found = repository.pulls.find(({ number }) => number === Number(context.req.param("number")));
    return found === undefined ? refused(context, 404) : context.json(found);
  });

  server.get(mergeRequest, (context) => {
    const { head, base: target } = repository.pulls[0]!;
    return context.json({ sha: head.sha, target_branch: target.ref });
  });

  const [onPull, onMergeRequest] = [`${base}issues/:number/comments`, `${mergeRequest}/notes`];
  server.on("GET", [onPull, onMergeRequest], (context) =>
    listed(
      context,
      comments.map((comment) => ({ ...comment, author: comment.user })),
    ),
  );
  server.on("POST", [onPull, onMergeRequest], async (context) => {
    const { body } = await context.req.json<Comment>();
    if (body.length > 65_536) return refused(context, 422);
    return context.json(addComment(repository, body), 201);
  });
  const ofOne = [`${base}issues/comments/:id`, `${onMergeRequest}/:id`];
  server.on(["PATCH", "PUT", "DELETE"], ofOne, async (context) => {
    const index = comments.findIndex(({ id }) => id === Number(context.req.param("id")));
    const comment = comments[index];
    if (comment === undefined) return refused(context, 404);
    if (foreign.has(comment.id)) return refused(context, 403);
    if (context.req.method !== "DELETE")
      return context.json(Object.assign(comment, await context.req.json()));
    comments.splice(index, 1);
    return context.body(null, 204);
  });
  const port = await listen(createAdaptorServer(server));
  return { url: `http://127.0.0.1:${port}`, close: closeServers, repository };
}

function refused(context: Context, status: 401 | 403 | 404 | 422): Response {
  const message = status === 403 ? "Resource not accessible by integration" : "Refused";
  return context.json({ message, documentation_url: "https://docs.github.com/rest" }, status);
}

/** Lists come in pages of at most 100, and a header says where the next page is. */
function listed(context: Context, all: readonly unknown[]): Response {
  const { page = "1", per_page: asked = "30" } = context.req.query();
  const length = Math.min(Number(asked), 100);
  const end = Number(page) * length;
  const next = new URL(context.req.url);
  next.searchParams.set("page", String(Number(page) + 1));
  if (all.length > end) {
    context.header("link", `<${next.href}>; rel="next", <${next.href}>; rel="last"`);
    context.header("x-next-page", String(Number(page) + 1));
  }
  return context.json(all.slice(end - length, end));
}

/** Adds a comment that the token's user wrote. */
export function addComment({ comments, login }: Repository, body: string): Comment {
  const next = Math.max(0, ...comments.map(({ id }) => id)) + 1;
  const comment: Comment = {
    id: next,
    body,
    user: login === undefined ? workflow : { login, type: "User" },
    html_url: `https://github.example/acme/shop/pull/7#issuecomment-${next}`,
  };
  comments.push(comment);
  return comment;
}
