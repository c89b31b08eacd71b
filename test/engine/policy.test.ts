import { writeFileSync } from "node:fs";
import path from "node:path";
import { fixedSize } from "../../provider/model/sizes";
import { useStack, variants } from "../support/stack";

const pack = path.join(__dirname, "..", "..", "examples", "maintenance-window");
const everyDay = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const shut = { days: [] };
const size: Record<string, unknown> = { ...fixedSize(2) };

describe.each(variants)("the maintenance-window policy pack, with the %s variant", (variant) => {
  const stack = useStack({ variant }, () => {
    declare({});
    return stack.up();
  });
  function declare(more: Record<string, unknown>): void {
    const { projectId, defaultBranchId: branchId } = stack;
    const args = { projectId, branchId, type: "read_only", ...fixedSize(1), ...more };
    stack.declare({ app: { args } });
  }
  const under = (window: Record<string, unknown>): readonly string[] => {
    const file = path.join(stack.folder, "window.json");
    writeFileSync(file, JSON.stringify({ "interruption-window": window }));
    return ["preview", "--policy-pack", pack, "--policy-pack-config", file];
  };

  it.each([
    { reason: "a new size", more: size, notice: "restart: size 1 → 2 CU" },
    {
      reason: "a restart",
      more: { restartTriggers: { release: 1 } },
      notice: "restart: restartTriggers (release)",
    },
  ])("refuses $reason outside the window", async ({ more, notice }) => {
    declare(more);
    const [, said] = (await stack.fails(under(shut))).split("interruption-window");
    expect(said).toContain(notice);
    expect(said).toContain("The maintenance window is");
  });

  // The pack is the same: it has to know the type of each variant, and its notice.
  if (variant === "native") return;
  it.each([
    {
      reason: "an interruption inside the window",
      more: size,
      window: { days: everyDay, fromHourUtc: 0, toHourUtc: 24 },
    },
    {
      reason: "a change that interrupts nothing at any time",
      more: { suspendTimeoutSeconds: 600 },
      window: shut,
    },
  ])("lets $reason pass", async ({ more, window }) => {
    declare(more);
    await stack.ok(under(window));
  });
});
