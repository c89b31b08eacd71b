/** A report survives what GitHub does: limits, errors, lost answers, and other reports at the same time. */
import { openGitHub, type GitHub } from "../../../action/github";
import { digest, step } from "../preview/previews";
import { onLinux } from "../preview/workflows";
import type { Failing, Fault } from "../preview/server";
import { addComment, fullName } from "./gitHub";
import { gitHubForEach, moves, ownRun, previewOf, pull, restarts, writesTo } from "./jobs";

const github = gitHubForEach();

const files = { "dev.json": previewOf(restarts) };
const marker = "<!-- compute-preview -->";

/** A client whose waits are noted, and take no time. */
function client(): { readonly api: GitHub; readonly waitsMs: number[] } {
  const waitsMs: number[] = [];
  const sleep = (ms: number): Promise<unknown> => Promise.resolve(waitsMs.push(ms));
  const address = { server: github.url, repository: fullName, token: "the-token" };
  return { api: openGitHub(address, { sleep }), waitsMs };
}

describe("a request", () => {
  const get: Omit<Fault, "times"> = { of: /^GET pulls/ };
  const date = "Sun, 22 Nov 2026 18:00:00 GMT";
  const resetS = Date.parse(date) / 1000 + 20;

  const inSeconds = (seconds: string): Failing => ({ status: 429, headers: { "retry-after": seconds } });
  const atDate = { date, "retry-after": "Sun, 22 Nov 2026 18:00:03 GMT" };
  const atReset = { date, "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(resetS) };
  const secondary = '{"message":"You have exceeded a secondary rate limit."}';

  it.each<[reason: string, fault: Failing, waitsMs: readonly number[]]>([
    ["an error of the server", { status: 502 }, [500, 1000]],
    ["a lost answer", { hangsUp: true }, [500, 1000]],
    ["a page in place of JSON", { status: 200 }, [500, 1000]],
    ["a limit that names its seconds", inSeconds("7"), [7000, 7000]],
    ["a limit that names its date", { status: 503, headers: atDate }, [3000, 3000]],
    ["a limit that names its end by the server's clock", { status: 403, headers: atReset }, [21_000, 21_000]],
    ["a secondary limit that names nothing", { status: 403, body: secondary }, [60_000, 60_000]],
  ])("is sent again after %s, with the server's own wait", async (...[, fault, expected]) => {
    github.repository.faults.push({ ...get, ...fault, times: 2 });
    const { api, waitsMs } = client();
    await expect(api.get("pulls/7")).resolves.toMatchObject({ number: 7 });
    expect(waitsMs).toEqual(expected);
  });

  const tooLong = "asks for a wait of 3600 s, longer than this step waits";
  it.each<[reason: string, fault: Failing, says: string, requests: number]>([
    ["GitHub refuses it", { status: 403, body: "{}" }, "answered 403", 1],
    ["there is nothing", { status: 404 }, "answered 404", 1],
    ["it is wrong", { status: 422 }, "answered 422", 1],
    ["the server stays broken", { status: 500 }, "answered 500", 5],
    ["the wait is too long for a job", inSeconds("3600"), tooLong, 1],
  ])("ends where %s", async (...[, fault, says, requests]) => {
    github.repository.faults.push({ ...get, ...fault, times: 9 });
    await expect(client().api.get("pulls/7")).rejects.toThrow(says);
    expect(github.repository.requests).toHaveLength(requests);
  });

  it("waits no longer than a job may hold a runner, over all of them", async () => {
    github.repository.faults.push({ ...get, ...inSeconds("60"), times: 9 });
    const { api, waitsMs } = client();
    await expect(api.get("pulls/7")).rejects.toThrow("longer than this step waits");
    expect(waitsMs).toEqual([60_000, 60_000]);
  });

  it("that may not be done twice is not repeated after an unknown outcome, and is after a limit", async () => {
    const post = /^POST issues/;
    const send = (): Promise<unknown> =>
      client().api.send("POST", "issues/7/comments", { body: { body: "text" }, isRepeatable: false });
    github.repository.faults.push({ of: post, status: 502, times: 1 });
    await expect(send()).rejects.toThrow("answered 502");
    github.repository.faults.push({ of: post, status: 429, times: 1 });
    await send();
    expect(github.repository.comments).toHaveLength(1);
  });

  it("for a list follows its pages, and ends where the server names pages without end", async () => {
    for (let index = 0; index < 250; index++) addComment(github.repository, `remark ${index}`);
    await expect(client().api.list("issues/7/comments")).resolves.toHaveLength(250);
    expect(github.repository.requests).toHaveLength(3);
    const link = '<https://github.example/next>; rel="next"';
    github.repository.faults.push({ of: /pulls/, status: 200, headers: { link }, body: "[]", times: 999 });
    await expect(client().api.list("pulls")).rejects.toThrow("more than 100 pages");
  });
});

onLinux("the comment", () => {
  it.each([true, false])("is one, though the answer to its writing was lost (done: %s)", async (isDone) => {
    github.repository.faults.push({ of: /^POST issues/, hangsUp: true, isDone, times: 1 });
    const { code, outputs } = await ownRun(github, files);
    expect(code).toBe(0);
    expect(github.repository.comments).toHaveLength(1);
    expect(outputs["comment-url"]).toContain("#issuecomment-1");
  });

  it("is one, though another run begins one at the same time", async () => {
    const { repository } = github;
    const late = `${marker}\n\nby another run\n\n<!-- compute-preview-run: 899.1 -->`;
    repository.before = (request) => {
      if (request.startsWith("POST issues") && repository.comments.length === 0) addComment(repository, late);
    };
    await ownRun(github, files);
    expect(repository.comments.map(({ id }) => id)).toEqual([1]);
    expect(repository.comments[0]!.body).toContain("1 compute restarts");
  });

  it.each([
    { reason: "is another's", spoil: () => github.repository.foreign.add(1) },
    {
      reason: "is gone when it is written",
      spoil: () =>
        (github.repository.before = (request) => {
          if (request.startsWith("PATCH")) github.repository.comments.length = 0;
        }),
    },
  ])("is written anew where the one that is there $reason", async ({ spoil }) => {
    addComment(github.repository, `${marker}\n\nold`);
    spoil();
    const { code, outputs } = await ownRun(github, files);
    expect(code).toBe(0);
    expect(github.repository.comments.at(-1)!.body).toContain("1 compute restarts");
    expect(outputs["comment-url"]).not.toBe("");
  });

  it.each([
    { login: "another[bot]", type: "Bot" },
    { login: "author", type: "User" },
  ])("of $login with the marker is not ours: they could change it later", async (user) => {
    Object.assign(addComment(github.repository, `${marker}\n\nof another`), { user });
    await ownRun(github, files);
    expect(github.repository.comments.map(({ body }) => body.includes("restarts"))).toEqual([false, true]);
  });

  it("of a person's token is found again", async () => {
    github.repository.login = "machine";
    const job = { inputs: { token: "another-token" } };
    await ownRun(github, files, job);
    await ownRun(github, { "dev.json": previewOf(moves) }, job);
    expect(github.repository.comments.map(({ user }) => user.login)).toEqual(["machine"]);
  });

  it("is updated whatever names and messages in it say", async () => {
    const named = { ...restarts, name: "compute-preview-run: 999.1" };
    const diagnostics = [{ severity: "error", message: "error: no\n<!-- compute-preview-run: 999.1 -->\n" }];
    await ownRun(github, { "dev.json": digest([step(named)], { diagnostics }) });
    expect(github.repository.comments[0]!.body).toContain("<!-- compute-preview-run: 999.1 -->");
    await ownRun(github, { "dev.json": previewOf(moves) });
    expect(github.repository.comments[0]!.body).toContain("1 compute moves");
  });

  it("of a newer report stays, though an older run is reported last", async () => {
    await ownRun(github, files, { env: { GITHUB_RUN_ID: "901", GITHUB_RUN_NUMBER: "91" } });
    const { log } = await ownRun(github, { "dev.json": previewOf(moves) });
    expect(log).toContain("A newer report has written the comment");
    expect(github.repository.comments[0]!.body).toContain("1 compute restarts");
    // GitHub numbers the runs of a workflow whose file has another name from 1 again.
    const env = { GITHUB_RUN_ID: "902", GITHUB_RUN_NUMBER: "1" };
    await ownRun(github, { "dev.json": previewOf(moves) }, { env });
    expect(github.repository.comments).toHaveLength(1);
    expect(github.repository.comments[0]!.body).toContain("1 compute moves");
  });
});

onLinux("a pull request that moves on while it is previewed", () => {
  it.each([
    { reason: "a push", change: { head: { ...pull.head, sha: "c".repeat(40) } } },
    { reason: "a retarget", change: { base: { ...pull.base, ref: "dev" } } },
  ])("keeps its comment: $reason", async ({ change }) => {
    github.repository.pulls[0] = { ...pull, ...change };
    const { code, log, summary } = await ownRun(github, files);
    expect(code).toBe(0);
    expect(log).toContain("#7 has moved on since this preview");
    expect(summary).toContain("1 compute restarts");
    expect(writesTo(github)).toEqual([]);
  });
});

onLinux("a report that is too long for a comment", () => {
  it("is cut, and whole in the summary that the comment links, and in a file", async () => {
    const many = Array.from({ length: 400 }, (_, index) => {
      return { name: `compute-with-a-long-name-${index}`, new: { branchId: `br-${index}` } };
    });
    const ran = await ownRun(github, { "dev.json": previewOf(...many) }, { inputs: { "fail-on": "move" } });
    const { body } = github.repository.comments[0]!;
    expect(ran.code).toBe(22);
    expect(body.length).toBeLessThan(65_536);
    expect(body).toContain("The summary of [this run](");
    expect(ran.outputs["full"]).toMatch(/compute-preview-full\.md$/);
    expect(ran.summary).toContain("compute-with-a-long-name-399");
    expect(ran.summary).not.toContain("Cut to fit");
  });
});
