/**
 * GitHub as the action sees it: a pull request, the runs that preview it, its labels and its comments.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string; readonly type: string };
  readonly html_url: string;
}

export interface LabelEvent {
  readonly event: "labeled" | "unlabeled";
  readonly created_at: string;
  readonly actor: { readonly login: string; readonly type: string } | null;
  readonly label: { readonly name: string };
}

export interface Run {
  readonly id: number;
  readonly event: string;
  readonly path: string;
  readonly head_sha: string;
  readonly head_branch: string;
  readonly head_repository: { readonly full_name: string };
  readonly status: string;
  readonly conclusion: string;
  readonly run_number: number;
  readonly run_attempt: number;
  readonly run_started_at: string;
  readonly actor: { readonly login: string };
  readonly triggering_actor: { readonly login: string };
}

export interface Pull {
  readonly number: number;
  readonly user: { readonly login: string };
  readonly head: {
    readonly sha: string;
    readonly ref: string;
    readonly repo: { readonly full_name: string };
  };
}

/** What tests set up, and look at afterwards. */
export interface Repository {
  readonly pulls: Pull[];
  readonly runs: Run[];
  labels: string[];
  readonly events: LabelEvent[];
  readonly approvals: object[];
  readonly comments: Comment[];
  readonly statuses: { readonly sha: string; readonly state: string; readonly description: string }[];
  /** By login; anybody else may read. */
  readonly permissions: Record<string, string>;
  /** False for a token that may read alone. */
  mayWrite: boolean;
  /** Every request, `METHOD route`. */
  readonly requests: string[];
}

export interface FakeGitHub {
  readonly repository: Repository;
  readonly url: string;
  readonly close: () => Promise<void>;
}

export const fullName = "acme/shop";
const pageLength = 100;

export async function startGitHub(): Promise<FakeGitHub> {
  const repository: Repository = {
    pulls: [],
    runs: [],
    labels: [],
    events: [],
    approvals: [],
    comments: [],
    statuses: [],
    permissions: {},
    mayWrite: true,
    requests: [],
  };
  const server = createServer((request, response) => {
    void answer(repository, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { repository, url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}

async function answer(
  repository: Repository,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
  const method = request.method ?? "";
  const route = pathname.replace(`/repos/${fullName}/`, "");
  repository.requests.push(`${method} ${route}`);
  const text = Buffer.concat(chunks).toString();
  const body = text === "" ? {} : (JSON.parse(text) as Record<string, string>);
  const isKnown = request.headers.authorization === "Bearer the-token";
  const result =
    method === "GET"
      ? read(repository, route, searchParams)
      : repository.mayWrite
        ? write(repository, route, body)
        : 403;
  const [status, value] = !isKnown ? [401, {}] : typeof result === "number" ? [result, {}] : [200, result];
  const page = Number(searchParams.get("page") ?? "1");
  const isList = Array.isArray(value);
  const shown = isList ? (value as unknown[]).slice((page - 1) * pageLength, page * pageLength) : value;
  const hasMore = isList && (value as unknown[]).length > page * pageLength;
  response.writeHead(status, {
    "content-type": "application/json",
    ...(hasMore && { link: `<http://127.0.0.1/next>; rel="next"` }),
  });
  response.end(JSON.stringify(shown));
}

/** @returns a status where there is nothing. */
function read(repository: Repository, route: string, query: URLSearchParams): unknown {
  const { pulls, runs, labels, events, approvals, comments, permissions } = repository;
  if (route === "pulls")
    return pulls.filter(
      ({ head }) => `${head.repo.full_name.split("/")[0]!}:${head.ref}` === query.get("head"),
    );
  if (/^issues\/\d+$/.test(route)) return { labels: labels.map((name) => ({ name })) };
  if (/^issues\/\d+\/events$/.test(route)) return events;
  if (/^issues\/\d+\/comments$/.test(route)) return comments;
  if (/^actions\/runs\/\d+\/approvals$/.test(route)) return approvals;
  const [, run] = /^actions\/runs\/(\d+)$/.exec(route) ?? [];
  if (run !== undefined) return runs.find(({ id }) => id === Number(run)) ?? 404;
  const [, workflow] = /^actions\/workflows\/(.+)\/runs$/.exec(route) ?? [];
  if (workflow !== undefined)
    return {
      workflow_runs: runs.filter(
        ({ path, head_sha }) => path.endsWith(`/${workflow}`) && head_sha === query.get("head_sha"),
      ),
    };
  const [, login] = /^collaborators\/(.+)\/permission$/.exec(route) ?? [];
  if (login !== undefined) return { permission: permissions[login] ?? "read" };
  return 404;
}

function write(repository: Repository, route: string, body: Record<string, string>): unknown {
  const { comments, statuses } = repository;
  const [, sha] = /^statuses\/(.+)$/.exec(route) ?? [];
  if (sha !== undefined) {
    statuses.push({ sha, state: body["state"]!, description: body["description"]! });
    return {};
  }
  const [, id] = /^issues\/comments\/(\d+)$/.exec(route) ?? [];
  if (id !== undefined) {
    const comment = comments.find((candidate) => candidate.id === Number(id));
    if (comment === undefined) return 404;
    comment.body = body["body"]!;
    return comment;
  }
  if (!/^issues\/\d+\/comments$/.test(route)) return 404;
  const next = comments.length + 1;
  const comment: Comment = {
    id: next,
    body: body["body"]!,
    user: { login: "github-actions[bot]", type: "Bot" },
    html_url: `https://github.example/acme/shop/pull/7#issuecomment-${next}`,
  };
  comments.push(comment);
  return comment;
}
