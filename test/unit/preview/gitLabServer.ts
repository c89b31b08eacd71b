/** A stand-in for GitLab, and the script of the example that asks it. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "../../support/temporaryFolder";
import type { Ran } from "./previews";
import { faultOf, serve, type Asked, type Fault } from "./server";

export interface Note {
  readonly id: number;
  body: string;
  readonly author: { readonly id: number };
}

const script = path.join(__dirname, "../../../examples/pull-request/gitlab.mjs");
export const marker = "[_]: # (compute-preview)";
export const route = "/projects/3/merge_requests/7/notes";

export interface Situation {
  readonly token?: string;
  readonly pageLength?: number;
  readonly pipeline?: number;
  /** How the comment's file ends its lines. */
  readonly lineEnd?: string;
  /** The head of the merge request now, and where it goes. */
  readonly head?: string;
  readonly target?: string;
  readonly faults?: Fault[];
  /** What happens before a request is answered. */
  readonly before?: (request: string) => void;
  /** Ids of notes that the token may not change. */
  readonly foreign?: readonly number[];
}

/** @returns a status where there is nothing. */
function answerOf(notes: Note[], { method, url, body }: Asked, situation: Situation): unknown {
  const { head = "abc", target = "main", foreign = [] } = situation;
  if (url.pathname === "/user") return { id: 5 };
  if (url.pathname === "/projects/3/merge_requests/7") return { sha: head, target_branch: target };
  if (!url.pathname.startsWith(route)) return 404;
  const index = notes.findIndex(({ id }) => url.pathname === `${route}/${id}`);
  const found = notes[index];
  const { body: text = "" } = body;
  if (method === "GET") return notes;
  if (method === "POST") {
    const note = { id: Math.max(0, ...notes.map(({ id }) => id)) + 1, body: text, author: { id: 5 } };
    notes.push(note);
    return note;
  }
  if (found === undefined) return 404;
  if (foreign.includes(found.id)) return 403;
  if (method === "PUT") return Object.assign(found, { body: text });
  notes.splice(index, 1);
  return 204;
}

/** Runs the script against these notes, of which it may see as many a page. */
export async function post(notes: Note[], situation: Situation = {}): Promise<Ran> {
  const { token = "the-token", pageLength = 100, pipeline = 12, before } = situation;
  const faults = [...(situation.faults ?? [])];
  const server = await serve((asked, response) => {
    const { request, method, url } = asked;
    const name = `${method} ${url.pathname}`;
    before?.(name);
    const fault = faultOf(faults, name);
    const isKnown = request.headers["private-token"] === "the-token";
    const isDone = fault === undefined || fault.isDone === true;
    const answer = !isKnown ? 401 : isDone ? answerOf(notes, asked, situation) : {};
    const page = Number(url.searchParams.get("page") ?? "1");
    const isList = Array.isArray(answer);
    const isMore = isList && answer.length > page * pageLength;
    const shown = isList ? (answer as unknown[]).slice((page - 1) * pageLength, page * pageLength) : answer;
    response.writeHead(fault?.status ?? (typeof answer === "number" ? answer : 200), {
      "x-next-page": isMore ? String(page + 1) : "",
      ...fault?.headers,
    });
    response.end(typeof answer === "number" ? "" : JSON.stringify(shown));
  });
  const file = path.join(temporaryFolder(), "comment.md");
  const { lineEnd = "\n" } = situation;
  writeFileSync(file, `${marker}\n\nthe report\n`.replaceAll("\n", lineEnd));
  try {
    return await run([file], {
      CI_API_V4_URL: server.url,
      CI_PROJECT_ID: "4",
      CI_PROJECT_URL: "https://gitlab.example/acme/shop",
      CI_MERGE_REQUEST_PROJECT_ID: "3",
      CI_MERGE_REQUEST_IID: "7",
      CI_MERGE_REQUEST_PROJECT_URL: "https://gitlab.example/acme/shop",
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
      CI_COMMIT_SHA: "abc",
      CI_PIPELINE_IID: String(pipeline),
      CI_JOB_ID: "9",
      CI_JOB_URL: "https://gitlab.example/acme/shop/-/jobs/9",
      COMPUTE_PREVIEW_TOKEN: token,
    });
  } finally {
    await server.close();
  }
}

function run(words: readonly string[], env: Record<string, string>): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...words], { env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}
