/**
 * What the plugin gives beyond the dynamic provider, through the real CLI. What both give runs with both variants in the
 * tests above this folder.
 */
import { fixedSize } from "../../../provider/model/sizes";
import { up, useStack } from "../../support/stack";
import { itUnlessWindows } from "../../support/systems";

describe("a compute behind the plugin", () => {
  let appId: string;
  const stack = useStack({ variant: "native" }, async () => {
    declare(0.25);
    await stack.up();
    appId = (await stack.stateOf("app"))!.id;
  });
  function declare(cu: number): void {
    const { projectId, defaultBranchId: branchId } = stack;
    stack.declare({ app: { args: { projectId, branchId, type: "read_only", ...fixedSize(cu) } } });
  }
  const urn = "urn:pulumi:test::tested::compute:index:Endpoint::app";

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
    expect(await stack.fails(up, { COMPUTE_ON_INTERRUPTION: "forbid" })).toContain(notice);
    await stack.ok(["state", "untaint", urn, "--yes"]);
    await stack.ok(["preview", "--expect-no-changes"]);
  });

  const cannotPress = "no process can press Ctrl-C for another there";
  const interrupted = "ends its wait at one Ctrl-C, keeps what is pending, and goes on in the next run";
  itUnlessWindows(cannotPress, interrupted, async () => {
    stack.emulator.setTimeline({ action: "start_compute", runningMs: 60_000, times: 1 });
    declare(1);
    stack.emulator.clearRequests();
    let sentMs = 0;
    const { code, output } = await stack.interrupted(up, () => {
      if (sentMs === 0 && stack.writes().length > 0) sentMs = Date.now();
      return sentMs > 0 && Date.now() - sentMs > 500;
    });
    // The operation takes a minute: without a word to the plugin, so would this.
    expect(Date.now() - sentMs).toBeLessThan(20_000);
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
    await stack.up();
    expect(stack.writes()).toEqual([]);
  });
});
