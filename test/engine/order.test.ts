/**
 * Pulumi orders the computes of a branch by `dependsOn` (docs/interruptions.md, "The order of restarts"): if a change
 * keeps computes from starting, only the replica gets it, in every run.
 */
import { fixedSize } from "../../provider/model/sizes";
import { up, useStack, variants } from "../support/stack";

describe.each(variants)("dependsOn, with the %s variant", (variant) => {
  const stack = useStack({ variant });
  it("applies a change to the replica only, as long as the change keeps the replica from starting", async () => {
    const branchId = stack.emptyBranch();
    const declare = (cu: number): void => {
      const args = { projectId: stack.projectId, branchId, ...fixedSize(cu) };
      stack.declare({
        replica: { args: { ...args, type: "read_only" } },
        primary: { args, opts: { dependsOn: ["replica"] } },
      });
    };
    declare(1);
    await stack.up();
    const [replica, primary] = [(await stack.stateOf("replica"))!.id, (await stack.stateOf("primary"))!.id];
    /** The computes of requests with this method, in the order in which they arrived. */
    const sent = (method: string): readonly string[] => {
      const requests = stack.emulator.requests().filter((request) => request.method === method);
      return requests.map(({ path }) => /ep-[^/]+/.exec(path)?.[0] ?? "");
    };
    declare(2);
    stack.emulator.setTimeline({ action: "start_compute", endStatus: "failed" });
    stack.emulator.clearRequests();
    await stack.fails(up);
    expect(sent("PATCH")).toEqual([replica]);
    // The emulator leaves a compute as it was if its start fails.
    stack.emulator.suspendEndpoint(replica);
    for (const more of [[], ["--continue-on-error"]]) {
      const output = await stack.fails([...up, ...more]);
      expect(output).toContain("failed; the change of autoscalingLimitMinCu and autoscalingLimitMaxCu");
    }
    expect(sent("PATCH")).toEqual([replica]);

    stack.emulator.clearTimelines();
    stack.emulator.connect(replica);
    await stack.up();
    expect(sent("PATCH")).toEqual([replica, primary]);
    await stack.destroy();
    expect(sent("DELETE")).toEqual([primary, replica]);
  });
});
