import type { Switches } from "../../../../emulator";
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
}

const stack = { "compute:liveFacts": "true" };

async function open(
  variant: Variant,
  more: Record<string, unknown> = size(1),
  switches: Partial<Switches> = {},
): Promise<World> {
  const bench = await openBench({ switches });
  const { emulator, clock, projectId, branchId } = bench;
  const engine = createMiniEngine({ variant, baseUrl: emulator.url, apiKey: emulator.apiKey, clock });
  const up = async (args: Record<string, unknown>): Promise<void> => {
    await engine.up({ db: { args: { projectId, branchId, ...args } } }, { stack });
  };
  await up(more);
  // The service states its time in whole seconds: the start ended before the update.
  clock.advance(2_000);
  const before = engine.rows.length;
  const id = engine.stored("db")?.id ?? "";
  return {
    bench,
    engine,
    id,
    up,
    receipts: () => engine.rows.slice(before).filter((text) => !/^warning: (may )?\w+: .* drops/.test(text)),
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
      "info: restarted, not active for at most 2.3 s, as announced (apply_config 1 s, start_compute 2 s)",
    ]);
  });

  it("tells a service that restarts with apply_config alone from one that resizes live", async () => {
    const said = [];
    for (const resize of ["restarts", "live"] as const) {
      const world = await open(variant, size(1), { service: "neon", restartedBy: "apply_config", resize });
      await world.up(size(2));
      const times = world.bench.emulator.endpoint(world.id).endpoint;
      const startedAt = times.started_at?.slice(11, 19);
      said.push(world.receipts().map((text) => text.replace(startedAt ?? "never", "TIME")));
    }
    expect(said).toEqual([
      ["info: restarted at TIME, as announced (apply_config 1 s)"],
      ["info: not restarted (running since TIME); a restart was announced"],
    ]);
  });

  it("is of a move", async () => {
    const world = await open(variant);
    await world.up({ ...size(1), branchId: world.bench.emptyBranch() });
    expect(world.receipts()).toEqual([
      expect.stringMatching(/^info: suspended: .*, as announced \(apply_config 1 s, suspend_compute 2 s\)$/),
    ]);
  });

  it("says that no operation shows what was not certain", async () => {
    const world = await open(variant, { ...size(1), poolerEnabled: false });
    await world.up({ ...size(1), poolerEnabled: true });
    expect(world.receipts().at(-1)).toBe(
      "info: no operation shows whether connections dropped (apply_config 1 s); a possible interruption was announced",
    );
  });

  it("draws no conclusion where apply_config alone restarts it, and neither does the next preview", async () => {
    const world = await open(variant, size(1), { restartedBy: "apply_config" });
    await world.up(size(2));
    expect(world.bench.emulator.counters(world.id).restarts).toBe(1);
    expect(world.receipts()).toEqual([
      "info: no operation shows whether connections dropped (apply_config 1 s); a restart was announced",
    ]);
    world.bench.takeRoutes();
    const before = world.engine.rows.length;
    const { projectId, branchId } = world.bench;
    const program = { db: { args: { projectId, branchId, ...size(4) } } };
    await world.engine.up(program, { stack, isPreview: true });
    expect(world.engine.rows.slice(before)).toEqual([
      expect.stringMatching(/^warning: restart: size 2 → 4 CU drops open connections \([^)]*\);[^;]*GB$/),
    ]);
    expect(world.bench.takeRoutes()).not.toContain("listOperations");
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
      expect.stringMatching(/^warning: restarted, not active for at most .* which nothing announced \(.*\)$/),
    );
  });

  it("is quiet where nothing was announced and no operation shows anything", async () => {
    const world = await open(variant, { ...size(1), suspendTimeoutSeconds: 300 });
    await world.up({ ...size(1), suspendTimeoutSeconds: 600 });
    expect(world.receipts()).toEqual([]);
  });

  it("knows a compute that ran nothing", async () => {
    const world = await open(variant);
    world.bench.emulator.suspendEndpoint(world.id);
    world.bench.clock.advance(5_000);
    await world.up(size(2));
    expect(world.receipts()).toEqual([
      "info: nothing was interrupted (apply_config 1 s, suspend_compute 2 s): the compute ran nothing directly before",
    ]);
  });

  it("says that it cannot know after a lost answer", async () => {
    const world = await open(variant);
    world.bench.emulator.addFault({ kind: "cut", when: "after", route: "updateEndpoint" });
    await world.up(size(2));
    expect(world.receipts()).toEqual([
      "info: no operation shows whether connections dropped; a restart was announced",
    ]);
  });

  it("is not stored", async () => {
    const world = await open(variant);
    await world.up(size(2));
    expect(JSON.stringify(world.engine.stored("db"))).not.toMatch(/receipt|start_compute/);
  });

  it("is of an adoption that restarts the compute", async () => {
    const bench = await openBench();
    const { emulator, clock, projectId, defaultBranchId: branchId, defaultPrimaryId: adopt } = bench;
    const engine = createMiniEngine({ variant, baseUrl: emulator.url, apiKey: emulator.apiKey, clock });
    clock.advance(5_000);
    await engine.up({ db: { args: { projectId, branchId, adopt, ...size(4) } } });
    expect(engine.rows.at(-1)).toMatch(
      /^info: restarted, not active for at most 2.3 s(, as announced|; a possible restart was announced) \(apply_config 1 s, start_compute 2 s\)$/,
    );
  });

  it("sends no request more", async () => {
    const world = await open(variant);
    connect(world);
    world.bench.takeRoutes();
    await world.up(size(2));
    const routes = world.bench.takeRoutes();
    // Those of the wait for apply_config and start_compute, of the list before the change and of the one after it.
    expect(routes).toEqual([
      "listEndpoints",
      "updateEndpoint",
      "listOperations",
      "listOperations",
      "getOperation",
      "getOperation",
      "listEndpoints",
    ]);
  });
});

/** The answer of a service that restarts a compute for any change. */
async function restartInPlaceOfUpdate({ bench, id }: World): Promise<object> {
  const { endpoint, operations } = bench.emulator.restartEndpoint(id);
  await Promise.resolve();
  return { endpoint: { ...endpoint, suspend_timeout_seconds: 600 }, operations };
}

describe("the receipt without a diff in the same process", () => {
  it("says that nothing announced its restart", async () => {
    const bench = await openBench();
    const state = await created(bench);
    await bench.process().update(state, bench.declared(size(2)));
    expect(bench.said).toEqual([
      "warning: restarted, not active for at most 2.3 s, which nothing announced (apply_config 1 s, start_compute 2 s)",
    ]);
  });
});
