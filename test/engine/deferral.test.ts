import { writeFileSync } from "node:fs";
import path from "node:path";
import { fixedSize } from "../../provider/sizes";
import { spawnSync } from "node:child_process";
import { createStack, variants, type TestStack } from "../support/stack";

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
/** A day that is neither today nor tomorrow, wherever this runs. */
const closed = `${days[(new Date().getUTCDay() + 3) % 7] ?? ""} 02:00-04:00 Europe/Berlin`;

describe.each(variants)("a change that waits for its window, with the %s variant", (variant) => {
  let stack: TestStack;
  const declare = (cu: number, suspendTimeoutSeconds: number): void => {
    const { projectId, defaultBranchId: branchId } = stack;
    const args = { projectId, branchId, type: "read_only", ...fixedSize(cu), suspendTimeoutSeconds };
    stack.declare({ app: { args } });
  };
  const env = (window: string): NodeJS.ProcessEnv => ({
    COMPUTE_ON_INTERRUPTION: "defer",
    COMPUTE_INTERRUPTION_WINDOW: window,
  });
  beforeAll(async () => {
    stack = await createStack({ variant });
    declare(0.25, 300);
    await stack.ok(["up", "--yes", "--skip-preview"]);
  });
  afterAll(() => stack.close());

  it("is told in the preview and in the comment, held in an update without one, and applied in the window", async () => {
    declare(1, 600);
    const row =
      /app update.*\n?|warning: deferred until \w{3} \d+ \w{3} 02:00 \(Europe\/Berlin\): restart: size 0.25 → 1 CU/;
    const preview = await stack.ok(["preview", "--diff"], env(closed));
    expect(preview.output).toMatch(row);
    expect(preview.output).toMatch(/deferred *: "until /);
    const { stdout } = await stack.ok(["preview", "--json"], env(closed));
    const file = path.join(stack.folder, "preview.json");
    writeFileSync(file, stdout);
    const command = path.join(__dirname, "..", "..", "dist", "preview", "main.js");
    const report = spawnSync(process.execPath, [command, file, "--fail-on", "restart"], { encoding: "utf8" });
    expect(report.status).toBe(0);
    expect(report.stdout).toContain(
      "**No compute drops its open connections.** 1 compute waits for its window.",
    );
    expect(report.stdout).toContain("Restart deferred (`until ");

    const held = await stack.ok(["up", "--yes", "--skip-preview"], env(closed));
    expect(held.output).toMatch(/warning: deferred until /);
    expect((await stack.stateOf("app"))?.outputs).toMatchObject({
      autoscalingLimitMaxCu: 0.25,
      suspendTimeoutSeconds: 600,
    });

    const applied = await stack.ok(["up", "--yes", "--skip-preview"], env("daily 00:00-24:00"));
    expect(applied.output).not.toContain("deferred");
    expect((await stack.stateOf("app"))?.outputs).toMatchObject({ autoscalingLimitMaxCu: 1 });
    const after = await stack.ok(["preview", "--expect-no-changes"], env(closed));
    expect(after.output).toContain("2 unchanged");
  });

  it("tells a window that cannot be read before anything is planned", async () => {
    const { code, output } = await stack.pulumi(["preview"], env("weekends at night"));
    expect(code).not.toBe(0);
    expect(output).toContain(
      'reading the environment\'s COMPUTE_INTERRUPTION_WINDOW: "weekends at night" is no window. Write days, times and a time zone',
    );
  });
});
