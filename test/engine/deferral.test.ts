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

describe.each(variants)("a change that waits until its compute is idle, with the %s variant", (variant) => {
  let stack: TestStack;
  let id: string;
  const env = { COMPUTE_ON_INTERRUPTION: "when-idle" };
  const declare = (cu: number, suspendTimeoutSeconds: number): void => {
    const { projectId, defaultBranchId: branchId } = stack;
    const args = { projectId, branchId, type: "read_only", ...fixedSize(cu), suspendTimeoutSeconds };
    stack.declare({ app: { args } });
  };
  /** Longer than an operation takes. */
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 200));
  const connect = async (): Promise<void> => {
    stack.emulator.connect(id);
    await settled();
    expect(stack.emulator.endpoint(id).endpoint.current_state).toBe("active");
  };
  const suspend = async (): Promise<void> => {
    stack.emulator.suspendEndpoint(id);
    await settled();
    expect(stack.emulator.endpoint(id).endpoint.current_state).toBe("idle");
  };
  const reported = (preview: string): string => {
    const file = path.join(stack.folder, "preview.json");
    writeFileSync(file, preview);
    const command = path.join(__dirname, "..", "..", "dist", "preview", "main.js");
    const report = spawnSync(process.execPath, [command, file, "--fail-on", "drop"], { encoding: "utf8" });
    expect(report.status).toBe(0);
    return report.stdout;
  };
  beforeAll(async () => {
    stack = await createStack({ variant });
    declare(0.25, 300);
    await stack.ok(["up", "--yes", "--skip-preview"]);
    id = (await stack.stateOf("app"))?.id ?? "";
  });
  afterAll(() => stack.close());

  it("leaves an active compute, and changes it by the up that finds it idle", async () => {
    declare(1, 600);
    await connect();
    const waiting = reported((await stack.ok(["preview", "--json"], env)).stdout);
    expect(waiting).toContain("1 compute waits until it is idle.");
    expect(waiting).toContain("Restart deferred (`until it is idle`)");

    const left = await stack.ok(["up", "--yes", "--skip-preview"], env);
    expect(left.output).toMatch(
      /warning: deferred until it is idle: restart: size 0.25 → 1 CU drops open connections \(active now.*; the first update that finds it idle applies it/,
    );
    expect((await stack.stateOf("app"))?.outputs).toMatchObject({
      autoscalingLimitMaxCu: 0.25,
      suspendTimeoutSeconds: 600,
    });
    expect(stack.emulator.endpoint(id).endpoint.current_state).toBe("active");

    // The last preview saw an active compute; what counts is what it does in the update.
    const preview = await stack.ok(["preview"], env);
    expect(preview.output).toContain("deferred until it is idle");
    await suspend();
    const { stdout } = await stack.ok(["preview", "--json"], env);
    expect(reported(stdout)).toContain("None were open: it was idle when previewed");
    const applied = await stack.ok(["up", "--yes", "--skip-preview"], env);
    expect(applied.output).toMatch(
      /warning: restart: .*idle now.*left for a later update unless it is idle then/,
    );
    expect(applied.output).toMatch(/nothing was interrupted \(.*\): the compute ran nothing directly before/);
    expect((await stack.stateOf("app"))?.outputs).toMatchObject({ autoscalingLimitMaxCu: 1 });
    expect(stack.emulator.endpoint(id).endpoint.autoscaling_limit_max_cu).toBe(1);

    await stack.ok(["refresh", "--yes", "--expect-no-changes"], env);
    const again = await stack.ok(["up", "--yes", "--expect-no-changes"], env);
    expect(again.output).not.toMatch(/warning|info:|deferred/);
  });
});
