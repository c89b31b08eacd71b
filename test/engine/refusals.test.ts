import { fixedSize } from "../../provider/pure/sizes";
import { createStack, variants, type TestStack } from "../support/stack";

describe.each(variants)("a primary that is replaced by force, with the %s variant", (variant) => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await createStack({ variant });
  });
  afterAll(() => stack.close());

  it("is deleted first where the program says deleteBeforeReplace, in a preview and an update", async () => {
    const branchId = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    const args = { projectId: stack.projectId, branchId, ...fixedSize(1) };
    stack.declare({ app: { args, opts: { deleteBeforeReplace: true } } });
    // The plugin then asks the service no more than the dynamic provider does.
    const environment = { COMPUTE_REFRESH_BEFORE_UPDATE: "false" };
    await stack.ok(["up", "--yes", "--skip-preview"], environment);
    const { urn, id, inputs } = (await stack.stateOf("app"))!;
    expect(Object.keys(inputs)).not.toContain("__deletesFirst");
    const preview = await stack.ok(["preview", "--replace", urn], environment);
    expect(preview.output).toContain(
      `has its one primary already, compute ${id}: where this replaces that compute`,
    );
    await stack.ok(["up", "--yes", "--replace", urn], environment);
    const second = (await stack.stateOf("app"))!.id;
    expect(second).not.toBe(id);
    await stack.ok(["state", "taint", urn, "--yes"]);
    await stack.ok(["up", "--yes"], environment);
    const third = (await stack.stateOf("app"))!.id;
    const computes = stack.emulator.endpoints(stack.projectId).map(({ endpoint }) => endpoint.id);
    expect(computes).toContain(third);
    expect(computes).not.toContain(second);
    await stack.ok(["preview", "--expect-no-changes"], environment);
    stack.declare({ app: { args } });
    const refused = await stack.pulumi(["preview", "--replace", urn], environment);
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain(
      'Other cases: "The branch already has a primary" in docs/what-happens-when.md',
    );
  });
});
