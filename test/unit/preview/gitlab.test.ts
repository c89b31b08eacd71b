import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";

interface Note {
  readonly id: number;
  body: string;
  readonly author: { readonly id: number };
}

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const script = path.join(__dirname, "../../../examples/pull-request/gitlab.mjs");
const marker = "[_]: # (compute-preview)";
const route = "/projects/3/merge_requests/7/notes";

interface Fault {
  readonly of: RegExp;
  readonly times: number;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isDone?: boolean;
}

interface Situation {
  readonly token?: string;
  readonly pageLength?: number;
  readonly pipeline?: number;
  /** The head of the merge request now, and where it goes. */
  readonly head?: string;
  readonly target?: string;
  readonly faults?: Fault[];
  /** What happens before a request is answered. */
  readonly before?: (request: string) => void;
  /** Merge requests that brought the commit, in a pipeline of a branch; undefined in one of a merge request. */
  readonly brought?: readonly object[];
  /** Ids of notes that the token may not change. */
  readonly foreign?: readonly number[];
}

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
}

/** @returns a status where there is nothing. */
function answerOf(notes: Note[], { method, url, body }: Asked, situation: Situation): unknown {
  const { head = "abc", target = "main", foreign = [], brought = [] } = situation;
  if (url.pathname === "/projects/4/repository/commits/abc/merge_requests") return brought;
  if (url.pathname === "/user") return { id: 5 };
  if (/^\/projects\/[34]\/merge_requests\/7$/.test(url.pathname)) return { sha: head, target_branch: target };
  const own = situation.brought === undefined ? route : "/projects/4/merge_requests/7/notes";
  if (!url.pathname.startsWith(own)) return 404;
  const index = notes.findIndex(({ id }) => url.pathname === `${own}/${id}`);
  const found = notes[index];
  if (method === "GET") return notes;
  if (method === "POST") {
    const note = { id: Math.max(0, ...notes.map(({ id }) => id)) + 1, body, author: { id: 5 } };
    notes.push(note);
    return note;
  }
  if (found === undefined) return 404;
  if (foreign.includes(found.id)) return 403;
  if (method === "PUT") return Object.assign(found, { body });
  notes.splice(index, 1);
  return 204;
}

/** Runs the script against these notes, of which it may see as many a page. */
async function post(notes: Note[], situation: Situation = {}): Promise<Ran> {
  const { token = "the-token", pageLength = 100, pipeline = 12, before } = situation;
  const faults = [...(situation.faults ?? [])];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const url = new URL(request.url ?? "", "http://127.0.0.1");
      const name = `${request.method ?? ""} ${url.pathname}`;
      before?.(name);
      const { body = "" } = JSON.parse(Buffer.concat(chunks).toString() || "{}") as { body?: string };
      const asked = { method: request.method ?? "", url, body };
      const at = faults.findIndex(({ of, times }) => times > 0 && of.test(name));
      const fault = faults[at];
      if (fault !== undefined) faults[at] = { ...fault, times: fault.times - 1 };
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
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = mkdtempSync(path.join(os.tmpdir(), "compute-gitlab-"));
  const file = path.join(folder, "comment.md");
  writeFileSync(file, `${marker}\n\nthe report\n`);
  try {
    return await run(file, {
      CI_API_V4_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      CI_PROJECT_ID: "4",
      CI_PROJECT_URL: "https://gitlab.example/acme/shop",
      ...(situation.brought === undefined && {
        CI_MERGE_REQUEST_PROJECT_ID: "3",
        CI_MERGE_REQUEST_IID: "7",
        CI_MERGE_REQUEST_PROJECT_URL: "https://gitlab.example/acme/shop",
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
      }),
      CI_COMMIT_SHA: "abc",
      CI_PIPELINE_IID: String(pipeline),
      CI_JOB_ID: "9",
      CI_JOB_URL: "https://gitlab.example/acme/shop/-/jobs/9",
      COMPUTE_PREVIEW_TOKEN: token,
    });
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  }
}

function run(file: string, env: Record<string, string>): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, file], { env });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code, out: out.join(""), err: err.join("") });
    });
  });
}

const remark = (id: number, author: number, body: string): Note => ({ id, body, author: { id: author } });

describe("the note on a merge request", () => {
  it("is begun by the first run, and updated by the second", async () => {
    const notes: Note[] = [];
    const first = await post(notes);
    notes[0]!.body = `${marker}\n\nold`;
    expect(await post(notes)).toEqual(first);
    expect(first).toMatchObject({
      code: 0,
      err: "The comment: https://gitlab.example/acme/shop/-/merge_requests/7#note_1\n",
    });
    expect(notes.map(({ body }) => body)).toEqual([
      `${marker}\n\nthe report\n\nRevision \`abc\` into \`main\`, [this job](https://gitlab.example/acme/shop/-/jobs/9).\n\n[_]: # (compute-preview-run: 12.9)\n`,
    ]);
  });

  it.each([
    { reason: "another revision", now: { head: "def" } },
    { reason: "another target", now: { target: "prod" } },
  ])("stays where the merge request has $reason by now", async ({ now }) => {
    const notes: Note[] = [];
    const { code, err } = await post(notes, now);
    expect({ code, notes }).toEqual({ code: 0, notes: [] });
    expect(err).toContain("The merge request has moved on");
  });

  it("of a newer pipeline stays, and that of an older one does not", async () => {
    const notes = [remark(1, 5, `${marker}\n\nnewer\n\n[_]: # (compute-preview-run: 13.1)`)];
    expect((await post(notes)).err).toContain("A newer job has written the comment");
    expect(notes[0]!.body).toContain("newer");
    await post(notes, { pipeline: 14 });
    expect(notes.map(({ body }) => body.includes("the report"))).toEqual([true]);
  });

  it("is one, though another job begins one at the same time", async () => {
    const notes: Note[] = [];
    const before = (request: string): void => {
      if (request.startsWith("POST") && notes.length === 0)
        notes.push(remark(1, 5, `${marker}\n\nof another`));
    };
    await post(notes, { before });
    expect(notes.map(({ id, body }) => [id, body.includes("the report")])).toEqual([[1, true]]);
  });

  it("is written anew where the one that is there cannot be changed", async () => {
    const notes = [remark(1, 5, `${marker}\n\nold`)];
    await post(notes, { foreign: [1] });
    expect(notes.map(({ body }) => body.includes("the report"))).toEqual([false, true]);
  });

  it.each(["GET /user", `GET ${route}`, "GET /projects/3/merge_requests/7", `POST ${route}`])(
    "survives a fault of each kind at %s",
    async (name) => {
      const at = { of: new RegExp(`^${name}$`), times: 1, headers: { "retry-after": "0" } };
      const faults = [
        { ...at, status: 502, isDone: true },
        { ...at, status: 429 },
      ];
      const notes: Note[] = [];
      const { err } = await post(notes, { faults });
      expect(err).toContain("The comment: ");
      expect(notes).toHaveLength(1);
    },
  );

  it("is found on a later page, and is never another's", async () => {
    const notes = [
      remark(1, 9, `${marker}\n\nall is well`),
      remark(2, 5, "a remark"),
      remark(3, 5, `${marker}\n\nold`),
    ];
    await post(notes, { pageLength: 1 });
    expect(notes.map(({ body }) => body.includes("the report"))).toEqual([false, false, true]);
  });

  it("goes to the log where the token may not write", async () => {
    const { code, out, err } = await post([], { token: "" });
    expect(code).toBe(0);
    expect(err).toContain("answered 401");
    expect(out).toContain("the report");
  });
});

describe("the note after a merge", () => {
  const merged = { iid: 7, state: "merged", merge_commit_sha: "abc" };
  const others = [
    { iid: 9, state: "opened" },
    { iid: 8, state: "merged", merge_commit_sha: "def", squash_commit_sha: null },
  ];

  it("is on the merge request whose merge made the commit, and is updated by the next job", async () => {
    const notes: Note[] = [];
    const brought = [...others, merged];
    const first = await post(notes, { brought });
    expect(first).toMatchObject({ code: 0, out: "" });
    expect(first.err).toContain("https://gitlab.example/acme/shop/-/merge_requests/7#note_1");
    expect(await post(notes, { brought, pipeline: 13 })).toEqual(first);
    expect(notes).toHaveLength(1);
    expect(notes[0]!.body).toContain("Revision `abc`, [this job]");
  });

  it("is that of a squashed merge too, and asks again after an error", async () => {
    const notes: Note[] = [];
    const faults = [{ of: /^GET .*merge_requests$/, times: 1, status: 502 }];
    const squashed = { ...merged, merge_commit_sha: null, squash_commit_sha: "abc" };
    await post(notes, { brought: [squashed], faults });
    expect(notes).toHaveLength(1);
  });

  it("goes to the log where no merge request brought the commit", async () => {
    const notes: Note[] = [];
    const { code, out, err } = await post(notes, { brought: [others[0]!] });
    expect({ code, notes }).toEqual({ code: 0, notes: [] });
    expect(err).toContain("no merge request brought this commit");
    expect(out).toContain("the report");
  });
});
