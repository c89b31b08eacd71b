import { fixedSize } from "../../provider/pure/sizes";
import { deleteByHand } from "../support/byHand";
import { createStack, variants, type Declared, type TestStack } from "../support/stack";

interface Preview {
  readonly steps: readonly {
    readonly op: string;
    readonly urn: string;
    readonly newState?: { readonly inputs: { readonly interruption?: string } };
  }[];
}

describe.each(variants)("what happens outside the program, with the %s variant", (variant) => {
  let stack: TestStack;
  const branches = new Map<string, string>();
  const names = ["deleted", "moved", "resized", "restarted"] as const;

  const idOf = async (name: string): Promise<string> => (await stack.stateOf(name))?.id ?? "";
  const declared = (): Declared =>
    Object.fromEntries(
      names.map((name) => [
        name,
        { args: { projectId: stack.projectId, branchId: branches.get(name), ...fixedSize(1) } },
      ]),
    );
  const previewed = async (): Promise<readonly string[]> => {
    const { steps } = JSON.parse((await stack.ok(["preview", "--json"])).stdout) as Preview;
    return steps
      .filter(({ op, urn }) => op !== "refresh" && /compute:(index:)?Endpoint/.test(urn))
      .map(({ op, urn, newState }) => {
        const [notice = ""] = (newState?.inputs.interruption ?? "").split(/ \(|;/);
        return `${urn.split("::").at(-1) ?? ""} ${op} ${notice}`.trim();
      })
      .sort();
  };

  beforeAll(async () => {
    stack = await createStack({ variant });
    for (const name of [...names, "elsewhere"])
      branches.set(name, stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id);
    stack.declare(declared());
    await stack.ok(["up", "--yes", "--skip-preview"]);
  });
  afterAll(() => stack.close());

  it("is shown after a refresh as exactly the steps that bring it back, and what they interrupt", async () => {
    const { emulator } = stack;
    deleteByHand(stack, await idOf("deleted"));
    for (const name of ["moved", "resized", "restarted"]) emulator.connect(await idOf(name));
    emulator.updateEndpoint(await idOf("moved"), { branch_id: branches.get("elsewhere") });
    emulator.updateEndpoint(await idOf("resized"), {
      autoscaling_limit_min_cu: 4,
      autoscaling_limit_max_cu: 4,
    });
    emulator.restartEndpoint(await idOf("restarted"));
    await stack.ok(["refresh", "--yes"]);
    const [moved, elsewhere] = [branches.get("moved"), branches.get("elsewhere")];
    await expect(previewed()).resolves.toEqual([
      "deleted create",
      `moved update move: branchId ${elsewhere} → ${moved} drops open connections`,
      "resized update restart: size 4 → 1 CU drops open connections",
    ]);
  });

  it("is never forbidden to a refresh, and no refresh warns of what it does not do", async () => {
    const forbid = { COMPUTE_ON_INTERRUPTION: "forbid" };
    const id = await idOf("resized");
    const { output } = await stack.ok(["refresh", "--yes"], forbid);
    expect(output).not.toContain("drops open connections");
    // By hand to what the program says: there is nothing left to do, and nothing to forbid.
    stack.emulator.updateEndpoint(id, { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 });
    const targets = ["--target", (await stack.stateOf("resized"))!.urn];
    const previewed = await stack.ok(["preview", "--refresh", "--json", ...targets], forbid);
    expect(previewed.output).not.toContain("drops open connections");
  });

  it("is brought back by the next up, and stays so", async () => {
    await stack.ok(["up", "--yes", "--skip-preview"]);
    await stack.ok(["refresh", "--yes", "--expect-no-changes"]);
    await stack.ok(["preview", "--expect-no-changes"]);
    for (const name of names) {
      const { endpoint } = stack.emulator.endpoint(await idOf(name));
      expect(endpoint).toMatchObject({ branch_id: branches.get(name), autoscaling_limit_min_cu: 1 });
    }
  });

  it("is gone with everything else on destroy", async () => {
    await stack.ok(["destroy", "--yes", "--skip-preview"]);
    const left = stack.emulator.endpoints(stack.projectId).map(({ endpoint }) => endpoint.branch_id);
    expect(left).toEqual([stack.defaultBranchId]);
  });
});
