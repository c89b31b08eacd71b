import { spawnSync } from "node:child_process";
import path from "node:path";
import { fixedSize } from "../../provider/sizes";
import { createStack, variants, type TestStack } from "../support/stack";

const command = path.join(__dirname, "../../dist/preview/main.js");
const neon = { COMPUTE_SIZE_TABLE: "neon" };

describe.each(variants)("the size table with the %s variant", (variant) => {
  let stack: TestStack;
  const declare = (cu: number, more: Record<string, unknown> = {}): void => {
    const place = { projectId: stack.projectId, branchId: stack.defaultBranchId, type: "read_only" };
    stack.declare({ app: { args: { ...place, ...fixedSize(cu) } }, ...more });
  };

  beforeAll(async () => {
    stack = await createStack({ variant });
    declare(0.25);
    await stack.ok(["up", "--yes", "--skip-preview"]);
  });
  afterAll(() => stack.close());

  it("that is configured has its figures in the notice, and in the report made of the preview", async () => {
    const place = { projectId: stack.projectId, branchId: stack.defaultBranchId, type: "read_only" };
    declare(1, { other: { args: { ...place, ...fixedSize(2) } } });
    const { stdout } = await stack.ok(["preview", "--json"], neon);
    // This process knows nothing of the table but what the preview carries.
    const report = spawnSync(process.execPath, [command], { input: stdout, encoding: "utf8" }).stdout;
    expect(report).toContain("max_connections 104 → 419; RAM 1 → 4 GB; file cache 0.75 → 3 GB |");
    expect(report).toContain("max_connections 839; RAM 8 GB; file cache 6 GB |");
    expect(report).toMatch(
      /The provider: `restart: .*; max_connections 104 to 419, RAM 1 to 4 GB, file cache 0.75/,
    );
  });

  it("and figures that are turned off are told nowhere", async () => {
    declare(1);
    const { stdout } = await stack.ok(["preview", "--json"], { ...neon, COMPUTE_FIGURES: "false" });
    const report = spawnSync(process.execPath, [command], { input: stdout, encoding: "utf8" }).stdout;
    expect(report).toContain("Open connections drop |");
    expect(`${stdout}${report}`).not.toContain("max_connections");
  });

  it("that cannot be read fails the preview with its row and the fix", async () => {
    const { code, output } = await stack.pulumi(["preview"], {
      COMPUTE_SIZE_TABLE: '[{"cu":1,"ramGb":"4"}]',
    });
    expect(code).not.toBe(0);
    expect(output).toContain(
      'reading the environment\'s COMPUTE_SIZE_TABLE: row 1 (1 CU) has ramGb "4". Write a number of GB above 0, or leave it out where you do not know it.',
    );
  });

  it("holds no saved plan up, and is no change when it is another", async () => {
    declare(0.5);
    const environment = { ...neon, ...(variant === "dynamic" ? { COMPUTE_UPDATE_PLANS: "true" } : {}) };
    const plan = path.join(stack.folder, "plan.json");
    await stack.ok(["preview", "--save-plan", plan], environment);
    await stack.ok(["up", "--yes", "--skip-preview", "--plan", plan], environment);
    await stack.ok(["preview", "--expect-no-changes"], neon);
    await stack.ok(["refresh", "--yes", "--expect-no-changes"], neon);
    await stack.ok(["preview", "--expect-no-changes"]);
  });
});
