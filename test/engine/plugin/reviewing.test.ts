/**
 * What the plugin gives beyond the dynamic provider, through the real CLI. What both give runs with both variants in the
 * tests above this folder.
 */
import { setTimeout } from "node:timers/promises";
import { fixedSize } from "../../../provider/pure/sizes";
import { createStack, run, type TestStack } from "../../support/stack";
import { itUnlessWindows } from "../../support/systems";

const up = ["up", "--yes", "--skip-preview"];

describe("a compute behind the plugin", () => {
  let stack: TestStack;
  let appId: string;
  const args = (more: object = {}): Record<string, unknown> => ({
    projectId: stack.projectId,
    branchId: stack.defaultBranchId,
    type: "read_only",
    ...fixedSize(0.25),
    ...more,
  });
  const declare = (more: object = {}, opts: Record<string, unknown> = {}): void => {
    stack.declare({
      app: { args: args(more), opts },
      replica: { args: args({ settings: { pgSettings: { "app.primary": { $of: "app.host" } } } }) },
    });
  };
  const urn = "urn:pulumi:test::tested::compute:index:Endpoint::app";

  beforeAll(async () => {
    stack = await createStack({ variant: "native" });
    declare();
    await stack.ok(up);
    appId = (await stack.stateOf("app"))!.id;
  });
  afterAll(() => stack.close());
  beforeEach(() => {
    declare();
    stack.emulator.clearFaults();
    stack.emulator.clearTimelines();
  });

  it("says of a forced replacement what it costs, and forbids it where asked so", async () => {
    const notice =
      "replace: by force (--replace, taint or an option), which makes a new compute and deletes this one";
    const asked = await stack.ok(["preview", "--diff", "--replace", urn]);
    expect(asked.output).toContain(
      `warning: ${notice}; its host goes away and open connections drop (active`,
    );
    expect(asked.output).toMatch(/\+ interruption\s*: "replace: by force/);
    await stack.ok(["state", "taint", urn, "--yes"]);
    expect((await stack.ok(["preview"])).output).toContain(`warning: ${notice}`);
    const forbidden = await stack.pulumi(up, { COMPUTE_ON_INTERRUPTION: "forbid" });
    expect(forbidden.code).not.toBe(0);
    expect(forbidden.output).toContain(notice);
    await stack.ok(["state", "untaint", urn, "--yes"]);
    await stack.ok(["preview", "--expect-no-changes"]);
  });

  const cannotPress = "no process can press Ctrl-C for another there";
  const interrupted = "ends its wait at one Ctrl-C, keeps what is pending, and goes on in the next run";
  itUnlessWindows(cannotPress, interrupted, async () => {
    stack.emulator.setTimeline({ action: "start_compute", runningMs: 60_000, times: 1 });
    declare(fixedSize(1));
    stack.emulator.clearRequests();
    let pid = 0;
    const interrupted = run("pulumi", [...up, "--color", "never"], {
      cwd: stack.folder,
      env: stack.environment,
      detached: true,
      onStart: (started) => (pid = started),
    });
    while (!stack.emulator.requests().some(({ method }) => method === "PATCH")) await setTimeout(20);
    await setTimeout(500);
    const at = Date.now();
    process.kill(-pid, "SIGINT");
    const { code, output } = await interrupted;
    // The operation takes a minute: without a word to the plugin, so would this.
    expect(Date.now() - at).toBeLessThan(20_000);
    expect(code).not.toBe(0);
    expect(output).toMatch(
      /the run was interrupted while operation \S+ \(\S+\) was running: it goes on at the service/,
    );
    const { id, outputs } = (await stack.stateOf("app"))!;
    expect(id).toBe(appId);
    expect(outputs["__operations"]).toContain(/operation \S+ \((\S+)\) was running/.exec(output)?.[1]);
    for (const operation of stack.emulator.operations(stack.projectId))
      if (operation.status === "running") stack.emulator.endOperation(operation.id);
    stack.emulator.clearRequests();
    await stack.ok(up);
    expect(stack.emulator.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    declare();
    await stack.ok(up);
  });
});
