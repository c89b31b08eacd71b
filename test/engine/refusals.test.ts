/** The engine stops at the first resource whose check fails, so that a preview shows one refusal of several. */
import { fixedSize } from "../../provider/sizes";
import { reportOfPreview } from "../support/previewReport";
import { createStack, variants, type TestStack } from "../support/stack";

describe.each(variants)("three changes that are forbidden, with the %s variant", (variant) => {
  let stack: TestStack;
  const names = ["one", "two", "three"];
  let branches: readonly string[];

  const sized = (cu: number): void => {
    stack.declare(
      Object.fromEntries(
        names.map((name, index) => [
          name,
          { args: { projectId: stack.projectId, branchId: branches[index], ...fixedSize(cu) } },
        ]),
      ),
    );
  };

  beforeAll(async () => {
    stack = await createStack({ variant });
    branches = names.map(() => stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id);
    sized(0.25);
    await stack.ok(["up", "--yes", "--skip-preview"]);
    sized(1);
  });
  afterAll(() => stack.close());

  it.each([
    { reason: "as it is", words: [], environment: {} },
    { reason: "with parallel diffs", words: [], environment: { PULUMI_PARALLEL_DIFF: "true" } },
    { reason: "one by one", words: ["--parallel", "1"], environment: {} },
  ])("are one refusal in a preview, $reason", async ({ words, environment }) => {
    const { code, stdout } = await stack.pulumi(["preview", "--json", ...words], {
      COMPUTE_ON_INTERRUPTION: "forbid",
      ...environment,
    });
    expect(code).not.toBe(0);
    expect(stdout.match(/This is forbidden here/g)).toHaveLength(1);
  });

  it("are one refusal in an update that continues on errors, which changes none of them", async () => {
    const { code, output } = await stack.pulumi(
      ["up", "--yes", "--skip-preview", "--continue-on-error", "--json"],
      { COMPUTE_ON_INTERRUPTION: "forbid" },
    );
    expect(code).not.toBe(0);
    expect(output.match(/This is forbidden here/g)).toHaveLength(1);
    const sizes = stack.emulator
      .endpoints(stack.projectId)
      .map(({ endpoint }) => endpoint.autoscaling_limit_max_cu);
    expect(sizes).not.toContain(1);
  });

  it("are all in the report, where it refuses and the policy warns", async () => {
    const { stdout } = await stack.ok(["preview", "--json"]);
    const { code, report } = reportOfPreview(stdout, "--fail-on", "restart");
    expect(code).toBe(24);
    expect(report.computes.map(({ label }) => label).sort()).toEqual([...names].sort());
  });
});

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
