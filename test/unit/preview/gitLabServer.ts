/** A stand-in for GitLab, and the script of the example that asks it. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Hono } from "hono";
import { temporaryFolder } from "../../support/temporaryFolder";
import type { Ran } from "./previews";
import { mishaps, serve, type Fault, type OnNode } from "./server";

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

/** A GitLab that has these notes, of which it shows as many a page. */
function gitLabWith(notes: Note[], situation: Situation): Hono<OnNode> {
  const { pageLength = 100, head = "abc", target = "main", foreign = [], faults = [], before } = situation;
  const server = new Hono<OnNode>();
  server.use(mishaps({ faults: [...faults], before }));
  server.use(({ req, body }, next) =>
    req.header("private-token") === "the-token" ? next() : Promise.resolve(body(null, 401)),
  );
  server.get("/user", ({ json }) => json({ id: 5 }));
  server.get("/projects/3/merge_requests/7", ({ json }) => json({ sha: head, target_branch: target }));
  server.get(route, ({ req, json }) => {
    const page = Number(req.query("page") ?? "1");
    const isMore = notes.length > page * pageLength;
    const shown = notes.slice((page - 1) * pageLength, page * pageLength);
    return json(shown, 200, { "x-next-page": isMore ? String(page + 1) : "" });
  });
  server.post(route, async ({ req, json }) => {
    const id = Math.max(0, ...notes.map((note) => note.id)) + 1;
    notes.push({ id, body: (await req.json<Note>()).body, author: { id: 5 } });
    return json(notes.at(-1));
  });
  server.on(["PUT", "DELETE"], `${route}/:id`, async ({ req, json, body }) => {
    const index = notes.findIndex(({ id }) => id === Number(req.param("id")));
    const found = notes[index];
    if (found === undefined) return body(null, 404);
    if (foreign.includes(found.id)) return body(null, 403);
    if (req.method === "PUT") return json(Object.assign(found, await req.json()));
    notes.splice(index, 1);
    return body(null, 204);
  });
  return server;
}

/** Runs the script against these notes. */
export async function post(notes: Note[], situation: Situation = {}): Promise<Ran> {
  const { token = "the-token", pipeline = 12, lineEnd = "\n" } = situation;
  const server = await serve(gitLabWith(notes, situation));
  const file = path.join(temporaryFolder(), "comment.md");
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
