/**
 * Restarts as users see them: real `pulumi` commands with an Endpoint and an EndpointRestart of it.
 */
import { reportOf } from "../../preview/judge/report";
import { readPreview } from "../../preview/read/preview";
import { fixedSize } from "../../provider/pure/sizes";
import { until } from "../reliability/crash/killing";
import { isAlive, runningNow } from "../reliability/crash/processes";
import { filesBelow, leaksInFiles, leaksInText } from "../support/leaks";
import { createStack, variants, type TestStack } from "../support/stack";
import { isWindows } from "../support/systems";

const up = ["up", "--yes", "--skip-preview"];

/** Long enough to be no part of anything else. */
const token = "hunter2-tok-4712";

interface Preview {
  readonly steps: readonly {
    readonly op: string;
    readonly urn: string;
    readonly newState?: { readonly inputs?: Record<string, unknown> };
  }[];
  readonly diagnostics?: readonly {
    readonly urn?: string;
    readonly severity: string;
    readonly message: string;
  }[];
}

describe.each(variants)("a life with restarts, with the %s variant", (variant) => {
  let stack: TestStack;
  let printed = "";

  beforeAll(async () => {
    stack = await createStack({ variant });
  });
  afterAll(() => stack.close());

  function declare(triggers: Record<string, unknown>, cu = 0.25, more: Record<string, unknown> = {}): void {
    const { projectId, defaultBranchId: branchId } = stack;
    const endpointId = { $of: "app.endpointId" };
    stack.declare({
      app: { args: { projectId, branchId, type: "read_only", ...fixedSize(cu) } },
      weekly: { restarts: true, args: { projectId, endpointId, triggers, ...more } },
    });
  }
  const pulumi: TestStack["pulumi"] = async (words, environment) => {
    const result = await stack.pulumi(words, environment);
    printed += result.output;
    return result;
  };
  const ok: TestStack["ok"] = async (words, environment) => {
    const result = await pulumi(words, environment);
    expect(`${String(result.code)} ${result.output}`).toMatch(/^0 /);
    return result;
  };
  const idOf = async (): Promise<string> => (await stack.stateOf("app"))?.id ?? "";
  /** How many restarts were sent since the last call. */
  const takeSent = (): number => {
    const sent = stack.emulator.requests().filter(({ route }) => route === "restartEndpoint").length;
    stack.emulator.clearRequests();
    return sent;
  };

  it("does not restart the compute in the run that creates it, and says so before and after", async () => {
    declare({ release: 1, token: { $secret: token } });
    const preview = await ok(["preview"]);
    expect(preview.output).toContain("Not restarted: its compute is created in this run.");
    const { output } = await ok(up);
    expect(output).toContain("Not restarted: its compute is created in this run.");
    expect(takeSent()).toBe(0);
    expect(await stack.stateOf("weekly")).toMatchObject({ id: "restart-weekly" });
    await ok([...up, "--expect-no-changes"]);
  });

  it("is a restart of its compute in the report", async () => {
    declare({ release: 2, token: { $secret: token } });
    const { stdout } = await ok(["preview", "--json"]);
    const { computes, verdict } = reportOf(readPreview(Buffer.from(stdout)), ["restart"]);
    expect(computes).toMatchObject([
      { name: "weekly", outcome: "restart", drops: "yes", now: "active", endpointId: await idOf() },
    ]);
    expect(verdict.word).toBe("refused");
  });

  it("names what it interrupts on its own row, and in JSON", async () => {
    declare({ release: 2, token: { $secret: token } });
    const { stdout } = await ok(["preview", "--json"]);
    const { steps, diagnostics = [] } = JSON.parse(stdout) as Preview;
    const step = steps.find(({ op, urn }) => op === "update" && urn.endsWith("::weekly"));
    expect(step).toMatchObject({
      newState: { inputs: { interruption: "restart: triggers (release) drops open connections" } },
    });
    const warned = diagnostics.filter(({ severity }) => severity === "warning");
    expect(warned).toEqual([
      expect.objectContaining({
        urn: step?.urn,
        message: expect.stringMatching(
          /restart: triggers \(release\) drops open connections \(active now/,
        ) as string,
      }),
    ]);
  });

  it.each(["forbid", "forbid-when-active"])(
    "is refused by the preview and by the update with %s",
    async (policy) => {
      for (const words of [["preview"], up]) {
        const { code, output } = await pulumi(words, { COMPUTE_ON_INTERRUPTION: policy });
        expect(code).not.toBe(0);
        expect(output).toContain('set onInterruption: "warn" on this resource');
      }
      expect(takeSent()).toBe(0);
    },
  );

  it("waits with defer, and says so in each run", async () => {
    for (const words of [["preview"], up, up]) {
      const { output } = await ok(words, { COMPUTE_ON_INTERRUPTION: "defer" });
      expect(output).toContain(
        "deferred until it is idle: restart: triggers (release) drops open connections",
      );
    }
    expect(takeSent()).toBe(0);
    // What waits is not in the state, so that the next diff finds it again.
    expect((await stack.stateOf("weekly"))?.outputs["triggers"]).not.toHaveProperty("release");
  });

  it("is sent again after its operation failed, and says what happened", async () => {
    stack.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const failed = await pulumi(up);
    expect(failed.code).not.toBe(0);
    expect(failed.output).toMatch(
      /restarting compute ep-\S+: operation start_compute \(\S+\) ended as failed.*the next `pulumi up` sends it again/,
    );
    stack.emulator.connect(await idOf());
    expect(takeSent()).toBe(1);
    const { output } = await ok(up);
    expect(output).toMatch(/restarted, not active for at most .*, as announced \(.*start_compute.*\)/);
    expect(takeSent()).toBe(1);
    await ok([...up, "--expect-no-changes"]);
  });

  it("is not sent twice where its answer is lost", async () => {
    declare({ release: "lost", token: { $secret: token } });
    stack.emulator.addFault({ kind: "cut", when: "after", route: "restartEndpoint" });
    const { output } = await ok(up);
    expect(output).toMatch(/restarted, .*, as announced/);
    expect(takeSent()).toBe(1);
    await ok([...up, "--expect-no-changes"]);
  });

  // On Windows there is no ps to say which processes to kill.
  (isWindows ? it.skip : it)("is sent again where its run was killed while it waited", async () => {
    declare({ release: "killed", token: { $secret: token } });
    stack.emulator.setTimeline({ action: "start_compute", runningMs: 5_000, times: 1 });
    const killed = pulumi(up);
    await until(() => stack.emulator.requests().some(({ route }) => route === "restartEndpoint"), 60_000);
    const { cli, provider } = await runningNow();
    for (const pid of [cli, provider]) process.kill(pid, "SIGKILL");
    await killed;
    await until(() => !isAlive(cli), 10_000);
    expect(takeSent()).toBe(1);
    await ok(["cancel", "--yes"]);
    const id = await idOf();
    await until(() => stack.emulator.endpoint(id).endpoint.current_state === "active", 20_000);
    expect((await ok(up)).output).toMatch(/restarted, .*, as announced/);
    expect(takeSent()).toBe(1);
    await ok([...up, "--expect-no-changes"]);
  });

  it("comes with a change that restarts the compute anyway, once", async () => {
    const id = await idOf();
    const before = stack.emulator.counters(id).restarts;
    declare({ release: 3, token: { $secret: token } }, 1);
    const { output } = await ok(["up", "--yes"]);
    expect(output).toContain("Not restarted a second time");
    expect(takeSent()).toBe(0);
    expect(stack.emulator.counters(id).restarts).toBe(before + 1);
  });

  it("starts no compute that is idle", async () => {
    stack.emulator.suspendEndpoint(await idOf());
    await new Promise((resolve) => setTimeout(resolve, 200));
    declare({ release: 4 }, 1);
    const { output } = await ok(up);
    expect(output).toContain("The compute is idle: there is nothing to restart.");
    expect(takeSent()).toBe(0);
    expect((await stack.stateOf("weekly"))?.outputs["triggers"]).toEqual({ release: 4 });
  });

  it("does nothing when it is refreshed or destroyed, and shows no secret", async () => {
    stack.emulator.connect(await idOf());
    await ok(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
    await ok(["destroy", "--yes", "--skip-preview"]);
    expect(takeSent()).toBe(0);
    const written = filesBelow(stack.folder).filter((file) => !file.endsWith("resources.json"));
    expect(leaksInText("output", printed, token)).toEqual([]);
    expect(leaksInFiles(written, token)).toEqual([]);
  });
});
