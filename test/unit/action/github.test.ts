/** The Action and GitHub: requests have GitHub's form, and survive limits, errors and lost answers; events are understood. */
import examples from "@octokit/webhooks-examples";
import { openGitHub, type GitHub } from "../../../action/github";
import { runReport } from "../../../action/report";
import { openRunner } from "../../../action/runner";
import { subjectOf } from "../../../action/subject";
import { fullName, type Failing, type Fault } from "./codeHosts";
import { objectionsTo, type Request } from "./openApi";
import { gitHubForEach } from "./runner";

const github = gitHubForEach();

/** A client whose waits are recorded, and take no time. */
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
    ["a server error", { status: 502 }, [500, 1000]],
    ["a page instead of JSON", { status: 200 }, [500, 1000]],
    ["a limit that ends at a date", { status: 503, headers: atDate }, [3000, 3000]],
    ["a limit that ends by the server's clock", { status: 403, headers: atReset }, [21_000, 21_000]],
    ["a secondary limit that names no time", { status: 403, body: secondary }, [60_000, 60_000]],
  ])("is sent again after %s, and first waits long enough", async (...[, fault, expected]) => {
    github.repository.faults.push({ ...get, ...fault, times: 2 });
    const { api, waitsMs } = client();
    await expect(api.get("pulls/7")).resolves.toMatchObject({ number: 7 });
    expect(waitsMs).toEqual(expected);
  });

  const tooLong = "asks this step to wait 3600 s, which is too long";
  it.each<[reason: string, fault: Failing, says: string, requests: number]>([
    ["GitHub refuses it", { status: 403, body: "{}" }, "answered 403", 1],
    ["the server stays broken", { status: 500 }, "answered 500", 5],
    ["the wait is too long for a job", inSeconds("3600"), tooLong, 1],
  ])("fails where %s", async (...[, fault, says, requests]) => {
    github.repository.faults.push({ ...get, ...fault, times: 9 });
    await expect(client().api.get("pulls/7")).rejects.toThrow(says);
    expect(github.repository.requests).toHaveLength(requests);
  });

  it("gives up once its waits would be too long in total for a job", async () => {
    github.repository.faults.push({ ...get, ...inSeconds("60"), times: 9 });
    const { api, waitsMs } = client();
    await expect(api.get("pulls/7")).rejects.toThrow("which is too long");
    expect(waitsMs).toEqual([60_000, 60_000]);
  });

  it("for a list fails if the server's pages never end", async () => {
    const link = '<https://github.example/next>; rel="next"';
    github.repository.faults.push({ of: /pulls/, status: 200, headers: { link }, body: "[]", times: 999 });
    await expect(client().api.list("pulls")).rejects.toThrow("more than 100 pages");
  });
});

it.each<[reason: string, request: Request, says: string]>([
  ["a route", { method: "GET", route: "repos/a/b/issue/7/comments" }, "there is no such route"],
  ["a parameter", { method: "GET", route: "repos/a/b/issues?creater=me" }, "no parameter creater"],
  [
    "a member",
    { method: "POST", route: "repos/a/b/issues/7/comments", body: { text: "a" } },
    "no member text",
  ],
  ["a body", { method: "POST", route: "repos/a/b/issues/7/comments", body: {} }, "the body is {}"],
])("the stand-in for GitHub refuses %s that GitHub's API does not define", (...[, request, says]) => {
  expect(objectionsTo(request).join("\n")).toContain(says);
});

interface Example {
  readonly number?: number;
  readonly pull_request?: { readonly number: number; readonly head: { readonly sha: string } };
}

const events = (examples as unknown as readonly { name: string; examples: readonly Example[] }[]).flatMap(
  ({ name, examples: all }) => all.map((event, index) => ({ name, index, event })),
);
const about = events.filter(({ name }) => name === "pull_request" || name === "push");

it.each(about)("GitHub's own example of an event is understood: $name $index", ({ name, event }) => {
  const runner = { ...openRunner({ GITHUB_EVENT_NAME: name }, () => undefined), event };
  const subject = subjectOf(runner, { pullNumber: undefined });
  expect(subject?.number).toBe(event.pull_request?.number);
  expect(subject?.revision?.sha).toBe(event.pull_request?.head.sha);
});

it.each([
  ["is missing", "/nowhere/event.json", "ENOENT"],
  ["is not JSON", __filename, "it is not JSON"],
])("a run whose event file %s ends with an error that names it", async (_reason, file, reason) => {
  let log = "";
  const inputs = {
    INPUT_PREVIEWS: file,
    INPUT_COMMENT: "never",
    INPUT_ANNOTATIONS: "false",
    INPUT_WITHOUT_SECRETS: "pass",
  };
  const code = await runReport({ GITHUB_EVENT_PATH: file, ...inputs }, (text) => (log += text));
  expect(code).not.toBe(0);
  expect(log).toMatch(/^::error::The event file of this run \(GITHUB_EVENT_PATH\) cannot be read: /);
  expect(log).toContain(reason);
});
