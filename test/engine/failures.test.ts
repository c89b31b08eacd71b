import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { fixedSize } from "../../provider/pure/sizes";
import { createStack, pluginLines, variants, run, type TestStack } from "../support/stack";
import { itUnlessWindows } from "../support/systems";

describe.each(variants)("what goes wrong with the %s variant", (variant) => {
  let stack: TestStack;
  let branchId: string;

  const declare = (): void => {
    stack.declare({ app: { args: { projectId: stack.projectId, branchId, ...fixedSize(0.25) } } });
  };
  const computes = (): string[] =>
    stack.emulator
      .endpoints(stack.projectId)
      .filter(({ endpoint }) => endpoint.branch_id === branchId)
      .map(({ endpoint }) => endpoint.id);

  beforeAll(async () => {
    stack = await createStack({ variant });
  });
  afterAll(() => stack.close());
  beforeEach(() => {
    branchId = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    declare();
  });
  afterEach(async () => {
    await stack.ok(["destroy", "--yes", "--skip-preview"]);
    expect(computes()).toEqual([]);
  });

  const cannotPress = "no process can press Ctrl-C for another there";
  itUnlessWindows(cannotPress, "lets a create end and be recorded after one Ctrl-C", async () => {
    stack.emulator.setTimeline({ action: "start_compute", runningMs: 3_000, times: 1 });
    let pid = 0;
    const interrupted = run("pulumi", ["up", "--yes", "--skip-preview", "--color", "never"], {
      cwd: stack.folder,
      env: stack.environment,
      detached: true,
      onStart: (started) => (pid = started),
    });
    while (computes().length === 0) await setTimeout(20);
    // A terminal interrupts the whole group.
    process.kill(-pid, "SIGINT");
    const { code, output } = await interrupted;
    expect(code).not.toBe(0);
    expect(output).toMatch(/cancel/i);
    const [id] = computes();
    expect((await stack.stateOf("app"))?.id).toBe(id);
    stack.emulator.clearRequests();
    await stack.ok(["up", "--yes", "--skip-preview"]);
    expect(stack.emulator.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    expect(computes()).toEqual([id]);
  });

  if (variant === "dynamic")
    it("says in one sentence that the package is missing, and what to run", async () => {
      await stack.ok(["up", "--yes", "--skip-preview"]);
      // Without the plugin's lines, as whoever uses the dynamic provider alone has it: they name a folder of the package.
      const project = path.join(stack.folder, "Pulumi.yaml");
      const withPlugin = readFileSync(project, "utf8");
      writeFileSync(project, withPlugin.replace(pluginLines, ""));
      const link = path.join(stack.folder, "node_modules", "pulumi-compute-endpoint");
      const away = path.join(stack.folder, "away");
      renameSync(link, away);
      const { code, output } = await stack.pulumi(["destroy", "--yes", "--skip-preview"]);
      renameSync(away, link);
      writeFileSync(project, withPlugin);
      expect(code).not.toBe(0);
      expect(output).toContain("pulumi-compute-endpoint is missing: run npm install pulumi-compute-endpoint");
      expect(output).not.toMatch(/Cannot find module|\n\s+at /);
      expect(computes()).toEqual([(await stack.stateOf("app"))?.id]);
    });
});
