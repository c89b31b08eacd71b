import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fixedSize } from "../../provider/sizes";
import { createStack, variants, type Declared, type TestStack } from "../support/stack";

describe.each(variants)("what an up says about its interruptions, with the %s variant", (variant) => {
  let stack: TestStack;
  const declare = (sizes: Readonly<Record<string, number>>): void => {
    const { projectId, defaultBranchId: branchId } = stack;
    const args = { projectId, branchId, type: "read_only", suspendTimeoutSeconds: 300 };
    const entries = Object.entries(sizes).map(([name, cu]) => [
      name,
      { args: { ...args, ...fixedSize(cu) } },
    ]);
    stack.declare(Object.fromEntries(entries) as Declared);
  };
  beforeAll(async () => {
    stack = await createStack({ variant });
    declare({ orders: 0.25, billing: 1 });
    await stack.ok(["up", "--yes", "--skip-preview"]);
  });
  afterAll(() => stack.close());

  it("is in its JSON, agrees with the preview of the same command, and shows no later change", async () => {
    declare({ orders: 1, billing: 1 });
    const { stdout } = await stack.ok(["up", "--yes", "--json"]);
    const file = path.join(stack.folder, "up.json");
    writeFileSync(file, stdout);
    const command = path.join(__dirname, "..", "..", "dist", "preview", "main.js");
    const report = spawnSync(process.execPath, [command, "--applied", file], { encoding: "utf8" });
    expect(report.stderr).toBe("");
    expect(report.status).toBe(0);
    expect(report.stdout).toMatch(
      /\| `orders` \| restarts \| Restarted \(apply_config [\d.]+ s, start_compute [\d.]+ s\): not active for at most [\d.]+ s \| 🟠 as announced \|/,
    );
    expect(report.stdout).toContain("Compared with the preview of the same run.");
    expect((await stack.stateOf("orders"))?.outputs["__receipt"]).toMatchObject({ happened: "restarted" });
    const refresh = await stack.ok(["refresh", "--yes", "--expect-no-changes"]);
    expect(refresh.output).not.toContain("__receipt");
    await stack.ok(["preview", "--expect-no-changes"]);
  });
});
