import { answers, closeBenches, failureOf, openBench, size, withCompute } from "./bench";

afterEach(closeBenches);

describe("a second primary", () => {
  it("is refused before anything is sent, with the line that adopts the first", async () => {
    const bench = await openBench();
    const error = await failureOf(bench.create({ branchId: bench.defaultBranchId }));
    expect(error.message).toContain(
      `the branch has its one primary already, compute ${bench.defaultPrimaryId}`,
    );
    expect(error.message).toContain(`adopt: "${bench.defaultPrimaryId}"`);
    expect(error.message).toContain("If another resource of this program declares it, remove one of the two");
    expect(bench.takeRoutes()).toEqual(["listEndpoints", "listEndpoints"]);
  });

  it.each([409, 400, 412, 422, 423] as const)(
    "is named where the service refuses it with %d, since it came in between",
    async (secondPrimaryStatus) => {
      const bench = await openBench({ switches: { secondPrimaryStatus } });
      // The list of the intent is from before the rival's create.
      bench.spoil("listEndpoints", { kind: "stale" });
      const rival = bench.emulator.createEndpoint(bench.projectId, {
        branch_id: bench.branchId,
        type: "read_write",
      });
      const error = await failureOf(bench.create());
      expect(error.message).toContain(`compute ${rival.endpoint.id}`);
      expect(error.message).toContain(`adopt: "${rival.endpoint.id}"`);
      expect(bench.computes()).toEqual([rival.endpoint.id]);
    },
  );

  it("is refused with the name of the resource of the program that has the first", async () => {
    const { bench, state } = await withCompute();
    const run = bench.process();
    const held = bench.declared(size(1));
    await run.handlers.check({ ...held }, { ...held });
    await run.handlers.diff(state.endpointId, { ...state }, held);
    const error = await failureOf(run.create(bench.declared({ __urn: "urn:second" })));
    expect(error.message).toContain(
      `the branch has its one primary already, compute ${state.endpointId} of resource "db". Remove one of the two resources`,
    );
    expect(error.message).not.toContain("adopt");
  });

  it("is not what a conflict of a replica means: its create is sent again once the operations have ended", async () => {
    const bench = await openBench();
    const { endpoint: rival } = bench.emulator.createEndpoint(bench.projectId, {
      branch_id: bench.branchId,
      type: "read_write",
    });
    bench.spoil("createEndpoint", answers(409));
    const { id } = await bench.create({ type: "read_only" });
    expect(bench.computes()).toEqual([rival.id, id]);
  });

  it("does not stand in the way where it has just been deleted and a list still shows it", async () => {
    const bench = await openBench();
    const old = bench.emulator.createEndpoint(bench.projectId, {
      branch_id: bench.branchId,
      type: "read_write",
    });
    bench.clock.advance(5_000);
    bench.spoil("listEndpoints", { kind: "stale" });
    bench.emulator.deleteEndpoint(old.endpoint.id);
    const { id } = await bench.create();
    expect(bench.computes()).toEqual([id]);
  });
});
