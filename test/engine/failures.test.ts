import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fixedSize } from "../../provider/model/sizes";
import { pluginLines, up, useStack, variants } from "../support/stack";
import { itUnlessWindows } from "../support/systems";

describe.each(variants)("what goes wrong with the %s variant", (variant) => {
  let branchId: string;
  const stack = useStack({ variant });
  const computes = (): readonly string[] => stack.computes(branchId);

  beforeEach(() => {
    branchId = stack.emptyBranch();
    stack.declare({ app: { args: { projectId: stack.projectId, branchId, ...fixedSize(0.25) } } });
  });
  const cannotPress = "no process can press Ctrl-C for another there";
  itUnlessWindows(cannotPress, "lets a create end and be recorded after one Ctrl-C", async () => {
    stack.emulator.setTimeline({ action: "start_compute", runningMs: 3_000, times: 1 });
    const { code, output } = await stack.interrupted(up, () => computes().length > 0);
    expect(code).not.toBe(0);
    expect(output).toMatch(/cancel/i);
    const [id] = computes();
    expect((await stack.stateOf("app"))?.id).toBe(id);
    stack.emulator.clearRequests();
    await stack.up();
    expect(stack.writes()).toEqual([]);
    expect(computes()).toEqual([id]);
    await stack.destroy();
    expect(computes()).toEqual([]);
  });

  if (variant === "native") return;

  it("refuses a misspelt argument in the preview, before any request", async () => {
    stack.declare({ app: { args: { projectId: stack.projectId, branchId, poolerenabled: true } } });
    stack.emulator.clearRequests();
    const output = await stack.fails(["preview"]);
    expect(output).toMatch(/poolerenabled is not an argument of Endpoint\. Write poolerEnabled/);
    expect(output).not.toMatch(/\n\s+at .+:\d+:\d+/);
    expect(stack.emulator.requests()).toEqual([]);
  });

  it("says in one sentence that the package is missing, and what to run", async () => {
    await stack.up();
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
