import { createMiniEngine } from "../../../support/miniEngine";
import { variants } from "../../../support/variants";
import { closeBenches, failureOf, openBench, size, type Bench } from "./bench";

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

/** A create that is cut off before the service has it; nothing more is seen of the service. */
async function cutOffBefore(bench: Bench, type: string): Promise<void> {
  bench.emulator.addFault({ kind: "cut", route: "createEndpoint" });
  bench.emulator.addFault({ kind: "status", status: 500, after: 1, times: 1_000 });
  await failureOf(bench.process().create(declared(bench, type)));
  bench.emulator.clearFaults();
  bench.takeRoutes();
}

describe("what another team makes on the branch after a create that was cut off", () => {
  it("is named where it is the primary, and never changed", async () => {
    const bench = await openBench();
    await cutOffBefore(bench, "read_write");
    const theirs = madeByOthers(bench, "read_write");
    const error = await failureOf(bench.process().create(declared(bench, "read_write")));
    expect(error.message).toContain(`adopt: "${theirs}"`);
    expect(error.message).not.toContain("not certain");
    expect(bench.takeRoutes()).not.toContain("updateEndpoint");
  });

  it("stands in no replica's way, and is never changed", async () => {
    const bench = await openBench();
    await cutOffBefore(bench, "read_only");
    const theirs = madeByOthers(bench, "read_only");
    const { id } = await bench.process().create(declared(bench, "read_only"));
    expect(bench.computes()).toEqual([theirs, id]);
    expect(bench.takeRoutes()).not.toContain("updateEndpoint");
  });

  it("is told from ours in the journal by a hash of what is secret", async () => {
    const bench = await openBench();
    const secret = { __secrets: ["settings"], settings: { pgSettings: { application_name: "of-ours" } } };
    bench.emulator.addFault({ kind: "cut", route: "createEndpoint" });
    bench.emulator.addFault({ kind: "status", status: 500, after: 1, times: 1_000 });
    await failureOf(bench.process().create(bench.declared({ type: "read_only", ...secret })));
    bench.emulator.clearFaults();
    const settings = { pg_settings: { application_name: "of-theirs" } };
    const theirs = madeByOthers(bench, "read_only", { settings });
    const { id } = await bench.process().create(bench.declared({ type: "read_only", ...secret }));
    expect(bench.computes()).toEqual([theirs, id]);
  });
});

describe("what another team makes while a create is answered with 502, and was not done", () => {
  it.each(["read_write", "read_only"])("is not taken for ours: %s", async (type) => {
    const bench = await openBench();
    bench.emulator.addFault({ kind: "status", status: 502, route: "createEndpoint" });
    const creating = failureOf(bench.process().create(declared(bench, type)));
    while (bench.emulator.requests().every(({ route }) => route !== "createEndpoint"))
      await new Promise((resolve) => setImmediate(resolve));
    const theirs = madeByOthers(bench, type);
    const { message } = await creating;
    expect(message).toMatch(type === "read_write" ? `adopt: "${theirs}"` : "the outcome is unknown");
    expect(bench.computes()).toEqual([theirs]);
    expect(bench.takeRoutes()).not.toContain("updateEndpoint");
  });
});

describe("a replica that was made though the service said 503", () => {
  it("is found by a list that is seconds behind", async () => {
    const bench = await openBench();
    bench.emulator.addFault({ kind: "status", status: 503, when: "after", route: "createEndpoint" });
    // The first list is that of before.
    bench.emulator.addFault({ kind: "stale", route: "listEndpoints", after: 1, times: 2 });
    const { id } = await bench.process().create(declared(bench, "read_only"));
    expect(bench.computes()).toEqual([id]);
  });
});

describe.each(variants)("after a create that was not carried out, with the %s variant", (variant) => {
  it("a replica that somebody makes later is neither in doubt nor touched", async () => {
    const bench = await openBench();
    const { emulator, clock, projectId, branchId } = bench;
    const engine = createMiniEngine({ baseUrl: emulator.url, apiKey: emulator.apiKey, clock, variant });
    const program = { app: { args: { projectId, branchId, type: "read_only" } } };
    emulator.addFault({ kind: "cut", route: "createEndpoint" });
    const { failures } = await engine.up(program);
    expect(failures).toHaveLength(1);
    clock.advance(3 * 60_000);
    const other = emulator.createEndpoint(projectId, { branch_id: branchId, type: "read_only" }).endpoint.id;
    clock.advance(60_000);
    await expect(engine.up(program)).resolves.toMatchObject({ failures: [], steps: { app: "created" } });
    await engine.destroy();
    expect(bench.computes()).toEqual([other]);
  });
});
