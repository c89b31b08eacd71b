import { createMiniEngine, type MiniEngine } from "../../../support/miniEngine";
import { variants, type Variant } from "../../../support/variants";
import { closeBenches, created, openBench, size, type Bench } from "./bench";

afterEach(closeBenches);

interface World {
  readonly bench: Bench;
  readonly engine: MiniEngine;
  readonly id: string;
  up(more: Record<string, unknown>): Promise<void>;
  /** What the row was told after the warning of the plan. */
  receipts(): readonly string[];
  /** In the state. */
  kept(): unknown;
}

const stack = { "compute:liveFacts": "true" };

async function open(variant: Variant, more: Record<string, unknown> = size(1)): Promise<World> {
  const bench = await openBench();
  const { emulator, clock, projectId, branchId } = bench;
  const engine = createMiniEngine({ variant, baseUrl: emulator.url, apiKey: emulator.apiKey, clock });
  const up = async (args: Record<string, unknown>): Promise<void> => {
    await engine.up({ db: { args: { projectId, branchId, ...args } } }, { stack });
  };
  await up(more);
  // The service states its time in whole seconds: the start ended before the update.
  clock.advance(2_000);
  const before = engine.said.length;
  const id = engine.stored("db")?.id ?? "";
  return {
    bench,
    engine,
    id,
    up,
    receipts: () => engine.said.slice(before).filter((text) => !/^warning: (may )?\w+: .* drops/.test(text)),
    kept: () => engine.stored("db")?.outs["__receipt"],
  };
}

/** A client keeps it active: otherwise the waits of a test suspend it. */
const connect = ({ bench, id }: World): void => void bench.emulator.connect(id);

describe.each(variants)("the receipt of an update, with the %s variant", (variant) => {
  it("says for how long the compute was away at most, and that it was announced", async () => {
    const world = await open(variant);
    await world.up(size(2));
    // apply_config and start_compute take a second each.
    expect(world.receipts()).toEqual([
      "info: restarted: not active for at most 2.3 s (start_compute), as announced",
    ]);
    expect(world.kept()).toEqual({
      happened: "restarted",
      mostMs: 2_251,
      action: "start_compute",
      announced: "restart",
    });
  });

  it("is of a restart that a trigger asked for, together with the change before it", async () => {
    const world = await open(variant, { ...size(1), restartTriggers: { release: 1 } });
    await world.up({ ...size(1), restartTriggers: { release: 2 }, suspendTimeoutSeconds: 600 });
    expect(world.receipts()).toEqual([
      "info: restarted: not active for at most 2.3 s (start_compute), as announced",
    ]);
  });

  it("is of a move", async () => {
    const world = await open(variant);
    await world.up({ ...size(1), branchId: world.bench.emptyBranch() });
    expect(world.receipts()).toEqual([expect.stringMatching(/^info: suspended \(suspend_compute\):/)]);
    expect(world.kept()).toMatchObject({ happened: "suspended", announced: "move" });
  });

  it("says that a service applied a setting while it ran, though that was not certain", async () => {
    const world = await open(variant, { ...size(1), poolerEnabled: false });
    await world.up({ ...size(1), poolerEnabled: true });
    expect(world.receipts().at(-1)).toBe(
      "info: no restart seen: the service applied it while running; it was said that it may be interrupted",
    );
  });

  it("warns of a restart that nobody announced", async () => {
    const world = await open(variant, { ...size(1), suspendTimeoutSeconds: 300 });
    // Another service: it restarts a compute for its suspend timeout too.
    world.bench.emulator.addFault({
      kind: "wrongShape",
      route: "updateEndpoint",
      body: await restartInPlaceOfUpdate(world),
    });
    await world.up({ ...size(1), suspendTimeoutSeconds: 600 });
    expect(world.receipts()).toContainEqual(
      expect.stringMatching(/^warning: restarted: not active for at most .* which no preview announced$/),
    );
    expect(world.kept()).not.toHaveProperty("announced");
  });

  it("is quiet where nothing was announced and nothing happened, and keeps that as data", async () => {
    const world = await open(variant, { ...size(1), suspendTimeoutSeconds: 300 });
    await world.up({ ...size(1), suspendTimeoutSeconds: 600 });
    expect(world.receipts()).toEqual([]);
    expect(world.kept()).toEqual({ happened: "none" });
  });

  it("knows a compute that ran nothing", async () => {
    const world = await open(variant);
    world.bench.emulator.suspendEndpoint(world.id);
    world.bench.clock.advance(5_000);
    await world.up(size(2));
    expect(world.receipts()).toEqual([
      "info: nothing was interrupted: the compute ran nothing when it changed",
    ]);
  });

  it("says that it cannot know after a lost answer", async () => {
    const world = await open(variant);
    world.bench.emulator.addFault({ kind: "cut", when: "after", route: "updateEndpoint" });
    await world.up(size(2));
    expect(world.receipts()).toEqual([
      "info: whether it was interrupted is not known: the service's answer does not name its operations",
    ]);
  });

  it("stays through refreshes and empty runs, and goes with the next update that sends nothing", async () => {
    const world = await open(variant);
    await world.up(size(2));
    const kept = world.kept();
    await world.engine.refresh();
    expect(world.kept()).toEqual(kept);
    const { steps } = await world.engine.up(
      { db: { args: { projectId: world.bench.projectId, branchId: world.bench.branchId, ...size(2) } } },
      { stack },
    );
    expect(steps).toEqual({ db: "same" });
    expect(world.kept()).toEqual(kept);
    await world.up({ ...size(2), onInterruption: "forbid" });
    expect(world.kept()).toBeUndefined();
  });

  it("is of an adoption that restarts the compute", async () => {
    const bench = await openBench();
    const { emulator, clock, projectId, defaultBranchId: branchId, defaultPrimaryId: adopt } = bench;
    const engine = createMiniEngine({ variant, baseUrl: emulator.url, apiKey: emulator.apiKey, clock });
    clock.advance(5_000);
    await engine.up({ db: { args: { projectId, branchId, adopt, ...size(4) } } });
    expect(engine.said.at(-1)).toMatch(
      /^info: restarted: not active for at most 2.3 s \(start_compute\), as/,
    );
    expect(engine.stored("db")?.outs["__receipt"]).toMatchObject({ happened: "restarted" });
  });

  it("sends no request more", async () => {
    const world = await open(variant);
    connect(world);
    world.bench.takeRoutes();
    await world.up(size(2));
    const routes = world.bench.takeRoutes();
    expect(routes.filter((route) => route === "listOperations")).toEqual([]);
  });
});

/** The answer of a service that restarts a compute for any change. */
async function restartInPlaceOfUpdate({ bench, id }: World): Promise<object> {
  const { endpoint, operations } = bench.emulator.restartEndpoint(id);
  await Promise.resolve();
  return { endpoint: { ...endpoint, suspend_timeout_seconds: 600 }, operations };
}

describe("the receipt without a diff in the same process", () => {
  it("compares with what the update itself planned, and says so", async () => {
    const bench = await openBench();
    const state = await created(bench);
    const outs = await bench.process().update(state, bench.declared(size(2)));
    expect(bench.said).toEqual(["info: restarted: not active for at most 2.3 s (start_compute), as planned"]);
    expect(outs["__receipt"]).toMatchObject({ happened: "restarted", announced: "restart", by: "update" });
  });

  it("says of an adoption that nothing was planned, and that it goes by no preview", async () => {
    const bench = await openBench();
    const { defaultBranchId: branchId, defaultPrimaryId: adopt } = bench;
    bench.clock.advance(5_000);
    const { outs } = await bench.process().create(bench.declared({ branchId, adopt, ...size(4) }));
    expect(outs["__receipt"]).toMatchObject({ happened: "restarted", by: "update" });
    expect(bench.said).toEqual([
      "warning: restarted: not active for at most 2.3 s (start_compute), which was not planned",
    ]);
  });

  it("does not take operations that an earlier run began for its own", async () => {
    const bench = await openBench();
    const state = await created(bench);
    bench.clock.advance(10_000);
    const { operations } = bench.emulator.restartEndpoint(state.endpointId);
    const left = { ...state, __operations: operations.map(({ id }) => id) };
    const outs = await bench.process().update(left, bench.declared(size(1)));
    expect(outs["__receipt"]).toMatchObject({ happened: "restarted", by: "earlier" });
    expect(bench.said).toEqual([
      "info: started or restarted: not active for at most 2.3 s (start_compute); an earlier or another run began it",
    ]);
  });
});
