import { createMiniEngine } from "../../../support/miniEngine";
import { variants, type Variant } from "../../../support/variants";
import { closeBenches, created, openBench, partialFailureOf, size, type Bench } from "./bench";

afterEach(closeBenches);

const stack = { "compute:liveFacts": "true" };
/** Shorter than the operations of the first run. */
const short = { ...size(2), timeouts: { update: 1 } };
const nothing = "info: nothing was interrupted (";
const begunBefore = "info: operations of an earlier run have ended (apply_config 5 s, start_compute 6 s)";

interface World {
  readonly bench: Bench;
  /** @returns what the row was told of what happened. */
  readonly up: (
    args: Record<string, unknown>,
    how?: { readonly isKilled: boolean },
  ) => Promise<readonly string[]>;
}

/** A compute of one CU that runs, and whose next change takes longer than a run waits. */
async function open(variant: Variant, { isLocked = false } = {}): Promise<World> {
  const bench = await openBench({ switches: { lock: isLocked ? "project" : "off" } });
  const { emulator, clock, projectId, branchId } = bench;
  // A plugin that reads first finds the new size, and has nothing to send.
  const options = { variant, baseUrl: emulator.url, apiKey: emulator.apiKey, clock, readsFirst: false };
  const engine = createMiniEngine(options);
  const up: World["up"] = async (args, how) => {
    const before = engine.rows.length;
    await engine.up({ db: { args: { projectId, branchId, ...args } } }, { stack, ...how });
    return engine.rows.slice(before).filter((text) => !/^warning: (may )?\w+: .* drops/.test(text));
  };
  await up(size(1));
  emulator.connect(engine.stored("db")?.id ?? "");
  clock.advance(60_000);
  emulator.setTimeline({ action: "apply_config", runningMs: 5_000, times: 1 });
  return { bench, up };
}

describe.each(variants)("a restart that an earlier run began, with the %s variant", (variant) => {
  it.each([{ isLocked: false }, { isLocked: true }])(
    "is not taken for one of the update that sends its change again: %p",
    async (how) => {
      const { up } = await open(variant, how);
      await up(short, { isKilled: true });
      const said = await up(size(2));
      // The plugin's check asks the service, which shows the new size already: it announces nothing.
      const words =
        /^info: no operation shows whether connections dropped \(apply_config [\d.]+ s\); a restart was/;
      expect(said).toEqual(variant === "native" ? [] : [expect.stringMatching(words)]);
    },
  );

  it("is none where a compute without clients suspends itself while the update waits", async () => {
    const { bench, up } = await open(variant, { isLocked: true });
    const [id = ""] = bench.computes();
    bench.emulator.setTimeline({ action: "suspend_compute", runningMs: 5_000, times: 1 });
    bench.emulator.suspendEndpoint(id);
    expect(await up(size(2))).toContainEqual(expect.stringContaining(nothing));
  });

  it("is none where an idle compute moves", async () => {
    const { bench, up } = await open(variant);
    bench.clock.advance(600_000);
    const branchId = bench.emptyBranch();
    expect(await up({ ...size(1), branchId })).toContainEqual(expect.stringContaining(nothing));
  });

  it("is named by the update that only waits for it, and not called a restart", async () => {
    const { up } = await open(variant);
    await up(short);
    expect(await up(size(2))).toEqual([begunBefore]);
  });

  it("is not of the update that waits for it and then changes something else", async () => {
    const { up } = await open(variant);
    await up(short);
    expect(await up({ ...size(2), suspendTimeoutSeconds: 900 })).toEqual([]);
  });
});

describe("what an earlier run did", () => {
  it("is named where it was the first start of a compute", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 60_000, times: 1 });
    const { state } = await partialFailureOf(
      bench.process().create(bench.declared({ timeouts: { create: 10 } })),
    );
    bench.said.length = 0;
    await bench.process().update(state, bench.declared());
    expect(bench.rows).toContain("info: operations of an earlier run have ended (start_compute 60 s)");
  });

  it("is not known where the operations that it left have no names", async () => {
    const bench = await openBench();
    const state = await created(bench);
    bench.clock.advance(60_000);
    bench.emulator.restartEndpoint(state.endpointId);
    bench.said.length = 0;
    await bench.process().update({ ...state, __operations: ["unlisted"] }, bench.declared(size(1)));
    expect(bench.said).toEqual([]);
  });

  it.each([
    { reason: "it ended before", advanceMs: 10_000 },
    { reason: "it ends meanwhile", advanceMs: 0 },
  ])("costs an update of its own no request: $reason", async ({ advanceMs }) => {
    const bench = await openBench();
    const state = await created(bench, { poolerEnabled: false });
    bench.clock.advance(60_000);
    bench.emulator.connect(state.endpointId);
    bench.emulator.restartEndpoint(state.endpointId);
    bench.clock.advance(advanceMs);
    bench.takeRoutes();
    bench.said.length = 0;
    await bench.process().update(state, bench.declared({ ...size(1), poolerEnabled: true }));
    // No claim that the update restarted it.
    expect(bench.said).toEqual([]);
    expect(bench.takeRoutes()).not.toContain("listOperations");
  });
});
