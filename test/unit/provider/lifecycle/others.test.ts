import { answers, closeBenches, failureOf, openBench, size, type Bench } from "./bench";

afterEach(closeBenches);

/** What another team makes, with another size than the program asks for. */
function madeByOthers(bench: Bench, type: string, more: object = {}): string {
  const body = {
    branch_id: bench.branchId,
    type,
    autoscaling_limit_min_cu: 4,
    autoscaling_limit_max_cu: 4,
    ...more,
  };
  return bench.emulator.createEndpoint(bench.projectId, body).endpoint.id;
}

const declared = (bench: Bench, type: string): Record<string, unknown> =>
  bench.declared({ type, ...size(0.25) });

describe("what another team makes while a create is answered with 502, and was not done", () => {
  it.each(["read_write", "read_only"])("is not taken for ours: %s", async (type) => {
    const bench = await openBench();
    bench.spoil("createEndpoint", answers(502));
    const creating = failureOf(bench.create(declared(bench, type)));
    while (bench.emulator.requests().every(({ route }) => route !== "createEndpoint"))
      await new Promise((resolve) => setImmediate(resolve));
    const theirs = madeByOthers(bench, type);
    const { message } = await creating;
    expect(message).toContain(`If that create made it, add the line adopt: "${theirs}"`);
    expect(bench.computes()).toEqual([theirs]);
    expect(bench.takeRoutes()).not.toContain("updateEndpoint");
  });
});
