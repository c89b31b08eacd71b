/** The engine stops at the first resource whose check fails, so that a preview shows one refusal of several. */
import { fixedSize } from "../../provider/sizes";
import { asEvents, reportOfPreview } from "../support/previewReport";
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

/** Where a policy can be set; a dynamic provider has no arguments. */
const places = [
  {
    place: "the resource",
    own: { onInterruption: "forbid" },
    says: "on this resource): to allow it, set it to",
  },
  {
    place: "the Provider",
    provider: { onInterruption: "forbid" },
    says: "in the arguments of its Provider): to allow it, set onInterruption:",
  },
  {
    place: "the stack",
    stack: "forbid",
    says: "in the stack's configuration, compute:onInterruption): to allow it, set onInterruption:",
  },
  {
    place: "the environment",
    environment: { COMPUTE_ON_INTERRUPTION: "forbid" },
    says: "in the environment, COMPUTE_ON_INTERRUPTION): to allow it, set onInterruption:",
  },
];

describe.each(variants)("a change that one place forbids, with the %s variant", (variant) => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await createStack({ variant });
  });
  afterAll(() => stack.close());

  it.each(places.filter(({ provider }) => variant === "native" || provider === undefined))(
    "names $place alone, and is applied where its advice is followed",
    async ({ own = {}, provider: policy, stack: configured, environment = {}, says }) => {
      const { apiKey, url: baseUrl } = stack.emulator;
      const opts = policy === undefined ? {} : { provider: { ...policy, apiKey, baseUrl } };
      const declare = (cu: number, more: object): void => {
        const args = { projectId: stack.projectId, branchId: stack.defaultBranchId, type: "read_only" };
        stack.declare({ app: { args: { ...args, ...fixedSize(cu), ...more }, opts } });
      };
      declare(1, { onInterruption: "warn" });
      await stack.ok(["up", "--yes", "--skip-preview"]);
      if (configured !== undefined) await stack.ok(["config", "set", "compute:onInterruption", configured]);
      declare(2, own);
      const { code, output } = await stack.pulumi(["preview"], environment);
      expect(code).not.toBe(0);
      expect(output).toContain(`This is forbidden here (onInterruption is "forbid" ${says} "warn"`);
      declare(2, { onInterruption: "warn" });
      await stack.ok(["up", "--yes", "--skip-preview"], environment);
      const id = (await stack.stateOf("app"))?.id;
      const seen = stack.emulator.endpoints(stack.projectId).find(({ endpoint }) => endpoint.id === id);
      expect(seen?.endpoint.autoscaling_limit_max_cu).toBe(2);
      if (configured !== undefined) await stack.ok(["config", "rm", "compute:onInterruption"]);
    },
  );
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
    expect(refused.output).toContain("a forced replacement (deleteBeforeReplace: true)");
  });
});

describe.each(variants)("a preview whose key the service refuses, with the %s variant", (variant) => {
  let stack: TestStack;
  // The plugin then asks the service no more than the dynamic provider does; otherwise its preview fails.
  const unread = { COMPUTE_REFRESH_BEFORE_UPDATE: "false" };
  const wrong = { ...unread, COMPUTE_API_KEY: "wrong" };
  let branchId: string;

  const declare = (more: object, isNew = false): void => {
    const app = { projectId: stack.projectId, branchId, ...fixedSize(1), suspendTimeoutSeconds: 300 };
    const other = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    stack.declare({
      app: { args: { ...app, ...more } },
      ...(isNew ? { fresh: { args: { ...app, branchId: other } } } : {}),
    });
  };

  beforeAll(async () => {
    stack = await createStack({ variant });
    branchId = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    declare({});
    await stack.ok(["up", "--yes", "--skip-preview"], unread);
  });
  afterAll(() => stack.close());

  const reported = async (
    environment: NodeJS.ProcessEnv,
  ): Promise<[number, Record<string, unknown>, string]> => {
    const { stdout } = await stack.ok(["preview", "--json"], environment);
    const { code, report, markdown } = reportOfPreview(stdout, "--fail-on", "delete");
    return [
      code,
      Object.fromEntries(report.computes.map(({ label, unasked }) => [label, unasked])),
      markdown,
    ];
  };

  it.each([
    { form: "document", environment: {} },
    { form: "events", environment: asEvents },
  ])(
    "is no all-clear in the report, read from its $form, and is one with the right key",
    async ({ environment }) => {
      declare(fixedSize(2), true);
      const [code, unasked, markdown] = await reported({ ...wrong, ...environment });
      expect([code, unasked]).toEqual([5, { app: true, fresh: true }]);
      expect(markdown).toContain(
        "**1 compute drops its open connections; the service could not be asked about 2 computes.**",
      );
      expect(markdown).toContain("The service refuses the key");
      const [passes, answered] = await reported({ ...unread, ...environment });
      expect([passes, answered]).toEqual([0, { app: undefined, fresh: undefined }]);
    },
  );

  it.each([
    { reason: "nothing interrupts", more: { suspendTimeoutSeconds: 600 }, environment: {} },
    { reason: "it is not to ask", more: fixedSize(2), environment: { COMPUTE_LIVE_FACTS: "false" } },
    { reason: "it is for a saved plan", more: fixedSize(2), environment: { COMPUTE_UPDATE_PLANS: "true" } },
  ])("says nothing of it where $reason", async ({ more, environment }) => {
    declare(more);
    const [code, unasked, markdown] = await reported({ ...wrong, ...environment });
    expect([code, unasked]).toEqual([0, { app: undefined }]);
    expect(markdown).not.toContain("The service refuses the key");
  });
});
