import { writeFileSync } from "node:fs";
import path from "node:path";
import { fixedSize } from "../../provider/pure/sizes";
import { createStack, variants, type CommandResult, type TestStack } from "../support/stack";

const pack = path.join(__dirname, "..", "..", "examples", "maintenance-window");
const everyDay = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

describe.each(variants)("the maintenance-window policy pack, with the %s variant", (variant) => {
  let stack: TestStack;

  beforeAll(async () => {
    stack = await createStack({ variant });
    declare(1, 300);
    await stack.ok(["up", "--yes", "--skip-preview"]);
  });
  afterAll(() => stack.close());

  function declare(cu: number, suspendTimeoutSeconds: number, restarts = false): void {
    const args = {
      projectId: stack.projectId,
      branchId: stack.defaultBranchId,
      type: "read_only",
      ...fixedSize(cu),
      suspendTimeoutSeconds,
    };
    const { projectId } = stack;
    const ofApp = { projectId, endpointId: { $of: "app.endpointId" }, triggers: { release: 1 } };
    stack.declare({ app: { args }, ...(restarts && { weekly: { restarts, args: ofApp } }) });
  }

  function preview(
    window: Record<string, unknown>,
    environment?: NodeJS.ProcessEnv,
    ...words: readonly string[]
  ): Promise<CommandResult> {
    const file = path.join(stack.folder, "window.json");
    writeFileSync(file, JSON.stringify({ "interruption-window": window }));
    return stack.pulumi(
      ["preview", "--policy-pack", pack, "--policy-pack-config", file, ...words],
      environment,
    );
  }

  const refused = {
    reason: "refuses an interruption outside the window",
    cu: 2,
    window: { days: [] },
    fails: true,
  };
  const passing = [
    {
      reason: "lets an interruption pass inside the window",
      cu: 2,
      window: { days: everyDay, fromHourUtc: 0, toHourUtc: 24 },
      fails: false,
    },
    {
      reason: "lets a change that interrupts nothing pass at any time",
      cu: 1,
      window: { days: [] },
      fails: false,
    },
  ];
  // The pack is the same: it has to know the type of each variant, and its notice.
  it.each(variant === "native" ? [refused] : [refused, ...passing])(
    "$reason",
    async ({ cu, window, fails }) => {
      declare(cu, 600);
      const { code, output } = await preview(window);
      expect({ output, fails: code !== 0 }).toEqual({ output, fails });
      if (fails)
        expect(output).toMatch(/interruption-window.*restart: size 1 → 2 CU.*The maintenance window is/s);
    },
  );

  it("refuses a restart that the program asks for outside the window", async () => {
    declare(1, 300, true);
    const { code, output } = await preview({ days: [] });
    expect({ output, fails: code !== 0 }).toEqual({ output, fails: true });
    expect(output).toMatch(/interruption-window.*restart: triggers \(release\).*The maintenance window is/s);
  });
});
