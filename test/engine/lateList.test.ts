import { fixedSize } from "../../provider/sizes";
import { createStack, variants, type TestStack } from "../support/stack";

describe.each(variants)(
  "a service whose lists are late to show a new compute, with the %s variant",
  (variant) => {
    let stack: TestStack;

    beforeAll(async () => {
      stack = await createStack({ variant });
      const { projectId, defaultBranchId: branchId } = stack;
      const args = { projectId, branchId, type: "read_only", ...fixedSize(0.25) };
      stack.declare({ replica: { args } });
    });
    afterAll(() => stack.close());

    const replicas = (): readonly string[] =>
      stack.emulator
        .endpoints(stack.projectId)
        .filter(({ endpoint }) => endpoint.type === "read_only")
        .map(({ endpoint }) => endpoint.id);

    it("makes neither up nor refresh lose it, and the next up creates no second one", async () => {
      stack.emulator.addFault({ kind: "stale", route: "listEndpoints", times: 1_000 });
      const made = await stack.ok(["up", "--yes", "--skip-preview"]);
      expect(made.output).toContain("is not listed yet");
      expect(made.output).not.toContain("pulumi refresh");
      const refreshed = await stack.ok(["refresh", "--yes", "--skip-preview"]);
      expect(refreshed.output).toContain("the state keeps it");
      await stack.ok(["up", "--yes", "--skip-preview"]);
      expect(replicas()).toHaveLength(1);
      stack.emulator.clearFaults();
      await stack.ok(["preview", "--expect-no-changes"]);
      await stack.ok(["destroy", "--yes", "--skip-preview"]);
      expect(replicas()).toEqual([]);
    });
  },
);
