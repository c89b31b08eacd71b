import path from "node:path";
import { fixedSize } from "../../provider/model/sizes";
import { useStack, variants } from "../support/stack";

/** One stack; each change begins where the one before ended. */
describe.each(variants)("each kind of change with the %s variant", (variant) => {
  let args: Readonly<Record<string, unknown>> = {};
  let id: string;
  const stack = useStack({ variant }, async ({ projectId }) => {
    declare({ projectId, branchId: stack.emptyBranch(), ...fixedSize(0.25), suspendTimeoutSeconds: 300 });
    await stack.up();
    ({ id } = (await stack.stateOf("app"))!);
  });
  function declare(more: object): void {
    args = { ...args, ...more };
    stack.declare({ app: { args } });
  }

  it("is told in the diff, and done in place: a move", async () => {
    stack.emulator.connect(id);
    declare({ branchId: stack.emptyBranch() });
    const { output } = await stack.ok(["up", "--yes", "--diff"]);
    expect(output).toMatch(/warning: move: branchId \S+ → \S+ .*\(active now/);
    // Without live facts: the update must write the same under a saved plan.
    expect(output).toMatch(/\+ interruption\s*: "move: branchId \S+ → [^("]+"/);
    expect((await stack.stateOf("app"))?.id).toBe(id);
    expect(stack.emulator.endpoint(id).endpoint).toMatchObject({ branch_id: args["branchId"] });
  });

  // The state and the program are the same with the plugin.
  if (variant === "dynamic")
    it("is shown by no later command, and was sent once", async () => {
      expect(stack.emulator.counters(id).causes).toMatchObject({ size: 0, move: 1 });
      const { output: withProgram } = await stack.ok(["refresh", "--yes", "--skip-preview", "--run-program"]);
      expect(withProgram).not.toMatch(/diff: .*-type/);
      const { output } = await stack.ok(["preview", "--diff", "--expect-no-changes"]);
      expect(output).not.toContain("interruption");
    });

  it("is done under a saved plan by the plugin, and refused with the dynamic provider before it is sent", async () => {
    declare(fixedSize(2));
    const plan = path.join(stack.folder, "plan.json");
    await stack.ok(["preview", "--save-plan", plan]);
    const update = ["up", "--yes", "--skip-preview", "--plan", plan];
    // Its notice is among the inputs of the preview alone.
    if (variant === "dynamic") expect(await stack.fails(update)).toContain("violates plan");
    else await stack.ok(update);
    const size = variant === "dynamic" ? 0.25 : 2;
    expect(stack.emulator.endpoint(id).endpoint.autoscaling_limit_max_cu).toBe(size);
  });
});
