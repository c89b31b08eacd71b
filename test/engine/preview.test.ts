import { spawnSync } from "node:child_process";
import path from "node:path";
import { fixedSize } from "../../provider/sizes";
import { createStack, variants, type TestStack } from "../support/stack";

const checkout = path.join(__dirname, "..", "..");

interface Preview {
  readonly steps: readonly {
    readonly op: string;
    readonly urn: string;
    readonly newState?: { readonly inputs?: Record<string, unknown> };
  }[];
  readonly diagnostics?: readonly {
    readonly urn?: string;
    readonly severity: string;
    readonly message: string;
  }[];
}

describe.each(variants)("what a reviewer sees with the %s variant", (variant) => {
  let stack: TestStack;
  let branches: string[];

  const args = (branch: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
    projectId: stack.projectId,
    branchId: branches[branch],
    ...more,
  });
  const preview = async (
    environment: NodeJS.ProcessEnv = {},
  ): Promise<{ code: number | null; json: Preview; stdout: string }> => {
    const { code, stdout } = await stack.pulumi(["preview", "--json"], environment);
    return { code, stdout, json: JSON.parse(stdout) as Preview };
  };
  /** What the row warns of, if the diff has the same notice without live facts. */
  const noticeOf = (json: Preview, name: string): string | undefined => {
    const step = json.steps.find(({ urn, op }) => urn.endsWith(`::${name}`) && op !== "refresh");
    const inDiff = step?.newState?.inputs?.["interruption"];
    const warned = json.diagnostics?.find(
      ({ urn, severity, message }) =>
        urn === step?.urn && severity === "warning" && !message.includes("The service could not be asked"),
    )?.message;
    const warning = warned?.replace("warning: ", "").trim();
    expect(inDiff).toBe(warning?.replace(/ \((active|idle) now.*?\)/, ""));
    return warning;
  };

  beforeAll(async () => {
    stack = await createStack({ variant });
    branches = Array.from(
      { length: 4 },
      () => stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id,
    );
    stack.declare({
      restarted: { args: args(0, { ...fixedSize(0.25), restartTriggers: { release: "1" } }) },
      replaced: { args: args(1, { type: "read_only" }) },
      untouched: { args: args(2, { suspendTimeoutSeconds: 300 }), opts: { component: "group" } },
    });
    await stack.ok(["up", "--yes", "--skip-preview"]);
  });
  afterAll(() => stack.close());

  it("names the interruption on each row, in JSON and in the report, and nothing on the rows without one", async () => {
    stack.declare({
      restarted: { args: args(0, { ...fixedSize(2), restartTriggers: { release: "1" } }) },
      replaced: { args: args(1, { type: "read_write" }) },
      untouched: { args: args(2, { suspendTimeoutSeconds: 600 }), opts: { component: "group" } },
    });
    const { json, stdout } = await preview();
    expect(noticeOf(json, "restarted")).toMatch(
      /^restart: size 0.25 → 2 CU drops open connections \((active|idle) now/,
    );
    expect(noticeOf(json, "untouched")).toBeUndefined();
    const warnings = (json.diagnostics ?? []).filter(({ severity }) => severity === "warning");
    expect(warnings.map(({ urn, message }) => [urn?.split("::").at(-1), message.split(": ")[1]])).toEqual(
      expect.arrayContaining([
        ["restarted", "restart"],
        ["replaced", "replace"],
      ]),
    );
    expect(warnings).toHaveLength(2);

    const report = spawnSync(
      process.execPath,
      [path.join(checkout, "dist/preview/main.js"), "--fail-on", "restart,replace"],
      { input: stdout },
    );
    expect(report.stdout.toString()).toMatch(/1 compute is replaced, 1 restarts/);
    expect(report.status).toBe(21);
  });

  it("asks the service once for all computes of a project, and not at all where that is turned off", async () => {
    stack.emulator.clearRequests();
    await preview();
    const routes = (): (string | undefined)[] => stack.emulator.requests().map(({ route }) => route);
    // The plugin reads before it plans: by the time that the program declares something, the list may be old.
    const reads = variant === "native" ? ["listEndpoints"] : [];
    expect(["listEndpoints", ...reads].join()).toContain(routes().join());
    expect(routes()).toContain("listEndpoints");
    stack.emulator.clearRequests();
    const { json } = await preview({ COMPUTE_LIVE_FACTS: "false" });
    expect(routes()).toEqual(reads);
    expect(noticeOf(json, "restarted")).toMatch(
      /^restart: size 0.25 → 2 CU drops open connections; max_connections 112 to 901/,
    );
  });

  it("previews in full while the service cannot be reached, where it does not have to read first", async () => {
    const { code, json, stdout } = await preview({ COMPUTE_BASE_URL: "http://127.0.0.1:9" });
    if (variant === "native") {
      // It reads before it plans, and says why it cannot.
      expect(code).not.toBe(0);
      expect(stdout).toContain("the connection was refused");
      return;
    }
    expect(code).toBe(0);
    expect(noticeOf(json, "restarted")).toContain("restart: size 0.25 → 2 CU drops open connections");
    const unasked = json.diagnostics?.filter(({ message }) => message.includes("could not be asked"));
    expect(unasked?.map(({ message }) => message)).toEqual([
      expect.stringMatching(/the connection was refused.* Check the base URL/) as string,
    ]);
  });

  it("says restart for a size declared for the first time exactly when it differs from what runs", async () => {
    const sized = (cu: number): void => {
      stack.declare({
        restarted: { args: args(0, { ...fixedSize(0.25), restartTriggers: { release: "1" } }) },
        replaced: { args: args(1, { type: "read_only" }) },
        untouched: {
          args: args(2, { suspendTimeoutSeconds: 300, ...fixedSize(cu) }),
          opts: { component: "group" },
        },
      });
    };
    sized(0.25);
    expect(noticeOf((await preview()).json, "untouched")).toBeUndefined();
    sized(1);
    expect(noticeOf((await preview()).json, "untouched")).toMatch(/^restart: size 0.25 → 1 CU/);
  });

  describe("a gate", () => {
    const gated = (onInterruption?: string): void => {
      stack.declare({
        restarted: {
          args: args(0, {
            ...fixedSize(4),
            restartTriggers: { release: "1" },
            ...(onInterruption === undefined ? {} : { onInterruption }),
          }),
        },
        replaced: { args: args(1, { type: "read_only" }) },
        untouched: { args: args(2, { suspendTimeoutSeconds: 300 }), opts: { component: "group" } },
      });
    };

    it.each([
      {
        reason: "the resource forbids it",
        policy: "forbid",
        environment: {},
        line: 'on this resource): to allow it, set it to "warn"',
      },
      {
        reason: "the stack forbids it",
        policy: undefined,
        environment: { COMPUTE_ON_INTERRUPTION: "forbid" },
        line: 'to allow it, set onInterruption: "warn" on this resource',
      },
    ])(
      "fails the preview and the update where $reason, with the line that allows it",
      async ({ policy, environment, line }) => {
        gated(policy);
        for (const words of [["preview"], ["up", "--yes", "--skip-preview"]]) {
          const { code, output } = await stack.pulumi(words, environment);
          expect(code).not.toBe(0);
          expect(output).toContain("restart: size 0.25 → 4 CU");
          expect(output).toContain(line);
        }
        expect(
          stack.emulator.endpoints(stack.projectId).map(({ endpoint }) => endpoint.autoscaling_limit_max_cu),
        ).not.toContain(4);
      },
    );

    it("lets the resource's own word stand against the stack's", async () => {
      gated("warn");
      expect((await stack.pulumi(["preview"], { COMPUTE_ON_INTERRUPTION: "forbid" })).code).toBe(0);
    });

    it("forbids only what runs, where asked so", async () => {
      const { endpoint } = stack.emulator
        .endpoints(stack.projectId)
        .find((view) => view.endpoint.branch_id === branches[0])!;
      gated("forbid-when-active");
      stack.emulator.connect(endpoint.id);
      expect((await stack.pulumi(["preview"])).output).toContain('onInterruption is "forbid-when-active"');
      stack.emulator.suspendEndpoint(endpoint.id);
      expect((await stack.pulumi(["preview"])).code).toBe(0);
    });
  });

  describe("after a refresh of what was changed behind our back", () => {
    const idOn = (branchId: string | undefined): string =>
      stack.emulator.endpoints(stack.projectId).find(({ endpoint }) => endpoint.branch_id === branchId)!
        .endpoint.id;

    it("shows the way back, and what it interrupts, for a size, a move and a disabled compute", async () => {
      stack.declare({
        restarted: { args: args(0, { ...fixedSize(0.25), restartTriggers: { release: "1" } }) },
        replaced: { args: args(1, { type: "read_only", disabled: false }) },
        untouched: { args: args(2, { suspendTimeoutSeconds: 300 }), opts: { component: "group" } },
      });
      await stack.ok(["up", "--yes", "--skip-preview"]);
      const [resized, disabled, moved] = branches.slice(0, 3).map((branchId) => idOn(branchId));
      stack.emulator.updateEndpoint(resized!, { autoscaling_limit_min_cu: 8, autoscaling_limit_max_cu: 8 });
      stack.emulator.updateEndpoint(disabled!, { disabled: true });
      stack.emulator.updateEndpoint(moved!, { branch_id: branches[3] });
      await stack.ok(["refresh", "--yes", "--skip-preview"]);

      const { json } = await preview({ COMPUTE_LIVE_FACTS: "false" });
      expect(
        json.steps
          .filter(({ op }) => !["same", "refresh"].includes(op))
          .map(({ op, urn }) => [op, urn.split("::").at(-1)]),
      ).toEqual(
        expect.arrayContaining([
          ["update", "restarted"],
          ["update", "replaced"],
          ["update", "untouched"],
        ]),
      );
      expect(noticeOf(json, "restarted")).toMatch(/^restart: size 8 → 0.25 CU drops open connections/);
      expect(noticeOf(json, "replaced")).toBeUndefined();
      expect(noticeOf(json, "untouched")).toMatch(/^move: branchId \S+ → \S+ drops open connections/);

      await stack.ok(["up", "--yes", "--skip-preview"]);
      await stack.ok(["preview", "--expect-no-changes"]);
      expect(stack.emulator.endpoint(moved!).endpoint.branch_id).toBe(branches[2]);
    });
  });

  it("updates under a saved plan, by the dynamic provider where the setting for it is on, and shows no old notice afterwards", async () => {
    const plans: NodeJS.ProcessEnv = variant === "dynamic" ? { COMPUTE_UPDATE_PLANS: "true" } : {};
    stack.declare({
      restarted: { args: args(0, { ...fixedSize(1), restartTriggers: { release: "1" } }) },
      replaced: { args: args(1, { type: "read_only" }) },
      untouched: { args: args(2, { suspendTimeoutSeconds: 300 }), opts: { component: "group" } },
    });
    const plan = path.join(stack.folder, "plan.json");
    await stack.ok(["preview", "--save-plan", plan], plans);
    await stack.ok(["up", "--yes", "--skip-preview", "--plan", plan], plans);
    expect(
      stack.emulator.endpoints(stack.projectId).map(({ endpoint }) => endpoint.autoscaling_limit_max_cu),
    ).toContain(1);
    await stack.ok(["preview", "--expect-no-changes"], plans);
  });
});
