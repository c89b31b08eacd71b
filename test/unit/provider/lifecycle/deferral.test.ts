import { createMiniEngine, type MiniEngine, type RunOptions } from "../../../support/miniEngine";
import { variants, type Variant } from "../../../support/variants";
import type { WireEndpoint } from "../../../../emulator";
import { messageOf } from "../../../../provider/pure/errors";
import { closeBenches, created, openBench, partialFailureOf, type Bench } from "./bench";

afterEach(closeBenches);

// The clock of a bench begins on a Monday at eight.
const stack = { "compute:interruptionWindow": "Mon 10:00-12:00 UTC", "compute:onInterruption": "defer" };
const hourMs = 3_600_000;

interface Deferring {
  readonly bench: Bench;
  readonly engine: MiniEngine;
  up(more: Record<string, unknown>, how?: RunOptions): ReturnType<MiniEngine["up"]>;
  /** As the service has it. */
  live(): WireEndpoint;
}

async function open(variant: Variant): Promise<Deferring> {
  const bench = await openBench();
  const { emulator, clock, projectId, branchId } = bench;
  const engine = createMiniEngine({ variant, baseUrl: emulator.url, apiKey: emulator.apiKey, clock });
  const args = { projectId, branchId, autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1 };
  const up: Deferring["up"] = (more, how = {}) =>
    engine.up({ db: { args: { ...args, ...more } } }, { stack, ...how });
  await up({ suspendTimeoutSeconds: 300 });
  emulator.clearRequests();
  return {
    bench,
    engine,
    up,
    live: () => emulator.endpoint(engine.stored("db")?.id ?? "").endpoint,
  };
}

const size = (cu: number): Record<string, unknown> => ({
  autoscalingLimitMinCu: cu,
  autoscalingLimitMaxCu: cu,
});
const deferred =
  /^warning: deferred until it is idle, or until Mon 5 Jan 10:00 \(UTC\): restart: size 1 → 2 CU drops open connections/;
const writes = ({ bench }: Deferring): number =>
  bench.emulator.requests().filter(({ method }) => method !== "GET").length;

describe.each(variants)("onInterruption defer, with the %s variant", (variant) => {
  it("applies what interrupts nothing, and the rest in its window", async () => {
    const one = await open(variant);
    const { steps } = await one.up({ ...size(2), suspendTimeoutSeconds: 600 });
    expect(steps).toEqual({ db: "updated" });
    expect(one.live()).toMatchObject({ autoscaling_limit_max_cu: 1, suspend_timeout_seconds: 600 });
    expect(one.engine.stored("db")?.outs).toMatchObject({
      autoscalingLimitMaxCu: 1,
      suspendTimeoutSeconds: 600,
    });
    expect(one.engine.said).toEqual([expect.stringMatching(deferred)]);

    one.bench.clock.advance(2 * hourMs);
    await one.up({ ...size(2), suspendTimeoutSeconds: 600 });
    expect(one.live()).toMatchObject({ autoscaling_limit_max_cu: 2, suspend_timeout_seconds: 600 });
    expect(one.engine.stored("db")?.outs).toMatchObject({ autoscalingLimitMaxCu: 2 });
    // Two hours without a connection: the compute is idle by now.
    expect(one.engine.rows.slice(1)).toEqual([
      expect.stringMatching(/^warning: restart: size 1 → 2 CU/),
      "info: nothing was interrupted (apply_config 1 s, suspend_compute 2 s): the compute ran nothing directly before",
    ]);

    expect((await one.up({ ...size(2), suspendTimeoutSeconds: 600 })).steps).toEqual({ db: "same" });
  });

  it("owes it in every run until then, and sends nothing", async () => {
    const one = await open(variant);
    for (let run = 1; run <= 3; run++) {
      expect((await one.up({ ...size(2), suspendTimeoutSeconds: 300 })).steps).toEqual({ db: "updated" });
      expect(one.engine.said).toHaveLength(run);
      expect(one.engine.said.at(-1)).toMatch(deferred);
    }
    expect(writes(one)).toBe(0);
    // Who changes his mind owes nothing.
    expect((await one.up({ suspendTimeoutSeconds: 300 })).steps).toEqual({ db: "same" });
    expect(one.engine.said).toHaveLength(3);
  });

  it("says so in the preview, as text and as data", async () => {
    const one = await open(variant);
    await one.up({ ...size(2), suspendTimeoutSeconds: 300 }, { isPreview: true });
    const { said, shown } = one.engine;
    expect(said).toEqual([expect.stringMatching(deferred)]);
    if (variant === "dynamic")
      expect(shown.join("\n")).toMatch(/"until it is idle, or until Mon 5 Jan 10:00 \(UTC\): restart: size/);
    else expect(shown.join("\n")).toContain('"deferred":{"kind":"add"');
    expect(one.engine.shown.join("\n").replaceAll("\\", "")).toContain(
      '"deferred":{"effect":"restart","text":"until it is idle, or until Mon 5 Jan 10:00 (UTC)","until":"2026-01-05T10:00:00.000Z"}',
    );
    expect(writes(one)).toBe(0);
  });

  it("waits without a window until it is idle, or one is set", async () => {
    const one = await open(variant);
    await one.up(size(2), { stack: { "compute:onInterruption": "defer" } });
    expect(one.engine.said).toEqual([
      expect.stringMatching(/^warning: deferred until it is idle: restart: /),
    ]);
    await one.up(size(2), { stack: { ...stack, "compute:interruptionWindow": "always" } });
    expect(one.live()).toMatchObject({ autoscaling_limit_max_cu: 2 });
  });

  it("keeps a suspension for the window", async () => {
    const one = await open(variant);
    await one.up({ disabled: true });
    expect(one.live().disabled).not.toBe(true);
    one.bench.clock.advance(2 * hourMs);
    await one.up({ disabled: true });
    expect(one.live().disabled).toBe(true);
    // None was running: to enable it drops nothing.
    one.bench.clock.advance(4 * hourMs);
    await one.up({ disabled: false });
    expect(one.live().disabled).toBe(false);
  });

  it.each([
    { what: "a move", more: (bench: Bench) => ({ branchId: bench.emptyBranch() }), how: {} },
    { what: "a replacement", more: () => ({ type: "read_only" }), how: {} },
    // the dynamic provider is not told of it: there, it is a new compute.
    ...(variant === "native"
      ? [{ what: "a replacement by force", more: () => ({}), how: { replace: ["db"] } }]
      : []),
  ])("refuses $what outside the window, and changes nothing", async ({ more, how }) => {
    const one = await open(variant);
    const before = one.engine.state();
    const { failures } = await one.up({ ...size(2), ...more(one.bench) }, how);
    expect(failures.map(messageOf).join()).toMatch(
      /cannot be left for later.*it is refused until it is idle, or until Mon/,
    );
    expect(writes(one)).toBe(0);
    expect(one.engine.state()).toEqual(before);
    one.bench.clock.advance(2 * hourMs);
    const { failures: later } = await one.up({ ...size(2), ...more(one.bench) }, how);
    expect(later.map(messageOf).join()).not.toContain("later");
  });

  it("leaves what runs as declared already", async () => {
    const one = await open(variant);
    const id = one.engine.stored("db")?.id ?? "";
    one.bench.emulator.updateEndpoint(id, { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 });
    one.bench.clock.advance(5_000);
    await one.up({ ...size(2), suspendTimeoutSeconds: 300 });
    expect(one.engine.said).toEqual([]);
    expect(one.engine.stored("db")?.outs).toMatchObject({ autoscalingLimitMaxCu: 2 });
  });

  it("goes on holding what a failed update left behind, and applies the rest", async () => {
    const one = await open(variant);
    const awake = { suspendTimeoutSeconds: -1, ...size(2) };
    one.bench.clock.advance(2 * hourMs);
    one.bench.emulator.connect(one.engine.stored("db")?.id ?? "");
    one.bench.emulator.addFault({ kind: "status", status: 400, route: "updateEndpoint", times: 1 });
    expect((await one.up(awake)).failures).toHaveLength(1);
    one.bench.clock.advance(4 * hourMs);
    one.bench.emulator.connect(one.engine.stored("db")?.id ?? "");
    one.bench.emulator.clearRequests();
    const { failures } = await one.up({ ...awake, suspendTimeoutSeconds: 3_600 });
    expect(failures).toEqual([]);
    expect(one.engine.said.at(-1)).toMatch(
      /^warning: deferred until it is idle, or until Mon 12 Jan 10:00 \(UTC\): restart: size 1 → 2 CU/,
    );
    expect(one.live()).toMatchObject({ suspend_timeout_seconds: 3_600 });
    expect(writes(one)).toBe(1);
    await one.up({ ...awake, suspendTimeoutSeconds: 3_600 }, { stack: { "compute:onInterruption": "warn" } });
    expect(writes(one)).toBe(2);
  });
});

describe("an update that was checked within the window and comes to its turn after it", () => {
  it("leaves the compute as it is, and applies what interrupts nothing", async () => {
    const bench = await openBench();
    const process = bench.process({
      COMPUTE_ON_INTERRUPTION: "defer",
      COMPUTE_INTERRUPTION_WINDOW: "Mon 05:00-07:59 UTC",
    });
    const { outs } = await process.create(bench.declared(size(1)));
    const declared = bench.declared({ ...size(2), suspendTimeoutSeconds: 600 });
    const after = await process.update(outs, declared);
    expect(after).toMatchObject({ autoscalingLimitMaxCu: 1, suspendTimeoutSeconds: 600 });
    expect(bench.emulator.endpoint(outs.endpointId).endpoint).toMatchObject({
      autoscaling_limit_max_cu: 1,
      suspend_timeout_seconds: 600,
    });
    expect(bench.said).toEqual([
      expect.stringMatching(
        /^warning: deferred until it is idle, or until Mon 12 Jan 05:00 \(UTC\): restart/,
      ),
    ]);
    // The state owes what is left, whatever its declaration says.
    const again = await bench.process({ COMPUTE_ON_INTERRUPTION: "warn" }).update(after, declared);
    expect(again).toMatchObject({ autoscalingLimitMaxCu: 2 });
  });
});

describe("what waits is owed still where the rest fails", () => {
  const closed = {
    COMPUTE_ON_INTERRUPTION: "defer",
    COMPUTE_INTERRUPTION_WINDOW: "Mon 05:00-07:59 UTC",
  };
  const sleeps = { suspendTimeoutSeconds: 600 };

  it("a setting that is no longer declared is removed later", async () => {
    const bench = await openBench();
    const settings = (pgSettings: object): object => ({ ...size(1), settings: { pgSettings } });
    const state = await created(bench, settings({ work_mem: "8MB", jit: "off" }));
    const next = settings({ work_mem: "8MB" });
    const waits = await bench.process(closed).update(state, bench.declared({ ...next }));
    // What is idle waits for nothing.
    bench.emulator.connect(state.endpointId);
    bench.clock.advance(5_000);
    bench.emulator.setTimeline({ endStatus: "failed", times: 1 });
    const declared = bench.declared({ ...next, ...sleeps });
    const failed = await partialFailureOf(bench.process(closed).update(waits, declared));
    bench.emulator.clearTimelines();
    await bench.process().update(failed.state, declared);
    expect(bench.emulator.endpoint(state.endpointId).endpoint.settings).toEqual({
      pg_settings: { work_mem: "8MB" },
    });
  });
});
