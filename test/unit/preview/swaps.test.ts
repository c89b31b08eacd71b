import { reportOn, size, step } from "./previews";

const move = (name: string, [from, to]: readonly [string, string], change: object = {}): object => {
  const base = { type: "read_write", projectId: "p", ...size(1), ...change };
  const verdict = { effect: "move", certain: true } as const;
  return step({ name, old: { ...base, branchId: from }, new: { ...base, branchId: to }, verdict });
};

const outcomesOf = (...steps: readonly object[]): readonly string[] =>
  reportOn(steps).computes.map(({ name, outcome, certain, drops }) =>
    [name, outcome, certain, drops].join(" "),
  );

describe("primaries that move in a circle", () => {
  it("are not promised to move: the update refuses them", () => {
    const swap = [move("a", ["br-a", "br-b"]), move("b", ["br-b", "br-a"])];
    expect([...outcomesOf(...swap, move("c", ["br-c", "br-d"]))].sort()).toEqual([
      "a move false may",
      "b move false may",
      "c move true yes",
    ]);
    const { summary, computes } = reportOn(swap);
    expect(summary).toBe("2 computes may move to another branch");
    expect(computes[0]!.clients[0]!.text).toContain("the update refuses primaries that swap branches");
    const three = [move("a", ["br-a", "br-b"]), move("b", ["br-b", "br-c"]), move("c", ["br-c", "br-a"])];
    expect(outcomesOf(...three).join()).toMatch(/^(\w move false may,?){3}$/);
  });

  it.each([
    ["a chain, which is applied in the order that works", move("b", ["br-b", "br-c"])],
    ["replicas", move("b", ["br-b", "br-a"], { type: "read_only" })],
    ["another project's", move("b", ["br-b", "br-a"], { projectId: "q" })],
  ])("are not %s", (_reason, second) => {
    expect(outcomesOf(move("a", ["br-a", "br-b"]), second)).toContain("a move true yes");
  });
});
