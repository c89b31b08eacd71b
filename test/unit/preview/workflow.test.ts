import { actionFile, parseYaml } from "../action/runner";
import { expectPinned, onLinux, runStep, scriptOf, workflowOf, type StepResult } from "./workflows";

const preview = workflowOf("pull-request");
const report = workflowOf("pull-request", "report.yml");
const update = workflowOf("pull-request", "update.yml");

interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Record<string, string>;
  }[];
}

interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, { readonly workflows?: readonly string[] } | null>>;
  readonly permissions: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const parsed = (name: string): Workflow => parseYaml(`examples/pull-request/${name}`) as Workflow;
const [previewing, reporting] = [parsed("workflow.yml"), parsed("report.yml")];

describe("what the workflows may do", () => {
  it.each(["workflow.yml", "report.yml", "update.yml"])("is done with pinned actions: %s", (file) => {
    expectPinned(workflowOf("pull-request", file));
  });

  it("is to read, for the one that runs the code of the pull request", () => {
    expect(Object.keys(previewing.on)).toEqual(["pull_request"]);
    expect(previewing.permissions).toEqual({});
    const permissions = Object.values(previewing.jobs).map((job) => job.permissions);
    expect(permissions).toEqual([{ contents: "read" }]);
    expect(preview).toContain("persist-credentials: false");
  });

  it("is to decide, for the one of the base, which has no key and runs nothing of the pull request", () => {
    expect(Object.keys(reporting.on).sort()).toEqual(["merge_group", "pull_request_target", "workflow_run"]);
    expect(reporting.on["workflow_run"]?.workflows).toEqual([previewing.name]);
    expect(reporting.permissions).toEqual({});
    expect(report).not.toMatch(/checkout|secrets\.|npm|npx|contents:/);
    const steps = Object.values(reporting.jobs).flatMap((job) => job.steps);
    const others = steps.filter(
      ({ run, uses = "" }) => run !== undefined || !uses.includes("/pulumi-compute-endpoint@"),
    );
    expect(others).toEqual([]);
    // Nothing that the pull request decides: which label it is, GitHub says.
    expect(preview).not.toMatch(/fail-on|allow-/i);
  });

  it("is to write for the job that has no key, after an update", () => {
    const [before = "", receipt = ""] = update.split("\n  receipt:\n");
    expect(before).not.toMatch(/: write/);
    expect(before).toContain("secrets.COMPUTE_API_KEY");
    expect(receipt).not.toMatch(/checkout|secrets\.|npm|npx/);
    const { permissions, steps } = parsed("update.yml").jobs["receipt"]!;
    expect(permissions).toEqual({ actions: "read", contents: "read", "pull-requests": "write" });
    const inputs = steps.at(-1)!.with!;
    expect(Object.keys(actionFile.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
    expect(inputs).toEqual({ applied: "updates", workflow: "compute-preview.yml" });
  });

  it("is what the action takes", () => {
    for (const { with: inputs = {} } of Object.values(reporting.jobs).flatMap((job) => job.steps)) {
      expect(Object.keys(actionFile.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
      expect(inputs["workflow"]).toBe("compute-preview.yml");
    }
  });
});

onLinux("the preview of a stack", () => {
  const run = (pulumi: string): StepResult =>
    runStep({
      script: `${scriptOf(preview, "Preview")}\necho "file=$(echo previews/acme*) $(cat previews/*)" >> "$GITHUB_OUTPUT"`,
      programs: { pulumi, jq: "echo said" },
      env: { STACK: "acme/shop/dev", GITHUB_EVENT_PATH: "event.json" },
    });

  it("is a file that is called as the stack", () => {
    const { status, calls, outputs } = run("echo '{}'; echo events > \"$4\"");
    expect(status).toBe(0);
    expect(calls).toContain(
      "pulumi preview --json --event-log previews/acme.shop.dev.ndjson --non-interactive --stack acme/shop/dev",
    );
    expect(outputs).toBe(
      "file=previews/acme.shop.dev.lines.json previews/acme.shop.dev.ndjson {}\nevents\nsaid\n",
    );
  });

  it("that fails leaves what it said, and the others go on", () => {
    expect(run("echo '{\"steps\":[]}'; exit 1")).toMatchObject({
      status: 0,
      outputs: 'file=previews/acme.shop.dev.lines.json previews/acme.shop.dev.ndjson {"steps":[]}\nsaid\n',
    });
  });

  it("takes nothing into its script but by the environment", () => {
    expect(scriptOf(preview, "Preview")).not.toContain("${{");
  });

  it("is followed by remarks at lines, which decide nothing", () => {
    const [, annotate] = /- name: Annotate\n[^]*?run: (.*)\n/.exec(preview)!;
    const step = { script: annotate!, programs: { npx: "exit 24" }, env: { FOLDER: "infra" } };
    const { status, calls } = runStep(step);
    expect(status).toBe(0);
    expect(calls).toBe("npx --no-install compute-preview previews --annotations github --folder infra\n");
  });
});

onLinux("the update of a stack", () => {
  it.each([0, 255])("leaves its events, and ends with %d as pulumi does", (code) => {
    const { status, calls, outputs } = runStep({
      script: `trap 'ls updates > "$GITHUB_OUTPUT"' EXIT\n${scriptOf(update, "Update")}`,
      programs: { pulumi: `echo '{}' > "$5"; exit ${code}` },
      env: { STACK: "acme/shop/dev" },
    });
    expect({ status, outputs }).toEqual({ status: code, outputs: "acme.shop.dev.ndjson\n" });
    expect(calls).toContain("--event-log updates/acme.shop.dev.ndjson --stack acme/shop/dev");
  });
});
