import { created, failureOf, partialFailureOf, size, type Bench } from "./bench";
import { bench, reopen } from "./eachTest";

/** The resource adopts the primary of the default branch. */
const adopting = (more: object = {}): ReturnType<Bench["create"]> =>
  bench.create({ branchId: bench.defaultBranchId, adopt: bench.defaultPrimaryId, ...more });

/** Suspends the primary of the default branch, and starts it with an operation that ends in this status. */
function startTo(endStatus: string): void {
  const { clock, emulator, defaultPrimaryId } = bench;
  clock.advance(5_000);
  emulator.suspendEndpoint(defaultPrimaryId);
  clock.advance(5_000);
  emulator.setTimeline({ action: "start_compute", endStatus, times: 1 });
  emulator.connect(defaultPrimaryId);
  clock.advance(5_000);
}

describe("adopt", () => {
  it("takes over a compute that is as declared, with no write", async () => {
    const { id, outs } = await adopting();
    expect(id).toBe(bench.defaultPrimaryId);
    expect(outs).toMatchObject({ endpointId: id, branchId: bench.defaultBranchId, type: "read_write" });
    const routes = bench.takeRoutes();
    expect(routes).not.toContain("createEndpoint");
    expect(routes).not.toContain("updateEndpoint");
  });

  it("waits for what goes on at the compute, and does not mind what failed before", async () => {
    startTo("failed");
    await expect(adopting()).resolves.toMatchObject({ id: bench.defaultPrimaryId });
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 20_000, times: 1 });
    bench.emulator.connect(bench.defaultPrimaryId);
    await adopting();
    expect(bench.live(bench.defaultPrimaryId).current_state).toBe("active");
    expect(bench.said).toEqual([]);
  });

  it.each([
    { reason: "as it is", more: {} },
    { reason: "with a change", more: size(2) },
  ])("takes over, $reason, what is active after an operation in an unknown status", async ({ more }) => {
    startTo("parked");
    bench.emulator.connect(bench.defaultPrimaryId);
    bench.clock.advance(5_000);
    expect(bench.live(bench.defaultPrimaryId).current_state).toBe("active");
    await expect(adopting(more)).resolves.toMatchObject({ id: bench.defaultPrimaryId });
    expect(bench.said[0]).toMatch(
      /^warning: taking over .* \(parked\) did not end well; the compute is active now/,
    );
  });

  it("keeps the id where bringing it to the declared settings fails", async () => {
    bench.clock.advance(5_000);
    bench.emulator.setTimeline({ action: "apply_config", endStatus: "failed", times: 1 });
    const failed = await partialFailureOf(adopting({ suspendTimeoutSeconds: 600 }));
    expect(failed.id).toBe(bench.defaultPrimaryId);
  });

  it.each([
    { reason: "the wrong branch", more: { branchId: "br-other-1" }, says: "its branchId is" },
    { reason: "the wrong type", more: { type: "read_only" }, says: "its type is read_write" },
    { reason: "the wrong region", more: { regionId: "elsewhere-1" }, says: "its regionId is local-1" },
  ])("refuses $reason, and touches nothing", async ({ more, says }) => {
    await expect(adopting(more)).rejects.toThrow(`adopting compute ${bench.defaultPrimaryId}: ${says}`);
    expect(bench.takeRoutes()).toEqual(["listEndpoints"]);
  });

  it("is refused in the create too, where another resource of the program turns out to have it", async () => {
    const state = await created(bench, { type: "read_only" });
    const held = bench.declared({ ...size(1), type: "read_only" });
    const adopting = { ...held, ...size(2), __urn: "urn:heir", adopt: state.endpointId };
    const run = bench.process();
    expect((await run.handlers.check({}, adopting)).failures).toEqual([]);
    // The engine goes on with the one resource while another one's diff fails.
    await run.handlers.check({ ...held }, { ...held });
    await failureOf(run.handlers.diff(state.endpointId, { ...state }, held));
    await expect(run.create(adopting)).rejects.toThrow(/both hold it\. Remove one of the two/);
    expect(bench.takeRoutes()).toEqual([]);
  });

  it("takes whatever the service calls a replica for one", async () => {
    await reopen({ switches: { replicaType: "read_replica" } });
    const id = bench.madeByOthers({ type: "read_replica" });
    await expect(bench.create({ type: "read_only", adopt: id })).resolves.toMatchObject({ id });
  });
});
