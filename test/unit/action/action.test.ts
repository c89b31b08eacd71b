/** The Action's one step on a pull request: its exit code, and where its report goes. */
import { spawnSync } from "node:child_process";
import type { StacksReport } from "../../../preview/shape";
import { checkoutFolder } from "../../../tools/checkout";
import { digest, moves, previewOf, restarts, settles, step } from "../preview/previews";
import { addComment } from "./codeHosts";
import {
  actionFile,
  gitHubForEach,
  onLinux,
  ownRun,
  pull,
  writesTo,
  type Files,
  type Job,
  type JobResult,
} from "./runner";

const github = gitHubForEach();
const files = { "dev.json": previewOf(restarts) };
const empty = { "dev.ndjson": "" };
const broken = { ...empty, "prod.ndjson": '{"sequence":0,"preludeEvent":{}}\n' };
const bodies = (): readonly string[] => github.repository.comments.map(({ body }) => body);

/** Expects a part of a run to contain a text (`summary: 1 compute restarts`), or not to contain it (`comment! Revision`). */
function expectSaid(ran: JobResult, says: readonly string[]): void {
  const parts: Readonly<Record<string, unknown>> = { ...ran, comment: bodies().join("\n") };
  for (const line of says) {
    const [, part = "", not = "", text = ""] = /^(\w+)([:!]) ([^]*)$/.exec(line)!;
    if (not === "!") expect(parts[part]).not.toContain(text);
    else expect(parts[part]).toContain(text);
  }
}

const head = "### ⚠️ Not known: there is no preview\n\n";
const ofFork = { ...pull, head: { ...pull.head, repo: { full_name: "someone/shop" } } };
const ofDependabot = { ...pull, user: { login: "dependabot[bot]" } };
const fork = { event: { pull_request: ofFork } };
const dependabot = { event: { pull_request: ofDependabot } };
const ofInput = { eventName: "push", event: {}, inputs: { "pr-number": "7" } };
const pass = { inputs: { "without-secrets": "pass" } };
const two = "2 computes drop their open connections";
const refusal =
  "This change restarts 1 compute and drops the open connections of 1 compute, which this check does not allow";
const form =
  "The event pull_request of this run does not have the form that GitHub documents: pull_request.head:";

type Row = [reason: string, code: number, files: Files, job: Job, ...says: string[]];
const rows: Row[] = [
  [
    "a run that has no pull request",
    0,
    files,
    { eventName: "push", event: {} },
    "summary: 1 compute restarts",
    "comment! restarts",
  ],
  ["a pull request named by an input", 0, files, ofInput, "comment: 1 compute restarts", "comment! Revision"],
  ["an event in another form", 1, files, { event: { pull_request: { number: 7 } } }, `log: ::error::${form}`],
  ["a fork", 3, empty, fork, `markdown: ${head}GitHub gives pull requests from forks no secrets`],
  ["Dependabot", 3, empty, dependabot, `markdown: ${head}`, "markdown: Settings, Secrets and variables, D"],
  ["Dependabot if an input lets it pass", 0, empty, { ...dependabot, ...pass }],
  [
    "Dependabot with a log, but no preview",
    3,
    { "previews/prod.log": "error: no stack" },
    { ...dependabot, ...pass },
  ],
  ["Dependabot with an empty log", 0, { "previews/prod.log": "" }, { ...dependabot, ...pass }],
  ["Dependabot whose preview broke", 3, broken, { ...dependabot, ...pass }, "markdown! Dependabot's own"],
  ["a fork with a preview", 24, files, { ...fork, inputs: { ...pass.inputs, "fail-on": "restart" } }],
  [
    "a refused change",
    24,
    { "dev.json": previewOf(restarts, moves) },
    { inputs: { "fail-on": "restart, drop" } },
    `log: ::error::compute-preview: Refused: ${two}%0A${refusal}`,
    `markdown: ### ⛔ Refused: ${two}\n\n${refusal}`,
  ],
];

onLinux("the Action", () => {
  it("runs from the committed bundle, in its own process", async () => {
    const job = { startsProcess: true, inputs: { "fail-on": "restart" } };
    const ran = await ownRun(github, files, job);
    expect(ran).toMatchObject({ code: 24, outputs: { code: "24", worst: "restart", refused: "restart" } });
    expectSaid(ran, ["comment: 1 compute restarts"]);
  });

  it.each<Row>(rows)(
    "for %s, ends with exit code %d and reports what it should",
    async (...[, code, given, job, ...says]) => {
      const ran = await ownRun(github, given, job);
      expect(ran).toMatchObject({ code, ...(code !== 1 && { outputs: { code: String(code) } }) });
      expectSaid(ran, says);
    },
  );

  it.each([
    { reason: "no compute changes", mode: "changes", found: false, written: 0 },
    { reason: "no compute changes, but a comment exists", mode: "changes", found: true, written: 1 },
    { reason: "the input says always", mode: "always", found: false, written: 1 },
    { reason: "the input says never", mode: "never", found: true, written: 0 },
  ])("writes the comment $written times if $reason", async ({ mode, found, written }) => {
    if (found) addComment(github.repository, "<!-- compute-preview -->\n\nold");
    const job = { inputs: { comment: mode } };
    const { code, markdown } = await ownRun(github, { "dev.json": previewOf() }, job);
    expect(code).toBe(0);
    expect(writesTo(github)).toHaveLength(written);
    expect(markdown).toContain("### 🟢 No compute drops its open connections\n");
  });

  it("outputs counts over all stacks, the worst effect, and the files of the report", async () => {
    const two = { "dev.json": previewOf(restarts, settles), "prod.json": previewOf(moves) };
    const { outputs, markdown, json } = await ownRun(github, two);
    expect(outputs).toMatchObject({ code: "0", stacks: "2", computes: "3", drops: "2", "may-drop": "0" });
    expect(outputs).toMatchObject({ worst: "move", refused: "" });
    expect(bodies()).toEqual([`${markdown}<!-- compute-preview-run: 900.1 -->\n`]);
    expect((JSON.parse(json) as StacksReport).stacks).toHaveLength(2);
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(actionFile.outputs).sort());
    const none = Object.keys(outputs).filter((name) => outputs[name] === "");
    expect(none.sort()).toEqual(["full", "refused"]);
  });

  it("cuts a report that is too long for a comment, and keeps the full one in the summary and in a file", async () => {
    const many = Array.from({ length: 400 }, (_, index) => {
      return { name: `compute-with-a-long-name-${index}`, new: { branchId: `br-${index}` } };
    });
    const ran = await ownRun(github, { "dev.json": previewOf(...many) }, { inputs: { "fail-on": "move" } });
    expect(ran.code).toBe(22);
    expect(bodies()[0]!.length).toBeLessThan(65_536);
    expect(ran.outputs["full"]).toMatch(/compute-preview-full\.md$/);
    const last = "summary: compute-with-a-long-name-399";
    expectSaid(ran, ["comment: The summary of [this run](", last, "summary! Cut to fit"]);
  });

  it("annotates the line of the program, even if the change is refused, unless an input turns annotations off", async () => {
    const made = step(restarts) as { newState: object };
    const stackTrace = [{ sourcePosition: "project:///index.ts#12,3" }];
    const placed = { "dev.json": digest([{ ...made, newState: { ...made.newState, stackTrace } }]) };
    const remark = "::warning file=infra/index.ts,line=12::app restarts in dev: open connections drop";
    const logOf = async (inputs: Record<string, string>): Promise<string> =>
      (await ownRun(github, placed, { inputs: { folder: "infra", ...inputs } })).log;
    expect(await logOf({})).toContain(remark);
    const ofRefused = await logOf({ "fail-on": "restart" });
    expect(ofRefused.split("::error::compute-preview ended with exit code 24")[0]).toContain(remark);
    expect(await logOf({ annotations: "false" })).not.toContain("::warning");
  });

  it.each([
    [2, { "fail-on": "reboot" }, "--fail-on takes delete, replace, move"],
    [2, { comment: "sometimes" }, '`comment` takes changes, always, never, not "sometimes"'],
    [2, { "without-secrets": "ignore" }, '`without-secrets` takes fail, pass, not "ignore"'],
    [2, { "pr-number": "#7" }, '`pr-number` takes a number such as 7, not "#7"'],
    // In this input, `--help` is the name of a file, not an option of the command.
    [3, { previews: "--help", comment: "never" }, ""],
  ])("ends with %i for a wrong input, and writes nothing: %j", async (code, inputs, says) => {
    const ran = await ownRun(github, files, { inputs });
    expect(ran.code).toBe(code);
    expect(ran.log).toContain(says);
    expect(writesTo(github)).toEqual([]);
  });
});

describe("action.yml", () => {
  const { steps } = actionFile.runs;

  it("has one step, whose script is a single command without an expression", () => {
    const run = 'node "$GITHUB_ACTION_PATH/action/bundle.js" report';
    expect(steps).toMatchObject([{ id: "report", shell: "bash", run }]);
  });

  it("passes each input on", () => {
    const used = JSON.stringify(steps);
    expect(Object.keys(actionFile.inputs).filter((name) => !used.includes(`inputs.${name} }}`))).toEqual([]);
  });
});

it("action/bundle.js is built from the current source (if not: npm run action)", () => {
  const { status, stderr } = spawnSync(process.execPath, ["tools/action/bundle.js", "--check"], {
    cwd: checkoutFolder,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

onLinux("the input connection-urls", () => {
  const running = step({ ...restarts, verdict: { effect: "restart", now: "active" } });
  const preview = { "dev.json": digest([running]) };
  const env = { PGUSER: "monitor", PGPASSWORD: "pass-4711", PGHOST: "127.0.0.1", PGPORT: "1" };

  it("asks with the pg of the bundle, and leaves no secret in the report", async () => {
    const url = "postgresql://monitor:pass-4711@ep-app.example/app?host=127.0.0.1&port=1&sslmode=disable";
    const inputs = { "connection-urls": url, "fail-on": "move" };
    const ran = await ownRun(github, preview, { startsProcess: true, inputs });
    expect(ran.code).toBe(0);
    expect(ran.markdown).toContain("Whose connections: could not ask: `connect ECONNREFUSED 127.0.0.1:1`");
    expect(ran.markdown + ran.json + ran.log).not.toMatch(/4711|monitor/);
  });

  it("is the only source of passwords: a preview may name anybody's host", async () => {
    const without = await ownRun(github, preview, { env });
    expect(without.markdown).not.toContain("Whose connections");
    const inputs = { "connection-urls": "postgresql://monitor:pass-4711@other.example/app" };
    const other = await ownRun(github, preview, { env, inputs });
    expect(other.markdown).toContain("not asked, because there are no credentials for its host");
  });
});
