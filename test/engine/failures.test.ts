import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { fixedSize } from "../../provider/sizes";
import { createStack, variants, run, type TestStack } from "../support/stack";
import { itUnlessWindows } from "../support/systems";

const stackTrace = /\n\s+at .+:\d+:\d+/;

describe.each(variants)("what goes wrong with the %s variant", (variant) => {
  let stack: TestStack;
  let branchId: string;

  const declare = (more: Record<string, unknown> = {}): void => {
    stack.declare({ app: { args: { projectId: stack.projectId, branchId, ...fixedSize(0.25), ...more } } });
  };
  const computes = (): string[] =>
    stack.emulator
      .endpoints(stack.projectId)
      .filter(({ endpoint }) => endpoint.branch_id === branchId)
      .map(({ endpoint }) => endpoint.id);

  beforeAll(async () => {
    stack = await createStack({ variant, apiKey: "key-that-nobody-may-see" });
  });
  afterAll(() => stack.close());
  beforeEach(() => {
    branchId = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    stack.emulator.clearFaults();
    stack.emulator.clearTimelines();
    declare();
  });
  afterEach(async () => {
    await stack.ok(["destroy", "--yes", "--skip-preview"]);
    expect(computes()).toEqual([]);
  });

  it("names a failed start operation, keeps the id, and resumes without sending anything twice", async () => {
    stack.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const failed = await stack.pulumi(["up", "--yes", "--skip-preview"]);
    expect(failed.code).not.toBe(0);
    expect(failed.output).toMatch(
      /creating compute ep-\S+: operation start_compute \([0-9a-f-]{36}\) ended as failed/,
    );
    expect(failed.output).not.toMatch(stackTrace);
    const [id] = computes();
    expect((await stack.stateOf("app"))?.id).toBe(id);

    stack.emulator.clearRequests();
    const again = await stack.pulumi(["up", "--yes", "--skip-preview"]);
    expect(again.code).not.toBe(0);
    expect(again.output).toContain("ended as failed");

    stack.emulator.connect(id!);
    const resumed = await stack.ok(["up", "--yes", "--skip-preview"]);
    expect(resumed.output).toContain("the compute is active now");
    expect(stack.emulator.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    await stack.ok(["preview", "--expect-no-changes"]);
    expect(computes()).toEqual([id]);
  });

  it("names the settings that a failed update sent, and is taken back as it says", async () => {
    await stack.ok(["up", "--yes", "--skip-preview"]);
    stack.emulator.setTimeline({ action: "apply_config", endStatus: "failed", times: 1 });
    declare({ settings: { pgSettings: { shared_buffers: { $secret: "100000GB" } } } });
    const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview"]);
    expect(code).not.toBe(0);
    expect(output).toMatch(
      /operation apply_config \(\S+\) ended as failed; this update sent settings\.pgSettings \(shared_buffers\), and the compute may have stopped\. Put the earlier values back and run `pulumi up`; an argument that is left out keeps what was sent, and a name that is left out of settings\.pgSettings is removed\./,
    );
    expect(output).not.toContain("100000GB");
    declare({ settings: { pgSettings: {} } });
    await stack.ok(["up", "--yes", "--skip-preview"]);
    expect(stack.emulator.endpoint(computes()[0]!).endpoint.settings).toEqual({ pg_settings: {} });
    await stack.ok(["preview", "--expect-no-changes"]);
  });

  it("destroys a compute whose start failed", async () => {
    stack.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    expect((await stack.pulumi(["up", "--yes", "--skip-preview"])).code).not.toBe(0);
    await stack.ok(["destroy", "--yes", "--skip-preview"]);
    expect(computes()).toEqual([]);
  });

  it("goes on waiting in the next run where a deadline passed", async () => {
    declare({ timeouts: { create: 1 } });
    stack.emulator.setTimeline({ action: "start_compute", stuck: "running", times: 1 });
    const late = await stack.pulumi(["up", "--yes", "--skip-preview"]);
    expect(late.output).toMatch(/operation start_compute \(\S+\) was still running after 1 s/);
    const operation = stack.emulator
      .operations(stack.projectId)
      .find(({ endpoint_id }) => endpoint_id === computes()[0]);
    stack.emulator.endOperation(operation!.id);
    stack.emulator.clearRequests();
    await stack.ok(["up", "--yes", "--skip-preview"]);
    expect(stack.emulator.requests().every(({ method }) => method === "GET")).toBe(true);
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

  it("creates one compute where the answer to the create is lost", async () => {
    stack.emulator.addFault({ kind: "cut", route: "createEndpoint", when: "after" });
    await stack.ok(["up", "--yes", "--skip-preview"]);
    expect(computes()).toHaveLength(1);
    expect((await stack.stateOf("app"))?.id).toBe(computes()[0]);
  });

  it("refuses a second primary by name, with the line that adopts the first", async () => {
    stack.declare({ app: { args: { projectId: stack.projectId, branchId: stack.defaultBranchId } } });
    const primary = stack.emulator
      .endpoints(stack.projectId)
      .find(({ endpoint }) => endpoint.branch_id === stack.defaultBranchId);
    const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview"]);
    expect(code).not.toBe(0);
    expect(output).toContain(`adopt: "${primary!.endpoint.id}"`);
    expect(output).not.toMatch(stackTrace);
  });

  describe("wrong settings and inputs", () => {
    it.each([
      {
        reason: "a size that the interface does not list",
        args: { autoscalingLimitMinCu: 3.5, autoscalingLimitMaxCu: 3.5 },
        says: /autoscalingLimitMinCu is 3\.5, but must be one of 0\.25, 0\.5, 1/,
      },
      {
        reason: "an id of another kind",
        args: { branchId: "main" },
        says: /branchId is "main", but must be the id of a branch/,
      },
      {
        reason: "a misspelt argument",
        args: { poolerenabled: true },
        says: /poolerenabled is not an argument of Endpoint\. Write poolerEnabled/,
      },
    ])("refuses $reason in the preview", async ({ args, says }) => {
      declare(args);
      const { code, output } = await stack.pulumi(["preview"]);
      expect(code).not.toBe(0);
      expect(output).toMatch(says);
      expect(output).not.toMatch(stackTrace);
    });

    it("refuses a key of the stack that is no setting, once, with the one that was meant", async () => {
      await stack.ok(["config", "set", "compute:onInteruption", "forbid"]);
      const { code, stdout } = await stack.pulumi(["preview", "--suppress-progress"]);
      await stack.ok(["config", "rm", "compute:onInteruption"]);
      expect(code).not.toBe(0);
      const [, diagnostics = ""] = stdout.split("Diagnostics:");
      expect(
        diagnostics.split("there is no such setting. Write compute:onInterruption. Remove it with "),
      ).toHaveLength(2);
      expect(stdout).not.toMatch(stackTrace);
    });

    it("takes the account that the stack names, whatever is exported", async () => {
      declare();
      await stack.ok(["config", "set", "--secret", "compute:apiKey", stack.emulator.apiKey]);
      const { output } = await stack.ok(["up", "--yes", "--skip-preview"], {
        COMPUTE_API_KEY: "of-another-account",
      });
      await stack.ok(["config", "rm", "compute:apiKey"]);
      expect(output).not.toContain(stack.emulator.apiKey);
      expect(computes()).toHaveLength(1);
    });

    it("refuses a setting that cannot be read in the preview, by its name and with the fix", async () => {
      const environment = { COMPUTE_REQUESTS_PER_MINUTE: "700/min" };
      const { code, output } = await stack.pulumi(["preview"], environment);
      expect(code).not.toBe(0);
      expect(output).toContain(
        'reading the environment\'s COMPUTE_REQUESTS_PER_MINUTE: it is "700/min". Set it to a whole number from 0 ' +
          "(no limit) to 999999999: `COMPUTE_REQUESTS_PER_MINUTE=680`.",
      );
      expect(output).not.toMatch(stackTrace);
    });

    it.each([
      {
        reason: "a wrong key",
        environment: { COMPUTE_API_KEY: "wrong-key-98765" },
        says: /answered 401.*Check the API key: COMPUTE_API_KEY/s,
      },
      {
        reason: "a base URL where nobody listens",
        environment: { COMPUTE_BASE_URL: "http://127.0.0.1:9" },
        says: /the connection was refused.*COMPUTE_BASE_URL or compute:baseUrl/s,
      },
      {
        reason: "no key at all",
        environment: { COMPUTE_API_KEY: "" },
        says: /no API key.*COMPUTE_API_KEY.*compute:apiKey/s,
      },
      {
        reason: "a base URL in plain http",
        environment: { COMPUTE_BASE_URL: "http://example.com" },
        says: /is not https/,
      },
    ])("explains $reason, without a stack trace and without the key", async ({ environment, says }) => {
      const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview"], environment);
      expect(code).not.toBe(0);
      expect(output).toMatch(says);
      expect(output).not.toMatch(stackTrace);
      expect(output).not.toContain("wrong-key-98765");
    });
  });

  it("leaves the key in no state, journal, log or output", async () => {
    const key = "key-that-nobody-may-see";
    const { output } = await stack.ok(["up", "--yes", "--skip-preview", "-v=11", "--logtostderr"]);
    const forms = [key, Buffer.from(key).toString("base64").replace(/=+$/, "")];
    for (const form of forms) expect(output).not.toContain(form);
    const files = filesBelow(stack.folder).map((file) => readFileSync(file, "latin1"));
    expect(files.length).toBeGreaterThan(5);
    for (const form of forms) expect(files.filter((text) => text.includes(form))).toEqual([]);
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(file);
    return entry.isFile() && statSync(file).size < 20_000_000 ? [file] : [];
  });
}
