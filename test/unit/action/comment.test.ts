/** The one comment on a pull request: the Action writes it on GitHub, and the example's script on GitLab. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { text as textFrom } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import { moves, previewOf, restarts, runPreview } from "../preview/previews";
import { temporaryFolder } from "../../support/temporaryFolder";
import { addComment, type Comment, type Failing } from "./codeHosts";
import { gitHubForEach, ownRun, pull, writesTo } from "./runner";

const server = gitHubForEach();

interface Run {
  readonly parts?: typeof restarts;
  /** A later run has a higher count. */
  readonly count?: number;
  /** The form of the file that is posted to GitLab. */
  readonly format?: readonly string[];
}

interface Reported {
  readonly code: number;
  /** Empty where no comment is written. */
  readonly url: string | undefined;
  readonly log: string;
  /** The report outside the comment: the job's summary, or what the script prints. */
  readonly left: string;
}

async function onGitHub({ parts = restarts, count = 900 }: Run = {}): Promise<Reported> {
  const job = { inputs: { marker: "dev" }, env: { GITHUB_RUN_ID: String(count), GITHUB_RUN_NUMBER: "1" } };
  const { outputs, summary, ...ran } = await ownRun(server, { "dev.json": previewOf(parts) }, job);
  return { ...ran, url: outputs["comment-url"], left: summary };
}

const script = path.join(__dirname, "../../../examples/pull-request/gitlab.mjs");

async function onGitLab({
  parts = restarts,
  count = 900,
  format = ["--plain", "--marker", "dev"],
}: Run = {}): Promise<Reported> {
  const file = path.join(temporaryFolder(), "comment.md");
  const { out } = runPreview(format, previewOf(parts));
  writeFileSync(file, out);
  const env = {
    CI_API_V4_URL: server.url,
    CI_PROJECT_ID: "4",
    CI_PROJECT_URL: "https://gitlab.example/acme/fork",
    CI_MERGE_REQUEST_PROJECT_ID: "3",
    CI_MERGE_REQUEST_IID: "7",
    CI_MERGE_REQUEST_PROJECT_URL: "https://gitlab.example/acme/shop",
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
    CI_COMMIT_SHA: pull.head.sha,
    CI_PIPELINE_IID: String(count),
    CI_JOB_ID: "1",
    CI_JOB_URL: "https://gitlab.example/acme/shop/-/jobs/1",
    COMPUTE_PREVIEW_TOKEN: "the-token",
  };
  // The script runs in a thread: another process takes longer to start than the whole script runs.
  const worker = new Worker(script, { argv: [file], env, stdout: true, stderr: true });
  const [left, log] = [textFrom(worker.stdout), textFrom(worker.stderr)];
  const [code] = (await once(worker, "exit")) as [number];
  const [, url = ""] = /^Comment: (.*)$/m.exec(await log) ?? [];
  return { code, url, log: await log, left: await left };
}

const notes = "/projects/3/merge_requests/7/notes";

describe.each([
  {
    host: "GitHub",
    report: onGitHub,
    mark: (text: string) => `<!-- compute-preview${text} -->`,
    url: "https://github.example/acme/shop/pull/7#issuecomment-1",
    run: "this run](https://github.example/acme/shop/actions/runs/900",
    requests: ["GET pulls/7", "GET issues/7/comments", "POST issues/7/comments"],
  },
  {
    host: "GitLab",
    report: onGitLab,
    mark: (text: string) => `[_]: # (compute-preview${text})`,
    url: "https://gitlab.example/acme/shop/-/merge_requests/7#note_1",
    run: "this job](https://gitlab.example/acme/shop/-/jobs/1).\n\n",
    requests: ["GET /user", `GET ${notes}`, "GET /projects/3/merge_requests/7", `POST ${notes}`],
  },
])("the comment on $host", ({ report, mark, url, run, requests }) => {
  const marker = mark(": dev");
  const old = `${marker}\n\nold`;
  const add = (body: string): Comment => addComment(server.repository, body);
  const bodies = (): readonly string[] => server.repository.comments.map(({ body }) => body);
  const written = (): readonly boolean[] => bodies().map((body) => body.includes("1 compute restarts"));

  it("is created by the first run, and updated by the second", async () => {
    const first = await report({ parts: moves });
    expect(first).toMatchObject({ code: 0, url });
    expect(bodies()).toEqual([expect.stringContaining("1 compute moves to another branch")]);
    expect(await report()).toMatchObject({ code: 0, url });
    expect(written()).toEqual([true]);
    expect(bodies()[0]!.startsWith(`${marker}\n\n###`)).toBe(true);
    expect(bodies()[0]).toContain(`Revision \`aaaaaaaaaa\` into \`main\`, [${run}`);
    expect(bodies()[0]!.endsWith(`\n\n${mark("-run: 900.1")}\n`)).toBe(true);
  });

  it("is not written if the pull request has changed since the preview", async () => {
    server.repository.pulls[0] = { ...pull, head: { ...pull.head, sha: "c".repeat(40) } };
    const { code, log } = await report();
    expect({ code, writes: writesTo(server) }).toEqual({ code: 0, writes: [] });
    expect(log).toContain("has changed since this preview");
  });

  it("keeps the newer report even if an older run reports last", async () => {
    await report({ count: 901 });
    expect((await report({ parts: moves })).log).toMatch(/The comment already shows a newer report/);
    expect(written()).toEqual([true]);
    await report({ parts: moves, count: 902 });
    expect(written()).toEqual([false]);
  });

  const anothers = (user: object) => () => void Object.assign(add(old), { user });
  const vanishing = (): void => {
    add(old);
    server.repository.before = (request) => {
      if (/^(PATCH|PUT)/.test(request)) server.repository.comments.length = 0;
    };
  };
  it.each<[reason: string, prepare: () => unknown, is: readonly boolean[]]>([
    ["its lines end with CRLF", () => add(old.replaceAll("\n", "\r\n")), [true]],
    [
      "names and messages in it claim that it is newer",
      () => add(`${marker}\n\n${mark("-run: 999.1")}\n\n${mark("-run: 899.1")}`),
      [true],
    ],
    ["the token may not change it", () => server.repository.foreign.add(add(old).id), [false, true]],
    ["it vanishes before it is written", vanishing, [true]],
    [
      "another program wrote one like it",
      anothers({ id: 9, login: "another[bot]", type: "Bot" }),
      [false, true],
    ],
  ])("is updated, or created anew, where %s", async (...[, prepare, is]) => {
    prepare();
    const { code, url: told } = await report();
    expect({ code, isTold: told !== "" }).toEqual({ code: 0, isTold: true });
    expect(written()).toEqual(is);
  });

  it("is found by its marker, even beyond the first page of comments", async () => {
    for (let count = 0; count < 130; count++) add("a remark");
    const another = add(`${mark("")}\n\nof another`);
    const own = add(old);
    await report();
    expect([another, own].map(({ body }) => body.includes("1 compute restarts"))).toEqual([false, true]);
    expect(bodies()).toHaveLength(132);
  });

  it("stays the only one even if another run creates one at the same time", async () => {
    server.repository.before = (request) => {
      if (request.startsWith("POST") && bodies().length === 0) add(`${old}\n\n${mark("-run: 899.1")}`);
    };
    await report();
    expect(server.repository.comments.map(({ id }) => id)).toEqual([1]);
    expect(written()).toEqual([true]);
  });

  const faults: readonly (Failing & { readonly fault: string })[] = [
    { fault: "a lost request", hangsUp: true },
    { fault: "a lost answer", status: 502, isDone: true },
    { fault: "a rate limit", status: 429, headers: { "retry-after": "0" } },
  ];
  const firstAndLast = [requests[0]!, requests.at(-1)!];
  it.each(firstAndLast.flatMap((name) => faults.map((fault) => ({ name, ...fault }))))(
    "is written once if the request $name meets $fault",
    async ({ name, ...fault }) => {
      server.repository.faults.push({ ...fault, of: new RegExp(`^${name}$`), times: 1 });
      expect(await report()).toMatchObject({ code: 0, url });
      expect(written()).toEqual([true]);
    },
  );

  it("goes to the job's log or summary where the token cannot write", async () => {
    server.repository.mayWrite = false;
    const { code, url: told, log, left } = await report();
    expect({ code, told }).toEqual({ code: 0, told: "" });
    expect(log).toMatch(/The comment could not be written \(POST \S+ answered 403/);
    expect(`${log}${left}`).toMatch(/so this is the only report|here it is/);
    expect(left).toContain("1 compute restarts");
  });
});

it("a comment that a person's token wrote on GitHub is found again", async () => {
  server.repository.login = "machine";
  for (const parts of [moves, restarts])
    await ownRun(server, { "dev.json": previewOf(parts) }, { inputs: { token: "another-token" } });
  expect(server.repository.comments.map(({ user }) => user.login)).toEqual(["machine"]);
});

it.each([[["--format", "text"]], [["--format", "json"]], [[]]])(
  "a file without the marker for GitLab is refused, since the next run would write a second note: %j",
  async (format) => {
    const { code, log } = await onGitLab({ format });
    expect({ code, writes: writesTo(server) }).toEqual({ code: 1, writes: [] });
    expect(log).toMatch(
      /comment\.md is not a comment of compute-preview: write it with `compute-preview --plain --details`\.\n$/,
    );
    expect(await onGitLab({ format: ["--plain", "--details"] })).toMatchObject({ code: 0 });
    expect(server.repository.comments).toHaveLength(1);
  },
);
