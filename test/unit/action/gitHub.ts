/**
 * GitHub as the action and the drift workflow see it: a pull request and its comments; issues.
 */
import { Hono, type Context } from "hono";
import { objectionsTo } from "./openApi";
import { mishaps, serve, type Fault, type Happening, type OnNode, type Served } from "../preview/server";

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
export class Repository implements Happening {
  pulls: Pull[] = [];
  readonly comments: Comment[] = [];
  readonly issues: Issue[] = [];
  /** Who the token is; undefined for one of an App, of which GitHub does not say. */
  login: string | undefined;
  /** Ids of comments that the token may not change. */
  readonly foreign = new Set<number>();
  readonly faults: Fault[] = [];
  before: Happening["before"];
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
const base = `/repos/${fullName}/`;

export async function startGitHub(): Promise<FakeGitHub> {
  const repository = new Repository();
  const { comments, issues, foreign, objections, requests } = repository;
  const server = new Hono<OnNode>();
  server.use(async ({ req }, next) => {
    const { method, path, url } = req;
    requests.push(`${method} ${path.replace(base, "")}`);
    const body = /POST|PATCH/.test(method) ? await req.json<Record<string, unknown>>() : {};
    objections.push(...objectionsTo({ method, route: `${path}${new URL(url).search}`, body }));
    await next();
  });
  server.use(mishaps(repository, base));
  server.use(async (context, next) => {
    const isKnown = /^(Bearer|token) (the|another)-token$/.test(context.req.header("authorization") ?? "");
    if (!isKnown) return refused(context, 401);
    return context.req.method === "GET" || repository.mayWrite ? next() : refused(context, 403);
  });

  server.get("/user", (context) => {
    const { login } = repository;
    return login === undefined ? refused(context, 403) : context.json({ login, type: "User" });
  });
  server.get(`${base}pulls/:number`, (context) => {
    const found = repository.pulls.find(({ number }) => number === Number(context.req.param("number")));
    return found === undefined ? refused(context, 404) : context.json(found);
  });

  server.get(`${base}issues/:number/comments`, (context) => listed(context, comments));
  server.post(`${base}issues/:number/comments`, async (context) => {
    const { body } = await context.req.json<Comment>();
    if (body.length > 65_536) return refused(context, 422);
    return context.json(addComment(repository, body), 201);
  });
  server.on(["PATCH", "DELETE"], `${base}issues/comments/:id`, async (context) => {
    const index = comments.findIndex(({ id }) => id === Number(context.req.param("id")));
    const comment = comments[index];
    if (comment === undefined) return refused(context, 404);
    if (foreign.has(comment.id)) return refused(context, 403);
    if (context.req.method === "PATCH") return context.json(Object.assign(comment, await context.req.json()));
    comments.splice(index, 1);
    return context.body(null, 204);
  });

  server.get(`${base}issues`, (context) =>
    listed(
      context,
      issues.filter(({ state }) => state === "open"),
    ),
  );
  server.post(`${base}issues`, async (context) => {
    const user = { login: "github-actions[bot]", type: "Bot" };
    const sent = await context.req.json<Pick<Issue, "title" | "body">>();
    issues.push({ number: issues.length + 101, user, state: "open", ...sent });
    return context.json(issues.at(-1), 201);
  });
  server.patch(`${base}issues/:number`, async (context) => {
    const issue = issues.find(({ number }) => number === Number(context.req.param("number")));
    if (issue === undefined) return refused(context, 404);
    return context.json(Object.assign(issue, await context.req.json()));
  });
  return { ...(await serve(server)), repository };
}

function refused(context: Context, status: 401 | 403 | 404 | 422): Response {
  const message = status === 403 ? "Resource not accessible by integration" : "Refused";
  return context.json({ message, documentation_url: "https://docs.github.com/rest" }, status);
}

/** Lists come in pages of at most 100, and the header says where the next one is. */
function listed(context: Context, all: readonly unknown[]): Response {
  const { page = "1", per_page: asked = "30" } = context.req.query();
  const length = Math.min(Number(asked), 100);
  const end = Number(page) * length;
  const next = new URL(context.req.url);
  next.searchParams.set("page", String(Number(page) + 1));
  if (all.length > end) context.header("link", `<${next.href}>; rel="next", <${next.href}>; rel="last"`);
  return context.json(all.slice(end - length, end));
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
