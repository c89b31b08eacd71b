/**
 * The order of the computes of a branch is Pulumi's, by `dependsOn` (docs/interruptions.md, "The order of restarts"): a change that
 * no compute survives is met by a replica, in every run.
 */
import { fixedSize } from "../../provider/model/sizes";
import { up, useStack, variants, type Declared } from "../support/stack";

describe.each(variants)("dependsOn, with the %s variant", (variant) => {
  const stack = useStack({ variant });
  const compute = (type: string, branchId: string, more: object): Record<string, unknown> => ({
    ...{ projectId: stack.projectId, branchId, type },
    ...more,
  });
  /** A branch's replica `c` first, `a` and `b` after it, and the primary last. */
  const branchOf = (branchId: string, more: (name: string) => object): Declared => ({
    c: { args: compute("read_only", branchId, more("c")) },
    a: { args: compute("read_only", branchId, more("a")), opts: { dependsOn: ["c"] } },
    b: { args: compute("read_only", branchId, more("b")), opts: { dependsOn: ["c"] } },
    app: { args: compute("read_write", branchId, more("app")), opts: { dependsOn: ["a", "b"] } },
  });
  const idsByName = async (names: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const ids = await Promise.all(
      names.map(async (name) => [(await stack.stateOf(name))?.id ?? "", name] as const),
    );
    return new Map(ids);
  };
  /** What was sent, by the names of resources, in the order in which it arrived. */
  const sent = (method: string, names: ReadonlyMap<string, string>): readonly string[] =>
    stack.emulator
      .requests()
      .filter((request) => request.method === method)
      .map(({ path }) => names.get(/ep-[^/]+/.exec(path)?.[0] ?? "") ?? "");
  const all = ["c", "a", "b", "app"];

  it("has a change with which no compute starts met by a replica alone, in the next runs too", async () => {
    const branchId = stack.emptyBranch();
    stack.declare(branchOf(branchId, () => fixedSize(1)));
    await stack.up();
    const names = await idsByName(all);
    stack.declare(branchOf(branchId, () => fixedSize(2)));
    stack.emulator.setTimeline({ action: "start_compute", endStatus: "failed" });
    stack.emulator.clearRequests();
    await stack.fails(up);
    expect(sent("PATCH", names)).toEqual(["c"]);
    const c = [...names].find(([, name]) => name === "c")![0];
    // The emulator leaves a compute as it was where its start fails.
    stack.emulator.suspendEndpoint(c);
    await stack.pulumi(["preview"]);
    for (const more of [[], ["--continue-on-error"]]) {
      const output = await stack.fails([...up, ...more]);
      expect(output).toContain("failed; that change sent autoscalingLimitMinCu and autoscalingLimitMaxCu");
    }
    expect(sent("PATCH", names)).toEqual(["c"]);

    stack.emulator.clearTimelines();
    stack.emulator.connect(c);
    await stack.up();
    const [first, second, ...later] = sent("PATCH", names);
    expect([first, ...[second, later[0]].sort(), later[1]]).toEqual(all);
    await stack.ok(["preview", "--expect-no-changes"]);

    stack.emulator.clearRequests();
    await stack.destroy();
    expect(sent("DELETE", names).at(0)).toBe("app");
    expect(sent("DELETE", names).at(-1)).toBe("c");
  });

  const itWith = (one: typeof variant): typeof it =>
    variant === one ? it : ((() => undefined) as unknown as typeof it);

  itWith("native")("orders adoptions as well", async () => {
    const branchId = stack.emptyBranch();
    const made = new Map(
      all.map((name) => {
        const type = name === "app" ? "read_write" : "read_only";
        const { endpoint } = stack.emulator.createEndpoint(stack.projectId, { branch_id: branchId, type });
        return [endpoint.id, name] as const;
      }),
    );
    const idOf = (name: string): string => [...made].find(([, other]) => other === name)![0];
    stack.declare(branchOf(branchId, (name) => ({ ...fixedSize(2), adopt: idOf(name) })));
    stack.emulator.clearRequests();
    await stack.up();
    const order = sent("PATCH", made);
    expect([order[0], ...order.slice(1, 3).sort(), order[3]]).toEqual(all);
  });

  itWith("dynamic")(
    "sends no primary of ten branches before its replica, with Pulumi's default parallelism",
    async () => {
      const branches = Array.from({ length: 10 }, () => stack.emptyBranch());
      const names = branches.flatMap((_, index) => [`replica${index}`, `primary${index}`]);
      const declare = (cu: number): void => {
        const pairs = branches.map((branchId, index) => ({
          [`replica${index}`]: { args: compute("read_only", branchId, fixedSize(cu)) },
          [`primary${index}`]: {
            args: compute("read_write", branchId, fixedSize(cu)),
            opts: { dependsOn: [`replica${index}`] },
          },
        }));
        stack.declare(Object.assign({}, ...pairs) as Declared);
      };
      declare(1);
      await stack.up();
      const ids = await idsByName(names);
      stack.emulator.clearRequests();
      declare(2);
      await stack.up();
      const order = sent("PATCH", ids);
      const early = branches
        .map((_, index) => index)
        .filter((index) => order.indexOf(`primary${index}`) < order.indexOf(`replica${index}`));
      expect([order.length, early]).toEqual([20, []]);
    },
  );
});
