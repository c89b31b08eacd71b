import { fixedSize } from "../../provider/model/sizes";
import { deleteByHand } from "../support/byHand";
import { useStack } from "../support/stack";

// The plugin also reads before it plans. life.test.ts has a refresh with the dynamic variant, and the mini engine both.
describe("what happens outside the program, with the native variant", () => {
  const branches = new Map<string, string>();
  const names = ["deleted", "moved", "resized", "restarted"] as const;
  const stack = useStack({ variant: "native" }, ({ projectId }) => {
    for (const name of [...names, "elsewhere"]) branches.set(name, stack.emptyBranch());
    const args = (name: string): object => ({ projectId, branchId: branches.get(name), ...fixedSize(1) });
    stack.declare(Object.fromEntries(names.map((name) => [name, { args: { ...args(name) } }])));
    return stack.up();
  });
  const idOf = async (name: string): Promise<string> => (await stack.stateOf(name))?.id ?? "";

  it("is shown after a refresh as exactly the steps that bring it back, and what they interrupt", async () => {
    const { emulator } = stack;
    deleteByHand(stack, await idOf("deleted"));
    for (const name of ["moved", "resized", "restarted"]) emulator.connect(await idOf(name));
    emulator.updateEndpoint(await idOf("moved"), { branch_id: branches.get("elsewhere") });
    const size = { autoscaling_limit_min_cu: 4, autoscaling_limit_max_cu: 4 };
    emulator.updateEndpoint(await idOf("resized"), size);
    emulator.restartEndpoint(await idOf("restarted"));
    await stack.ok(["refresh", "--yes"]);
    const planned = (await stack.previewed()).steps
      .filter(({ op, urn }) => op !== "refresh" && /compute:(index:)?Endpoint/.test(urn))
      .map(({ op, urn, newState }) => {
        const [notice = ""] = ((newState?.inputs?.["interruption"] ?? "") as string).split(/ drops?\b/);
        return `${urn.split("::").at(-1) ?? ""} ${op} ${notice}`.trim();
      });
    const [moved, elsewhere] = [branches.get("moved"), branches.get("elsewhere")];
    expect(planned.sort()).toEqual([
      "deleted create",
      `moved update move: branchId ${elsewhere} → ${moved}`,
      "resized update restart: size 4 → 1 CU",
    ]);
  });

  it("is never forbidden to a refresh, and no refresh warns of what it does not do", async () => {
    const forbid = { COMPUTE_ON_INTERRUPTION: "forbid" };
    const { id, urn } = (await stack.stateOf("resized"))!;
    const { output } = await stack.ok(["refresh", "--yes"], forbid);
    expect(output).not.toMatch(/(restart|move): /);
    // By hand to what the program says: there is nothing left to do, and nothing to forbid.
    stack.emulator.updateEndpoint(id, { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 });
    const { stdout } = await stack.previewed(forbid, "--refresh", "--target", urn);
    expect(stdout).not.toContain("restart: ");
  });

  it("is brought back by the next up, and stays so", async () => {
    await stack.up();
    await stack.ok(["preview", "--expect-no-changes"]);
    for (const name of names) {
      const { endpoint } = stack.emulator.endpoint(await idOf(name));
      expect(endpoint).toMatchObject({ branch_id: branches.get(name), autoscaling_limit_min_cu: 1 });
    }
  });
});
