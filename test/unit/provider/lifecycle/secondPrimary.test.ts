import { answers, failureOf, openBench, size, created, type Bench } from "./bench";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});

describe("a second primary", () => {
  it("is refused before anything is sent, with the line that adopts the first", async () => {
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
      bench = await openBench({ switches: { secondPrimaryStatus } });
      // The list of the intent is from before the rival's create.
      bench.spoil("listEndpoints", { kind: "stale" });
      const rival = bench.madeByOthers();
      const error = await failureOf(bench.create());
      expect(error.message).toContain(`compute ${rival}`);
      expect(error.message).toContain(`adopt: "${rival}"`);
      expect(bench.computes()).toEqual([rival]);
    },
  );

  it("is refused with the name of the resource of the program that has the first", async () => {
    const state = await created(bench);
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
    const rival = bench.madeByOthers();
    bench.spoil("createEndpoint", answers(409));
    const { id } = await bench.create({ type: "read_only" });
    expect(bench.computes()).toEqual([rival, id]);
  });

  it("does not stand in the way where it has just been deleted and a list still shows it", async () => {
    const old = bench.madeByOthers();
    bench.clock.advance(5_000);
    bench.spoil("listEndpoints", { kind: "stale" });
    bench.emulator.deleteEndpoint(old);
    const { id } = await bench.create();
    expect(bench.computes()).toEqual([id]);
  });
});
