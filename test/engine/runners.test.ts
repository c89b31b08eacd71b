import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { runningNow } from "../reliability/crash/processes";
import { createStack, pluginLines, run, type CommandResult, type TestStack } from "../support/stack";
import { describeUnlessWindows } from "../support/systems";

const up = ["up", "--yes", "--skip-preview"] as const;
const destroy = ["destroy", "--yes", "--skip-preview"] as const;

describeUnlessWindows("ps tells which processes to kill", "one stack on many machines", () => {
  let stack: TestStack;
  let branchId: string;
  let folders = 0;

  const replica = (more: Record<string, unknown> = {}): { args: Record<string, unknown> } => ({
    args: { projectId: stack.projectId, branchId, type: "read_only", ...more },
  });
  const computes = (): string[] =>
    stack.emulator
      .endpoints(stack.projectId)
      .filter(({ endpoint }) => endpoint.branch_id === branchId)
      .map(({ endpoint }) => endpoint.id);
  const idOf = async (name: string): Promise<string> => (await stack.stateOf(name))?.id ?? "";
  /** A runner that starts empty: nothing of earlier runs is on its disk. */
  const emptyRunner = (): NodeJS.ProcessEnv => ({
    COMPUTE_JOURNAL_FOLDER: path.join(stack.folder, `journal-${(folders += 1)}`),
  });
  /** The same stack, checked out to another folder. */
  const elsewhere = (words: readonly string[]): Promise<CommandResult> => {
    const cwd = path.join(stack.folder, "..", `${path.basename(stack.folder)}-builds-1`);
    rmSync(cwd, { recursive: true, force: true });
    mkdirSync(cwd);
    for (const name of ["index.js", "package.json", "Pulumi.yaml", "resources.json", "node_modules"])
      cpSync(path.join(stack.folder, name), path.join(cwd, name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    const env = stack.environment;
    return run("pulumi", [...words, "--stack", "test", "--color", "never", "--non-interactive"], {
      cwd,
      env,
    }).finally(() => {
      rmSync(cwd, { recursive: true, force: true });
    });
  };

  /** kill -9 of `pulumi up` while the answer to a create is on its way. @returns the compute that it made. */
  async function killInCreate(): Promise<string> {
    const before = computes();
    stack.emulator.addFault({ kind: "delay", delayMs: 1_500, when: "after", route: "createEndpoint" });
    let ended: CommandResult | undefined;
    const killed = stack.pulumi(up).then((result) => (ended = result));
    while (computes().length === before.length) {
      if (ended !== undefined) throw new Error(`nothing was created:\n${ended.output}`);
      await setTimeout(10);
    }
    const { cli, provider } = await runningNow();
    process.kill(provider, "SIGKILL");
    process.kill(cli, "SIGKILL");
    await killed;
    stack.emulator.clearFaults();
    await stack.ok(["cancel", "--yes"]);
    return computes().find((id) => !before.includes(id)) ?? "";
  }

  beforeAll(async () => {
    stack = await createStack();
  });
  afterAll(() => stack.close());
  beforeEach(() => {
    branchId = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
  });
  afterEach(async () => {
    stack.declare({});
    await stack.ok(destroy);
    expect(computes()).toEqual([]);
  });

  it("creates another replica where the journal is lost, and adopts the one of the killed run where the user says so", async () => {
    stack.declare({ reader: replica() });
    const left = await killInCreate();
    await stack.ok(up, emptyRunner());
    const second = await idOf("reader");
    expect(computes()).toEqual([left, second]);
    stack.declare({ reader: replica(), other: replica({ adopt: left }) });
    await stack.ok(up, emptyRunner());
    await expect(idOf("other")).resolves.toBe(left);
    expect(computes()).toEqual([left, second]);
    // What was adopted stays when its resource goes.
    stack.declare({});
    await stack.ok(destroy);
    expect(computes()).toEqual([left]);
    stack.emulator.deleteEndpoint(left);
  });

  it("names from another checkout of the stack what a killed run may have created", async () => {
    stack.declare({ reader: replica() });
    const left = await killInCreate();
    const { code, output } = await elsewhere(up);
    expect(output).toContain(`got no answer, and ${left} is on the branch since`);
    expect(code).not.toBe(0);
    expect(computes()).toEqual([left]);
    stack.declare({ reader: replica({ adopt: left }) });
    expect(await elsewhere(up)).toMatchObject({ code: 0 });
    stack.declare({ reader: replica() });
    await stack.ok(up);
  });

  it("names at a destroy what a killed run may have created", async () => {
    stack.declare({ reader: replica() });
    await stack.ok(up);
    stack.declare({ reader: replica(), other: replica() });
    const left = await killInCreate();
    const { output } = await stack.ok(destroy);
    expect(output).toContain(
      `A create of resource "other" got no answer, and ${left} is on its branch since`,
    );
    expect(computes()).toEqual([left]);
    stack.emulator.deleteEndpoint(left);
  });

  it("says in one sentence that the package is missing, and what to run", async () => {
    stack.declare({ reader: replica() });
    await stack.ok(up);
    // Without the plugin's lines, as whoever uses the dynamic provider alone has it: they name a folder of the package.
    const project = path.join(stack.folder, "Pulumi.yaml");
    writeFileSync(project, readFileSync(project, "utf8").replace(pluginLines, ""));
    const link = path.join(stack.folder, "node_modules", "pulumi-compute-endpoint");
    const away = path.join(stack.folder, "away");
    renameSync(link, away);
    const { code, output } = await stack.pulumi(destroy);
    renameSync(away, link);
    expect(code).not.toBe(0);
    expect(output).toContain("pulumi-compute-endpoint is missing: run npm install pulumi-compute-endpoint");
    expect(output).not.toMatch(/Cannot find module|\n\s+at /);
    expect(computes()).toEqual([await idOf("reader")]);
  });
});
