import { fixedSize } from "../../provider/pure/sizes";
import { createStack, variants, type TestStack } from "../support/stack";

const up = ["up", "--yes"];

describe.each(variants)("arguments that are outputs, with the %s variant", (variant) => {
  let stack: TestStack;
  beforeEach(async () => {
    stack = await createStack({ variant });
  });
  afterEach(() => stack.close());

  const computes = (): string[] =>
    stack.emulator.endpoints(stack.projectId).map(({ endpoint }) => endpoint.id);

  it("keep an adopted compute on destroy, and delete one that was created because adopt resolved to nothing", async () => {
    const { projectId, defaultBranchId: branchId } = stack;
    const replica = { branch_id: branchId, type: "read_only" };
    const [first, second] = [1, 2].map(() => stack.emulator.createEndpoint(projectId, replica).endpoint.id);
    const existing = computes();
    const args = { projectId, branchId, type: "read_only" };
    stack.declare({
      adopts: { args: { ...args, adopt: { $output: first } } },
      adoptsInSecret: { args: { ...args, adopt: { $secret: second } } },
      createsForNull: { args: { ...args, adopt: null } },
      createsForOutput: { args: { ...args, adopt: { $output: null } } },
      createsForSecret: { args: { ...args, adopt: { $secret: null } } },
      createsAndStays: { args: { ...args, adopt: { $output: null } }, opts: { retainOnDelete: true } },
    });
    await stack.ok(up);
    expect(computes()).toHaveLength(existing.length + 4);
    const stays = (await stack.stateOf("createsAndStays"))!.id;
    await stack.ok(["preview", "--expect-no-changes"]);
    await stack.ok(["destroy", "--yes", "--skip-preview"]);
    expect(computes().sort()).toEqual([...existing, stays].sort());
  });

  it("are looked up once their resource exists, and in the preview of a move once it has moved", async () => {
    const emptyBranch = (): string =>
      stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    const declare = (branchId: string): void => {
      const args = { projectId: stack.projectId, branchId, ...fixedSize(0.25) };
      stack.declare({ app: { args, lookUp: true } });
    };
    const hosts = async (): Promise<Record<string, string>> =>
      JSON.parse((await stack.ok(["stack", "output", "--json"])).stdout) as Record<string, string>;

    declare(emptyBranch());
    await stack.ok(up);
    const { app, appPrimary } = await hosts();
    expect(appPrimary).toBe(app);
    await stack.ok(["preview", "--expect-no-changes"]);
    declare(emptyBranch());
    await stack.ok(up);
    await expect(hosts()).resolves.toEqual({ app, appPrimary });
  });
});
