import { fixedSize } from "../../provider/model/sizes";
import { useStack, variants } from "../support/stack";

describe.each(variants)("a primary that is replaced by force, with the %s variant", (variant) => {
  // The plugin then asks the service no more than the dynamic provider does.
  const stack = useStack({ variant, environment: { COMPUTE_REFRESH_BEFORE_UPDATE: "false" } });

  it("is deleted first where the program says deleteBeforeReplace, in a preview and an update", async () => {
    const args = { projectId: stack.projectId, branchId: stack.emptyBranch(), ...fixedSize(1) };
    stack.declare({ app: { args, opts: { deleteBeforeReplace: true } } });
    await stack.up();
    const { urn, id } = (await stack.stateOf("app"))!;
    const preview = await stack.ok(["preview", "--replace", urn]);
    expect(preview.output).toContain("1 to replace");
    await stack.ok(["up", "--yes", "--replace", urn]);
    const second = (await stack.stateOf("app"))!.id;
    expect(second).not.toBe(id);
    await stack.ok(["state", "taint", urn, "--yes"]);
    await stack.ok(["up", "--yes"]);
    expect(stack.computes()).toContain((await stack.stateOf("app"))!.id);
    expect(stack.computes()).not.toContain(second);
    await stack.ok(["preview", "--expect-no-changes"]);
    stack.declare({ app: { args } });
    // The engine creates first there, and no provider knows of the replacement: the service refuses a second primary.
    const kept = (await stack.stateOf("app"))!.id;
    expect(await stack.fails(["up", "--yes", "--skip-preview", "--replace", urn])).toContain(kept);
    expect(stack.computes()).toContain(kept);
  });
});
