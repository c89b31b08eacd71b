import { fixedSize } from "../../provider/model/sizes";
import { useStack, variants } from "../support/stack";

describe.each(variants)("a primary that is replaced by force, with the %s variant", (variant) => {
  // The plugin then asks the service no more than the dynamic provider does.
  const stack = useStack({ variant, environment: { COMPUTE_REFRESH_BEFORE_UPDATE: "false" } });

  it("is deleted first where the program says deleteBeforeReplace, in a preview and an update", async () => {
    const args = { projectId: stack.projectId, branchId: stack.emptyBranch(), ...fixedSize(1) };
    stack.declare({ app: { args, opts: { deleteBeforeReplace: true } } });
    await stack.up();
    const { urn, id, inputs } = (await stack.stateOf("app"))!;
    expect(Object.keys(inputs)).not.toContain("__deletesFirst");
    const preview = await stack.ok(["preview", "--replace", urn]);
    expect(preview.output).toContain(
      `has its one primary already, compute ${id}: where this replaces that compute`,
    );
    await stack.ok(["up", "--yes", "--replace", urn]);
    const second = (await stack.stateOf("app"))!.id;
    expect(second).not.toBe(id);
    await stack.ok(["state", "taint", urn, "--yes"]);
    await stack.ok(["up", "--yes"]);
    expect(stack.computes()).toContain((await stack.stateOf("app"))!.id);
    expect(stack.computes()).not.toContain(second);
    await stack.ok(["preview", "--expect-no-changes"]);
    stack.declare({ app: { args } });
    expect(await stack.fails(["preview", "--replace", urn])).toContain(
      'Other cases: "The branch already has a primary" in docs/what-happens-when.md',
    );
  });
});
