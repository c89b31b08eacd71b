import { fixedSize } from "../../provider/sizes";
import { deleteByHand } from "../support/byHand";
import { createStack, variants, type TestStack } from "../support/stack";

/** One stack through a whole life; each step begins where the one before ended. */
describe.each(variants)("the life of a stack with the %s variant", (variant) => {
  let stack: TestStack;
  let freeBranch: string;
  let otherBranch: string;

  const app = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
    projectId: stack.projectId,
    branchId: freeBranch,
    ...fixedSize(0.25),
    suspendTimeoutSeconds: 300,
    ...more,
  });

  beforeAll(async () => {
    stack = await createStack({ variant });
    const branch = (): string => stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    freeBranch = branch();
    otherBranch = branch();
    stack.declare({ app: { args: app() } });
  });
  afterAll(() => stack.close());

  const appId = (): string => {
    const found = stack.emulator
      .endpoints(stack.projectId)
      .find(({ endpoint }) => [freeBranch, otherBranch].includes(endpoint.branch_id));
    return found!.endpoint.id;
  };

  it("previews the create of a primary with one list: its branch may have one", async () => {
    stack.emulator.clearRequests();
    const { output } = await stack.ok(["preview"]);
    expect(output).toContain("Endpoint app create");
    expect(stack.emulator.requests().map(({ route }) => route)).toEqual(["listEndpoints"]);
  });

  it("creates the compute, waits for its operation and prints the host", async () => {
    const { output } = await stack.ok(["up", "--yes", "--skip-preview"]);
    expect(output).toMatch(/start_compute (running|finished)/);
    expect(output).toContain(`app: "${appId()}.`);
    const operation = stack.emulator
      .operations(stack.projectId)
      .find(({ endpoint_id }) => endpoint_id === appId());
    expect(operation).toMatchObject({ action: "start_compute", status: "finished" });
  });

  it("stores every stable field and none that changes by itself", async () => {
    const { id, outputs } = (await stack.stateOf("app"))!;
    expect(outputs).toMatchObject({
      endpointId: id,
      branchId: freeBranch,
      type: "read_write",
      autoscalingLimitMinCu: 0.25,
      suspendTimeoutSeconds: 300,
    });
    expect(Object.keys(outputs)).toEqual(
      expect.arrayContaining(["host", "proxyHost", "regionId", "createdAt"]),
    );
    for (const volatile of [
      "currentState",
      "pendingState",
      "lastActive",
      "updatedAt",
      "interruption",
      "__dryRun",
    ]) {
      expect(outputs).not.toHaveProperty(volatile);
    }
  });

  it.each([
    ["preview", ["preview", "--expect-no-changes"]],
    ["up", ["up", "--yes", "--skip-preview", "--expect-no-changes"]],
  ])("shows no change in a second %s, and sends no more than one list", async (_name, words) => {
    stack.emulator.clearRequests();
    await stack.ok(words);
    // The plugin reads before it plans, and sees what was changed by hand.
    const reads = variant === "native" ? ["listEndpoints"] : [];
    expect(stack.emulator.requests().map(({ route }) => route)).toEqual(reads);
    stack.emulator.clearRequests();
    await stack.ok(words, { COMPUTE_REFRESH_BEFORE_UPDATE: "false" });
    expect(stack.emulator.requests().map(({ route }) => route)).toEqual(reads);
  });

  it("refreshes without a change", async () => {
    await stack.ok(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
    await stack.ok(["preview", "--expect-no-changes"]);
  });

  describe("a size change", () => {
    const notice = "restart: size 0.25 → 1 CU drops open connections (active now";
    // The update must write the same under a saved plan.
    const inDiff = "restart: size 0.25 → 1 CU drops open connections; max_";
    beforeAll(() => {
      stack.declare({ app: { args: app({ ...fixedSize(1) }) } });
    });

    it("says on the row that it restarts, once", async () => {
      const { output } = await stack.ok(["preview"]);
      expect(output).toMatch(
        /Endpoint app update \[diff: \+interruption~autoscalingLimitMaxCu,autoscalingLimitMinCu\]/,
      );
      const diagnostics = output.slice(output.indexOf("Diagnostics:"));
      expect(diagnostics.split(`warning: ${notice}`)).toHaveLength(2);
    });

    it("says it in --diff", async () => {
      const { output } = await stack.ok(["preview", "--diff"]);
      expect(output).toMatch(new RegExp(`\\+ interruption\\s*: "${inDiff.replace("(", "\\(")}`));
      expect(output).toContain(`warning: ${notice}`);
    });

    it("says it in --json, with the URN", async () => {
      const { stdout } = await stack.ok(["preview", "--json"]);
      const preview = JSON.parse(stdout) as {
        steps: { urn: string; op: string; newState: { inputs: Record<string, unknown> } }[];
        diagnostics: unknown[];
      };
      const step = preview.steps.find(({ op }) => op === "update");
      expect(step?.newState.inputs["interruption"]).toContain(inDiff);
      expect(preview.diagnostics).toContainEqual(
        expect.objectContaining({
          urn: step?.urn,
          severity: "warning",
          message: expect.stringContaining(notice) as string,
        }),
      );
    });

    it("sends a PATCH with the sizes alone, and shows no old notice afterwards", async () => {
      stack.emulator.clearRequests();
      await stack.ok(["up", "--yes", "--skip-preview"]);
      const patches = stack.emulator.requests().filter(({ method }) => method === "PATCH");
      expect(patches.map(({ body }) => body)).toEqual([
        { endpoint: { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 } },
      ]);
      expect(stack.emulator.counters(appId()).causes.size).toBe(1);
      const state = JSON.stringify((await stack.stateOf("app"))?.outputs);
      expect(state).not.toContain("interruption");
      const { output } = await stack.ok(["preview", "--diff"]);
      expect(output).not.toContain("interruption");
    });
  });

  it("says nothing of a restart for an autosuspend change", async () => {
    stack.declare({ app: { args: app({ ...fixedSize(1), suspendTimeoutSeconds: 600 }) } });
    const before = stack.emulator.counters(appId()).interruptions;
    const preview = await stack.ok(["preview", "--diff"]);
    expect(preview.output).toContain("suspendTimeoutSeconds: 300 => 600");
    expect(preview.output).not.toMatch(/restart|interrupt|warning/);
    await stack.ok(["up", "--yes", "--skip-preview"]);
    expect(stack.emulator.counters(appId()).interruptions).toBe(before);
  });

  it("moves the compute to another branch by PATCH, and says so", async () => {
    const id = appId();
    stack.declare({
      app: { args: app({ ...fixedSize(1), suspendTimeoutSeconds: 600, branchId: otherBranch }) },
    });
    const { output } = await stack.ok(["up", "--yes", "--skip-preview"]);
    expect(output).toContain(`move: branchId ${freeBranch} → ${otherBranch} drops open connections`);
    expect(stack.emulator.endpoint(id).endpoint.branch_id).toBe(otherBranch);
  });

  it("adds a read replica on the default branch, beside its primary", async () => {
    stack.declare({
      app: { args: app({ ...fixedSize(1), suspendTimeoutSeconds: 600, branchId: otherBranch }) },
      replica: {
        args: {
          projectId: stack.projectId,
          branchId: stack.defaultBranchId,
          type: "read_only",
          autoscalingLimitMinCu: 0.25,
          autoscalingLimitMaxCu: 2,
        },
      },
    });
    await stack.ok(["up", "--yes", "--skip-preview"]);
    const types = stack.emulator
      .endpoints(stack.projectId)
      .filter(({ endpoint }) => endpoint.branch_id === stack.defaultBranchId)
      .map(({ endpoint }) => endpoint.type);
    expect(types.sort()).toEqual(["read_only", "read_write"]);
  });

  it("restarts the compute once when a trigger changes", async () => {
    const id = appId();
    const before = stack.emulator.counters(id).causes.restart;
    stack.declare({
      app: {
        args: app({
          ...fixedSize(1),
          suspendTimeoutSeconds: 600,
          branchId: otherBranch,
          restartTriggers: { release: "2" },
        }),
      },
    });
    // The move left it idle, and an idle compute has nothing to restart.
    stack.emulator.connect(id);
    stack.emulator.clearRequests();
    const { output } = await stack.ok(["up", "--yes", "--skip-preview"]);
    expect(output).toContain("restart: restartTriggers (release) drops open connections");
    expect(stack.emulator.requests().filter(({ route }) => route === "restartEndpoint")).toHaveLength(1);
    expect(stack.emulator.counters(id).causes.restart).toBe(before + 1);
    await stack.ok(["preview", "--expect-no-changes"]);
  });

  it("shows a create for a compute that was deleted behind its back", async () => {
    const gone = appId();
    deleteByHand(stack, gone);
    const refresh = await stack.ok(["refresh", "--yes", "--skip-preview"]);
    expect(refresh.output).toContain("Endpoint app delete");
    const preview = await stack.ok(["preview"]);
    expect(preview.output).toContain("Endpoint app create");
    await stack.ok(["up", "--yes", "--skip-preview"]);
    expect(appId()).not.toBe(gone);
  });

  it("destroys everything: the interface lists what was there before", async () => {
    await stack.ok(["destroy", "--yes", "--skip-preview"]);
    const left = stack.emulator
      .endpoints(stack.projectId)
      .map(({ endpoint }) => [endpoint.branch_id, endpoint.type]);
    expect(left).toEqual([[stack.defaultBranchId, "read_write"]]);
  });
});
