import { readdirSync } from "node:fs";
import type { Report, StacksReport } from "../../../preview/judge/shape";
import {
  digest,
  fixture,
  fixtureFile,
  moves,
  previewOf,
  restarts,
  runPreview,
  settles,
  step,
} from "../preview/previews";
import { temporaryFolder } from "../../support/temporaryFolder";
import { onLinux } from "../preview/workflows";
import { addComment } from "./codeHosts";
import { actionFile, gitHubForEach, ownRun, pull, writesTo } from "./runner";

const github = gitHubForEach();

onLinux("the comment", () => {
  const files = { "dev.json": previewOf(restarts) };

  it("is written by the committed bundle, as a process of its own", async () => {
    const ran = await ownRun(github, files, { startsProcess: true, inputs: { "fail-on": "restart" } });
    expect(ran.code).toBe(24);
    expect(github.repository.comments[0]!.body).toContain("1 compute restarts");
    expect(ran.outputs).toMatchObject({ code: "24", refused: "restart" });
  });

  it.each([
    { reason: "no compute changes", mode: "changes", found: false, written: 0 },
    { reason: "no compute changes, and one is there", mode: "changes", found: true, written: 1 },
    { reason: "it is asked for always", mode: "always", found: false, written: 1 },
    { reason: "it is asked for never", mode: "never", found: true, written: 0 },
  ])("is written $written times where $reason", async ({ mode, found, written }) => {
    if (found) addComment(github.repository, "<!-- compute-preview -->\n\nold");
    const job = { inputs: { comment: mode } };
    const { code, markdown } = await ownRun(github, { "dev.json": previewOf() }, job);
    expect(code).toBe(0);
    expect(writesTo(github)).toHaveLength(written);
    expect(markdown).toContain("### 🟢 No compute drops its open connections\n");
  });

  it("goes to the job's summary where no pull request is concerned", async () => {
    const { code, summary } = await ownRun(github, files, { eventName: "push", event: {} });
    expect(code).toBe(0);
    expect(summary).toContain("1 compute restarts");
    expect(github.repository.requests).toEqual([]);
  });
});

onLinux("a plan or preview of another provider", () => {
  it.each(readdirSync(fixtureFile("others")))(
    "%s ends as the command does, with the same first line",
    async (file) => {
      const bytes = fixture(`others/${file}`);
      const kinds = "restart,replace,delete,move,suspend";
      const alone = runPreview([`--fail-on=${kinds}`], bytes);
      const ran = await ownRun(github, { [file]: bytes }, { inputs: { "fail-on": kinds } });
      expect(ran.code).toBe(alone.code);
      const [heading] = /^### .*$/m.exec(alone.out) ?? [];
      if (alone.code === 3) expect(ran.log).toContain("`terraform show -json plan > plan.json`");
      else expect(ran.markdown).toContain(`\n${heading!}\n`);
    },
  );
});

onLinux("the folder of a run's artifacts", () => {
  it("has its stacks told apart by their files, however long the runner's own folders are", async () => {
    const [eu, us, broken] = ["eu", "us", "ap"].map((of) => `compute-preview-0/acme-${of}.shop.prod.ndjson`);
    const files = {
      [`previews/${eu!}`]: previewOf(restarts),
      [`previews/${us!}`]: previewOf(restarts),
      [`previews/${broken!}`]: "",
    };
    const { markdown } = await ownRun(github, files, { inputs: { previews: "previews" } });
    expect(markdown).toContain(`#### \`shop/dev (${eu})\``);
    expect(markdown).toContain(`#### \`shop/dev (${us})\``);
    expect(markdown).toContain(`- \`${broken}\`: **not known**, it is no preview`);
  });
});

onLinux("a pull request that gets no secrets", () => {
  const fork = { ...pull, head: { ...pull.head, repo: { full_name: "someone/shop" } } };
  const dependabot = { ...pull, user: { login: "dependabot[bot]" } };
  const empty = { "dev.ndjson": "" };

  it.each([
    { of: "a fork", event: fork, says: "GitHub gives pull requests from forks no secrets" },
    { of: "Dependabot", event: dependabot, says: "Settings, Secrets and variables, Dependabot" },
  ])("says why nothing was previewed, and fails unless told to pass: $of", async ({ event, says }) => {
    const job = { event: { pull_request: event } };
    const failed = await ownRun(github, empty, job);
    expect(failed.code).toBe(3);
    expect(failed.markdown).toContain("### ⚠️ Not known: there is no preview\n\nGitHub gives ");
    expect(failed.markdown).toContain(says);
    const passed = await ownRun(github, empty, { ...job, inputs: { "without-secrets": "pass" } });
    expect(passed).toMatchObject({ code: 0, outputs: { code: "0" } });
  });

  it("is judged as any other where it has a preview", async () => {
    const job = {
      event: { pull_request: fork },
      inputs: { "fail-on": "restart", "without-secrets": "pass" },
    };
    expect((await ownRun(github, { "dev.json": previewOf(restarts) }, job)).code).toBe(24);
  });

  it("is not taken for the reason where others have no preview", async () => {
    const { markdown, code } = await ownRun(github, empty, { inputs: { "without-secrets": "pass" } });
    expect(code).toBe(3);
    expect(markdown).toMatch(/^<!-- compute-preview -->\n\n### ⚠️ Not known: there is no preview\n/);
    expect(markdown).toContain(
      "The log of [this run](https://github.example/acme/shop/actions/runs/900) says why.",
    );
    expect(github.repository.comments).toHaveLength(1);
  });
});

onLinux("an event of another form", () => {
  it("is named with the member that is missing", async () => {
    const event = { pull_request: { number: 7 } };
    const { code, log } = await ownRun(github, { "dev.json": previewOf(restarts) }, { event });
    expect(code).toBe(1);
    expect(log).toContain(
      "::error::The event pull_request of this run has another form than GitHub documents: pull_request.head:",
    );
  });
});

onLinux("a pull request that an input names", () => {
  it("gets the comment of a run on another event", async () => {
    const job = { eventName: "push", event: {}, inputs: { "pr-number": "7" } };
    await ownRun(github, { "dev.json": previewOf(restarts) }, job);
    expect(github.repository.comments[0]!.body).toContain("1 compute restarts");
    expect(github.repository.comments[0]!.body).not.toContain("Revision");
  });
});

onLinux("the outputs", () => {
  it("are counts, the worst effect, and the files of the report", async () => {
    const files = { "dev.json": previewOf(restarts, settles), "prod.json": previewOf(moves) };
    const { outputs, markdown, json } = await ownRun(github, files);
    expect(outputs).toMatchObject({ code: "0", stacks: "2", computes: "3", drops: "2", "may-drop": "0" });
    expect(outputs).toMatchObject({ worst: "move", refused: "" });
    expect(github.repository.comments[0]!.body).toBe(`${markdown}<!-- compute-preview-run: 900.1 -->\n`);
    expect((JSON.parse(json) as StacksReport).stacks).toHaveLength(2);
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(actionFile.outputs).sort());
    const empty = Object.keys(outputs).filter((name) => outputs[name] === "");
    expect(empty.sort()).toEqual(["full", "refused"]);
  });

  it("name files of each use's own where a job has two", async () => {
    const job = { env: { RUNNER_TEMP: temporaryFolder() } };
    const use = (): ReturnType<typeof ownRun> => ownRun(github, { "dev.json": previewOf() }, job);
    const [first, second] = [await use(), await use()];
    expect(first.outputs["markdown"]).not.toBe(second.outputs["markdown"]);
  });

  it("are of one stack as well, and of a run that is refused", async () => {
    const job = { inputs: { "fail-on": "restart, drop" } };
    const ran = await ownRun(github, { "dev.json": previewOf(restarts, moves) }, job);
    expect(ran.code).toBe(24);
    expect(ran.outputs).toMatchObject({ code: "24", stacks: "1", worst: "move", refused: "restart,drop" });
    expect((JSON.parse(ran.json) as Report).format).toBe("compute-preview");
    expect(ran.log).toContain(
      "::error::compute-preview: Refused: 2 computes drop their open connections%0A--fail-on restart,drop refuses 1 restart, 2 computes that drop connections.",
    );
    expect(ran.markdown).toContain(
      "### ⛔ Refused: 2 computes drop their open connections\n\n--fail-on restart,drop refuses 1 restart, 2 computes that drop connections.",
    );
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

onLinux("an annotation", () => {
  const placed = step({ ...restarts }) as { newState: object };
  const stackTrace = [{ sourcePosition: "project:///index.ts#12,3" }];
  const files = { "dev.json": digest([{ ...placed, newState: { ...placed.newState, stackTrace } }]) };
  const command = "::warning file=infra/index.ts,line=12::app restarts in dev: open connections drop";

  it("stands at the line of the program, also of a step that is refused, unless an input turns it off", async () => {
    const { code, log } = await ownRun(github, files, { inputs: { folder: "infra" } });
    expect(code).toBe(0);
    expect(log).toContain(command);
    const refused = await ownRun(github, files, { inputs: { folder: "infra", "fail-on": "restart" } });
    expect(refused.log.split("::error::compute-preview ended with 24")[0]).toContain(command);
    const off = await ownRun(github, files, { inputs: { annotations: "false" } });
    expect(off.log).not.toContain("::warning");
  });
});

onLinux("a wrong input", () => {
  it.each([
    [{ "fail-on": "reboot" }, "--fail-on takes delete, replace, move"],
    [{ comment: "sometimes" }, 'comment takes changes, always, never, not "sometimes"'],
    [{ annotations: "yes" }, 'annotations takes true, false, not "yes"'],
    [{ previews: " \n " }, "previews takes files or folders"],
    [{ marker: "a--b" }, "--marker takes"],
    [{ "without-secrets": "ignore" }, 'without-secrets takes fail, pass, not "ignore"'],
    [{ "pr-number": "#7" }, 'pr-number takes a number such as 7, not "#7"'],
  ])("ends with 2, and writes nothing: %j", async (inputs, says) => {
    const { code, log } = await ownRun(github, { "dev.json": previewOf(restarts) }, { inputs });
    expect(code).toBe(2);
    expect(log).toContain(says);
    expect(writesTo(github)).toEqual([]);
  });

  it("is no option of the command either", async () => {
    const { code } = await ownRun(github, {}, { inputs: { previews: "--help" } });
    expect(code).toBe(3);
  });
});

describe("action.yml", () => {
  const { steps } = actionFile.runs;

  it("has one step, as the stand-in of the runner runs it, and puts nothing into its script", () => {
    const run = 'node "$GITHUB_ACTION_PATH/action/bundle.js" report';
    expect(steps).toMatchObject([{ id: "report", shell: "bash", run }]);
  });

  it("hands each input on", () => {
    const used = JSON.stringify(steps);
    expect(Object.keys(actionFile.inputs).filter((name) => !used.includes(`inputs.${name} }}`))).toEqual([]);
  });
});
