import { setTimeout } from "node:timers/promises";
import { fixedSize } from "../../provider/sizes";
import { filesBelow, leaksInFiles, leaksInText } from "../support/leaks";
import { createStack, variants, run, type TestStack } from "../support/stack";
import { itUnlessWindows } from "../support/systems";

const key = "key-that-nobody-may-see";

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
    stack = await createStack({ variant, apiKey: key });
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

  it("refuses a key of the stack that is no setting, once, with the one that was meant", async () => {
    await stack.ok(["config", "set", "compute:onInteruption", "forbid"]);
    const { code, stdout } = await stack.pulumi(["preview", "--suppress-progress"]);
    await stack.ok(["config", "rm", "compute:onInteruption"]);
    expect(code).not.toBe(0);
    const [, diagnostics = ""] = stdout.split("Diagnostics:");
    expect(
      diagnostics.split("there is no such setting. Write compute:onInterruption. Remove it with "),
    ).toHaveLength(2);
    expect(stdout).not.toMatch(/\n\s+at .+:\d+:\d+/);
  });

  it("takes the account that the stack names, whatever is exported", async () => {
    await stack.ok(["config", "set", "--secret", "compute:apiKey", stack.emulator.apiKey]);
    const { output } = await stack.ok(["up", "--yes", "--skip-preview"], {
      COMPUTE_API_KEY: "of-another-account",
    });
    await stack.ok(["config", "rm", "compute:apiKey"]);
    expect(output).not.toContain(stack.emulator.apiKey);
    expect(computes()).toHaveLength(1);
  });

  it("leaves the key in no state, journal, log or output", async () => {
    const { output } = await stack.ok(["up", "--yes", "--skip-preview", "-v=11", "--logtostderr"]);
    expect(leaksInText("output", output, key)).toEqual([]);
    const written = filesBelow(stack.folder);
    expect(written.length).toBeGreaterThan(5);
    expect(leaksInFiles(written, key)).toEqual([]);
  });
});
