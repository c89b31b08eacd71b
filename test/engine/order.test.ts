import { fixedSize } from "../../provider/sizes";
import { createStack, doors, type TestStack } from "../support/stack";

jest.setTimeout(180_000);

describe.each(doors)("a branch with three replicas, behind the %s door", (door) => {
  let stack: TestStack;
  const names = ["primary", "one", "two", "three"];
  const declare = (cu: number, branchId: string): void => {
    const args = { projectId: stack.projectId, branchId, ...fixedSize(cu) };
    stack.declare(
      Object.fromEntries(
        names.map((name) => [
          name,
          { args: { ...args, type: name === "primary" ? "read_write" : "read_only" } },
        ]),
      ),
    );
  };
  beforeAll(async () => {
    stack = await createStack({ door, operationMs: 300 });
  });
  afterAll(() => stack.close());

  it("is never without a compute that answers while all of them are resized", async () => {
    const { id: branchId } = stack.emulator.createBranch(stack.projectId, { compute: false }).branch;
    declare(0.25, branchId);
    await stack.ok(["up", "--yes", "--skip-preview"]);
    declare(1, branchId);
    stack.emulator.clearRequests();
    await stack.ok(["up", "--yes", "--skip-preview"]);
    const nameOf = new Map<string | undefined, string>();
    for (const name of names) nameOf.set((await stack.stateOf(name))?.id, name);
    const patched = stack.emulator
      .requests()
      .filter(({ method }) => method === "PATCH")
      .map(({ path }) => nameOf.get(path.split("/").at(-1)));
    expect([...patched].sort()).toEqual([...names].sort());
    expect(patched.at(-1)).toBe("primary");
    // By the control plane's log: the operations of one have ended before those of the next begin.
    const spans = patched.map((name) => {
      const id = [...nameOf].find(([, other]) => other === name)?.[0];
      const own = stack.emulator
        .operations(stack.projectId)
        .filter(({ endpoint_id }) => endpoint_id === id)
        .slice(0, 2);
      const times = own.flatMap(({ created_at, updated_at }) => [created_at, updated_at]).map(Date.parse);
      return [Math.min(...times), Math.max(...times)] as const;
    });
    for (const [index, [from]] of spans.entries())
      if (index > 0) expect(from).toBeGreaterThanOrEqual(spans[index - 1]![1]);
  });
});
