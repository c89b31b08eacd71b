import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { parseYaml } from "../action/runner";
import { onLinux, runStep } from "./workflows";

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

/** Runs the script against these notes, of which it may see as many a page. */
async function post(notes: Note[], { token = "the-token", pageLength = 100 } = {}): Promise<Ran> {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
      const { body = "" } = JSON.parse(Buffer.concat(chunks).toString() || "{}") as { body?: string };
      const page = Number(searchParams.get("page") ?? "1");
      const found = notes.find(({ id }) => pathname === `${route}/${id}`);
      const isMore = notes.length > page * pageLength;
      let answer: unknown = notes.slice((page - 1) * pageLength, page * pageLength);
      if (pathname === "/user") answer = { id: 5 };
      else if (request.method === "PUT" && found) answer = Object.assign(found, { body });
      else if (request.method === "POST") {
        answer = { id: notes.length + 1, body, author: { id: 5 } };
        notes.push(answer as Note);
      }
      response.writeHead(request.headers["private-token"] === "the-token" ? 200 : 401, {
        "x-next-page": isMore ? String(page + 1) : "",
      });
      response.end(JSON.stringify(answer));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = mkdtempSync(path.join(os.tmpdir(), "compute-gitlab-"));
  const file = path.join(folder, "comment.md");
  writeFileSync(file, `${marker}\n\nthe report\n`);
  try {
    return await run(file, {
      CI_API_V4_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      CI_PROJECT_ID: "3",
      CI_MERGE_REQUEST_IID: "7",
      CI_MERGE_REQUEST_PROJECT_URL: "https://gitlab.example/acme/shop",
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
    expect(notes.map(({ body }) => body)).toEqual([`${marker}\n\nthe report\n`]);
  });

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
    expect(err).toContain("GET user answered 401");
    expect(out).toContain("the report");
  });
});

onLinux("the job", () => {
  const job = (
    parseYaml("examples/pull-request/gitlab-ci.yml") as Record<
      string,
      { script: string[]; variables: Record<string, string> }
    >
  )["compute preview"]!;

  it.each([0, 21])(
    "previews every stack, writes the note, and ends with %d as compute-preview does",
    (code) => {
      const { status, calls } = runStep({
        script: job.script.join("\n"),
        programs: {
          npm: "",
          pulumi: 'case "$*" in *staging) exit 1 ;; esac',
          npx: `ls previews/acme.shop.prod.json || exit 9; exit ${code}`,
          node: "cat comment.md",
        },
        env: job.variables,
      });
      expect(status).toBe(code);
      expect(calls.split("\n").slice(0, -1)).toEqual([
        "npm ci",
        ...["dev", "staging", "prod"].map(
          (stack) => `pulumi preview --json --non-interactive --stack acme/shop/${stack}`,
        ),
        "npx --no-install compute-preview previews --plain --fail-on delete,replace",
        "node gitlab.mjs comment.md",
      ]);
    },
  );
});
