import { size, withCompute } from "./bench";

describe("a deletion keeps a compute", () => {
  it.each([
    { reason: "that this run has adopted", isAdopted: true },
    { reason: "that another resource of the program holds", isAdopted: false },
  ])("$reason, and names the resource that has it", async ({ isAdopted }) => {
    const { bench, state } = await withCompute({ type: "read_only" });
    const held = bench.declared({ ...size(1), type: "read_only", __urn: "urn:pulumi:dev::app::t::heir" });
    const run = bench.process();
    if (isAdopted) await run.create({ ...held, adopt: state.endpointId });
    else {
      await run.handlers.check({ ...held }, { ...held });
      await run.handlers.diff(state.endpointId, { ...state, __urn: held["__urn"] }, held);
    }
    bench.takeRoutes();
    await run.delete(state.endpointId, state);
    expect(bench.takeRoutes()).toEqual([]);
    expect(bench.said).toEqual([
      `warning: Compute ${state.endpointId} is not deleted: resource "heir" of this program holds it.`,
    ]);
    expect(bench.computes()).toEqual([state.endpointId]);
  });
});
