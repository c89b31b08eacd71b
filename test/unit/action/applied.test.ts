/** The step of a workflow that deploys: what the update did, on the merged pull request. */
import { announced, events, preview, quiet, unannounced } from "../preview/updates";
import { onLinux } from "../preview/workflows";
import { addComment, type Pull } from "./gitHub";
import {
  declarationOf,
  deployed,
  deployment,
  faultKinds,
  gitHubForEach,
  previewRun,
  pull,
  writesTo,
} from "./jobs";
import { actionFile, type Job, type JobResult } from "./runner";

const merged: Pull = {
  ...pull,
  state: "closed",
  merged_at: "2026-11-02T08:00:00Z",
  merge_commit_sha: deployed,
};

const github = gitHubForEach();
beforeEach(() => {
  github.repository.pulls[0] = merged;
  github.repository.brought[deployed] = [merged];
});

const marker = "<!-- compute-applied -->";
const asAnnounced = announced(700);

const deploy = (files: Readonly<Record<string, string>>, job?: Partial<Job>): Promise<JobResult> =>
  deployment(github, files, job);

const bodies = (): readonly string[] => github.repository.comments.map(({ body }) => body);
const writes = (): readonly string[] => writesTo(github);

onLinux("the comment after an update", () => {
  it("is on the merged pull request, and the next update of it updates it", async () => {
    const first = await deploy({ "up.json": events({ a: asAnnounced }) });
    const again = await deploy({ "up.json": events({ b: asAnnounced }) }, { env: { GITHUB_RUN_ID: "901" } });
    expect([first.code, again.code]).toEqual([0, 0]);
    expect(writes()).toEqual(["POST issues/7/comments", "PATCH issues/comments/1"]);
    expect(bodies()).toHaveLength(1);
    expect(bodies()[0]).toMatch(new RegExp(`^${marker}\n\n### What happened to the computes of \`app/dev\``));
    expect(bodies()[0]).toContain("| `b` | restarts |");
    expect(again.outputs).toMatchObject({ code: "0", computes: "1", drops: "1", unannounced: "0" });
    expect(again.summary).toContain("| `b` | restarts |");
  });

  it("is one for all stacks, what an update failed or cannot be read decides the code", async () => {
    const files = {
      "ups/dev.json": events({ a: unannounced }),
      "ups/prod.json": events({ b: asAnnounced }, { stack: "prod", result: "failed" }),
    };
    const ran = await deploy(files, { inputs: { applied: "ups" } });
    expect(ran.code).toBe(4);
    expect(ran.outputs).toMatchObject({ stacks: "2", computes: "2" });
    expect(bodies()[0]).toContain("`app/dev`");
    expect(bodies()[0]).toContain("`app/prod`");
    expect(bodies()[0]!.match(/<!-- compute-applied/g)).toHaveLength(1);
    const cut = await deploy({ ...files, "ups/test.json": "{" }, { inputs: { applied: "ups" } });
    expect(cut.code).toBe(3);
    expect(bodies()[0]).toContain("`test.json`\n\n> [!CAUTION]\n> It is not known what this update did:");
    expect(bodies()).toHaveLength(1);
  });

  it("is not begun where the update changed no compute, and is updated where one is there", async () => {
    expect((await deploy({ "up.json": events({}) })).code).toBe(0);
    expect(bodies()).toEqual([]);
    addComment(github.repository, `${marker}\n\nold`);
    await deploy({ "up.json": events({}) });
    expect(bodies()).toEqual([expect.stringContaining("No operation shows an interruption") as string]);
  });

  it("leaves out whole stacks where all are too long for it, and the summary has them", async () => {
    const names = Array.from({ length: 400 }, (_, index) => `compute-with-a-long-name-${index}`);
    const receipts = Object.fromEntries(names.map((name) => [name, asAnnounced]));
    const files = {
      "a.json": events(receipts, { stack: "a" }),
      "b.json": events(receipts, { stack: "b" }),
      "c.json": events({ z: unannounced }, { stack: "c" }),
    };
    const ran = await deploy(files);
    expect(ran.code).toBe(30);
    expect(bodies()[0]!.length).toBeLessThanOrEqual(65_536);
    expect(bodies()[0]).toContain("`app/c`");
    expect(bodies()[0]).toContain("… and 1 more stack: the summary of the run has them.");
    for (const stack of ["a", "b", "c"]) expect(ran.summary).toContain(`\`app/${stack}\``);
  });
});

onLinux("the pull request of an update", () => {
  it("is the one whose merge made this commit, among those that brought it", async () => {
    const older = { ...merged, number: 3, merge_commit_sha: "e".repeat(40) };
    const open = { ...merged, number: 9, merged_at: null };
    github.repository.brought[deployed] = [open, { ...older, number: 8 }, merged, older];
    await deploy({ "up.json": events({ a: asAnnounced }) });
    expect(writes()).toEqual(["POST issues/7/comments"]);
  });

  it("is none for a commit that was pushed without one: the report is in the summary", async () => {
    github.repository.brought[deployed] = [];
    const { code, summary, log, outputs } = await deploy({ "up.json": events({ a: unannounced }) });
    expect(code).toBe(30);
    expect(outputs).toMatchObject({ code: "30", unannounced: "1", stacks: "1" });
    expect(log).toContain("::error::compute-preview ended with 30");
    expect(writes()).toEqual([]);
    expect(summary).toContain("1 compute was interrupted without an announcement");
    expect(log).toContain("No merged pull request brought this revision.");
  });

  it.each([
    { reason: "the event is its end", job: { eventName: "pull_request", event: { pull_request: merged } } },
    { reason: "an input names it", job: { inputs: { applied: "up.json", "pr-number": "7" } } },
    {
      reason: "another workflow's run on its commit began this one",
      job: {
        eventName: "workflow_run",
        event: { workflow_run: { head_sha: deployed } },
        env: { GITHUB_SHA: "f".repeat(40) },
      },
    },
  ])("is known where $reason", async ({ job }) => {
    await deploy({ "up.json": events({ a: asAnnounced }) }, job);
    expect(writes()).toEqual(["POST issues/7/comments"]);
  });

  it("is none that was closed without a merge", async () => {
    const event = { pull_request: { ...merged, merged_at: null } };
    await deploy({ "up.json": events({ a: asAnnounced }) }, { eventName: "pull_request", event });
    expect(writes()).toEqual([]);
  });
});

onLinux("what was announced", () => {
  const inputs = { workflow: "compute-preview.yml", applied: "up.json" };
  const files = { "up.json": events({ a: unannounced, b: quiet }) };
  const artifacts = (of: Pull, announcing: string): NonNullable<Job["artifacts"]> => ({
    [previewRun.id]: {
      ...declarationOf(of),
      "dev.json": announcing,
      "prod.json": preview(["a"], [], "prod"),
    },
  });

  it("is what the reviewers saw: the preview of that stack, of the pull request's own run", async () => {
    const ran = await deploy(files, { inputs, artifacts: artifacts(pull, preview(["a"], ["b"])) });
    expect(ran.code).toBe(0);
    expect(bodies()[0]).toContain("Compared with the preview.");
    const other = await deploy(files, { inputs, artifacts: artifacts(pull, preview([], ["a", "b"])) });
    expect(other.code).toBe(30);
  });

  it("is that of the same file, if two organisations have a stack of one name", async () => {
    const own = {
      "ups/acme.app.dev.ndjson": events({ a: unannounced }),
      "ups/beta.app.dev.ndjson": events({}),
    };
    const ended = async (acme: string, beta: string): Promise<number> => {
      const previews = { "0/acme.app.dev.ndjson": acme, "1/beta.app.dev.ndjson": beta };
      const of = { [previewRun.id]: { ...declarationOf(pull), ...previews } };
      return (await deploy(own, { inputs: { ...inputs, applied: "ups" }, artifacts: of })).code;
    };
    await expect(ended(preview([], ["a"]), preview(["a"]))).resolves.toBe(30);
    await expect(ended(preview(["a"]), preview([], ["a"]))).resolves.toBe(0);
    await expect(ended("", preview(["a"]))).resolves.toBe(30);
    expect(bodies()[0]).toContain("### What happened to the computes of `app/dev` (`beta.app.dev.ndjson`)\n");
  });

  it.each([
    {
      reason: "there is no run of that workflow",
      spoil: () => (github.repository.runs.length = 0),
      of: pull,
    },
    { reason: "the run previewed another pull request", spoil: () => undefined, of: { ...pull, number: 8 } },
  ])("is what the run itself says where $reason", async ({ spoil, of }) => {
    spoil();
    const { code } = await deploy(files, { inputs, artifacts: artifacts(of, preview(["a"], ["b"])) });
    expect(code).toBe(30);
    expect(bodies()[0]).toContain("Compared with what the run itself announced.");
  });
});

onLinux("a fault at one route", () => {
  const inputs = { workflow: "compute-preview.yml", applied: "up.json" };
  const artifacts = { [previewRun.id]: { ...declarationOf(pull), "dev.json": preview(["a"]) } };
  const run = (): Promise<JobResult> =>
    deploy({ "up.json": events({ a: unannounced }) }, { inputs, artifacts });

  it.each([/^GET commits/, /^GET actions\/workflows/, /^GET issues\/7\/comments/, /^POST issues/])(
    "%s: changes neither the comment nor the exit code",
    async (of) => {
      const { repository } = github;
      for (const kind of faultKinds) {
        repository.comments.length = 0;
        repository.faults.push({ ...kind, of, times: 1 });
        expect((await run()).code).toBe(0);
        expect(repository.faults.at(-1)!.times).toBe(0);
        expect(bodies()).toHaveLength(1);
      }
    },
  );

  it.each([/^GET commits/, /^POST issues/])(
    "%s: that is refused for good takes the comment, and neither the report nor the exit code",
    async (of) => {
      github.repository.faults.push({ of, status: 403, times: 9 });
      const { code, summary, log } = await deploy({ "up.json": events({ a: unannounced }) });
      expect(code).toBe(30);
      expect(bodies()).toEqual([]);
      expect(summary).toContain("1 compute was interrupted without an announcement");
      expect(log).toContain("::warning::");
    },
  );
});

onLinux("a wrong call", () => {
  it.each(["fail-on", "allow-labels", "allow-environments", "status"])(
    "has %s beside applied, and ends with 2",
    async (input) => {
      const inputs = { applied: "up.json", [input]: "restart" };
      const { code, log } = await deploy({ "up.json": events({}) }, { inputs });
      expect(code).toBe(2);
      expect(log).toContain(`${input} is for previews`);
    },
  );

  it("names an empty folder, or a file that nobody wrote: no step passes because nothing was read", async () => {
    const empty = await deploy({ "ups/readme.txt": "" }, { inputs: { applied: "ups" } });
    expect(empty.code).toBe(2);
    expect(empty.log).toContain("there is no *.json, *.ndjson or *.jsonl below ups");
    const missing = await deploy({}, { inputs: { applied: "up.json" } });
    expect(missing.code).toBe(3);
    expect(bodies()[0]).toContain("there is no such file");
  });

  it("leaves every output empty or set, as action.yml lists them", async () => {
    const { outputs } = await deploy({ "up.json": events({ a: asAnnounced }) });
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(actionFile.outputs).sort());
    const empty = Object.entries(outputs).filter(([, value]) => value === "");
    expect(empty.map(([name]) => name).sort()).toEqual(["allowed-by", "full", "refused", "worst"]);
  });
});
