import { fixedSize } from "../../provider/model/sizes";
import { useStack, variants } from "../support/stack";

describe.each(variants)("arguments that are outputs, with the %s variant", (variant) => {
  const stack = useStack({ variant });

  it("keep an adopted compute on destroy, and delete one that was created because adopt resolved to nothing", async () => {
    const { projectId, defaultBranchId: branchId } = stack;
    const replica = { branch_id: branchId, type: "read_only" };
    const [first, second] = [1, 2].map(() => stack.emulator.createEndpoint(projectId, replica).endpoint.id);
    const existing = stack.computes();
    const adopting = (adopt: unknown): { args: Record<string, unknown> } => ({
      args: { projectId, branchId, type: "read_only", adopt },
    });
    stack.declare({
      adopts: adopting({ $output: first }),
      adoptsInSecret: adopting({ $secret: second }),
      createsForNull: adopting(null),
      createsForOutput: adopting({ $output: null }),
      createsForSecret: adopting({ $secret: null }),
      createsAndStays: { ...adopting({ $output: null }), opts: { retainOnDelete: true } },
    });
    await stack.ok(["up", "--yes"]);
    expect(stack.computes()).toHaveLength(existing.length + 4);
    const stays = (await stack.stateOf("createsAndStays"))!.id;
    await stack.destroy();
    expect(stack.computes()).toEqual([...existing, stays].sort());
  });
});

describe("arguments that are outputs of a compute", () => {
  const stack = useStack({});

  it("are looked up once their resource exists, and in the preview of a move once it has moved", async () => {
    const upOn = async (branchId: string): Promise<Readonly<Record<string, unknown>>> => {
      const args = { projectId: stack.projectId, branchId, ...fixedSize(0.25) };
      stack.declare({ app: { args, lookUp: true } });
      await stack.ok(["up", "--yes"]);
      return stack.outputs();
    };
    const { app, appPrimary } = await upOn(stack.emptyBranch());
    expect(appPrimary).toBe(app);
    await expect(upOn(stack.emptyBranch())).resolves.toEqual({ app, appPrimary });
  });
});
