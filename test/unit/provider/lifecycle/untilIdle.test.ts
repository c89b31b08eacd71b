import type { WireEndpoint } from "../../../../emulator";
import { messageOf } from "../../../../provider/pure/errors";
import { createMiniEngine, type MiniEngine, type RunOptions } from "../../../support/miniEngine";
import { variants, type Variant } from "../../../support/variants";
import { closeBenches, openBench, size, type Bench } from "./bench";

afterEach(closeBenches);

const stack = { "compute:onInterruption": "defer" };
/** The clock of a bench begins on a Monday at eight. */
const window = { "compute:interruptionWindow": "Mon 10:00-12:00 UTC" };
const hourMs = 3_600_000;

interface Waiting {
  readonly bench: Bench;
  readonly engine: MiniEngine;
  readonly id: string;
  up(more: Record<string, unknown>, how?: RunOptions): ReturnType<MiniEngine["up"]>;
  /** As the service has it. */
  live(): WireEndpoint;
  connect(): void;
  /** Until the service has suspended it. */
  becomeIdle(): void;
  /** What rows say from now on. */
  takeSaid(): readonly string[];
}

async function open(variant: Variant): Promise<Waiting> {
  const bench = await openBench();
  const { emulator, clock, projectId, branchId } = bench;
  const engine = createMiniEngine({ variant, baseUrl: emulator.url, apiKey: emulator.apiKey, clock });
  const args = { projectId, branchId, ...size(1), suspendTimeoutSeconds: 300 };
  const up: Waiting["up"] = (more, how = {}) =>
    engine.up({ db: { args: { ...args, ...more } } }, { stack, ...how });
  await up({});
  const id = engine.stored("db")?.id ?? "";
  const live = (): WireEndpoint => emulator.endpoint(id).endpoint;
  let told = engine.rows.length;
  emulator.clearRequests();
  return {
    bench,
    engine,
    id,
    up,
    live,
    connect: () => {
      emulator.connect(id);
      clock.advance(5_000);
      expect(live().current_state).toBe("active");
    },
    becomeIdle: () => {
      clock.advance(hourMs);
      expect(live().current_state).toBe("idle");
    },
    takeSaid: () => {
      const said = engine.rows.slice(told);
      told = engine.rows.length;
      return said;
    },
  };
}

const writes = ({ emulator }: Bench): readonly string[] =>
  emulator
    .requests()
    .filter(({ method }) => method !== "GET")
    .map(({ route }) => route ?? "none");
const left =
  /^warning: deferred until it is idle: restart: size 1 → 2 CU drops open connections \(active now.*; the first update that finds it idle applies it$/;
const applied = [
  expect.stringMatching(
    /^warning: restart: size 1 → 2 CU .*\(idle now: none is open\).*; left for a later update unless it is idle then$/,
  ),
  "info: nothing was interrupted (apply_config 1 s, suspend_compute 2 s): the compute ran nothing directly before",
];

describe.each(variants)("onInterruption defer without a window, with the %s variant", (variant) => {
  it("leaves an active compute as it is, applies the rest, and changes the compute once it is idle", async () => {
    const one = await open(variant);
    one.connect();
    for (let run = 1; run <= 2; run++) {
      expect((await one.up({ ...size(2), suspendTimeoutSeconds: 600 })).steps).toEqual({ db: "updated" });
      expect(one.takeSaid()).toEqual([expect.stringMatching(left)]);
    }
    expect(one.live()).toMatchObject({ autoscaling_limit_max_cu: 1, suspend_timeout_seconds: 600 });
    expect(one.engine.stored("db")?.outs).toMatchObject({ autoscalingLimitMaxCu: 1 });
    expect(writes(one.bench)).toEqual(["updateEndpoint"]);

    one.becomeIdle();
    await one.up({ ...size(2), suspendTimeoutSeconds: 600 });
    expect(one.takeSaid()).toEqual(applied);
    expect(one.live()).toMatchObject({ autoscaling_limit_max_cu: 2, current_state: "idle" });

    expect((await one.up({ ...size(2), suspendTimeoutSeconds: 600 })).steps).toEqual({ db: "same" });
    expect(one.takeSaid()).toEqual([]);
  });

  it("says in a preview what it depends on, as text and as data, and follows what the compute does then", async () => {
    const one = await open(variant);
    one.connect();
    const { verdicts } = await one.up(size(2), { isPreview: true });
    expect(verdicts["db"]).toMatchObject({
      effect: "none",
      now: "active",
      deferred: { effect: "restart", text: "until it is idle" },
    });
    expect(one.takeSaid()).toEqual([expect.stringMatching(left)]);
    one.becomeIdle();
    await one.up(size(2));
    expect(one.takeSaid()).toEqual(applied);
    expect(one.live()).toMatchObject({ autoscaling_limit_max_cu: 2 });
  });

  it("applies a change in the window too, and names what comes first", async () => {
    const one = await open(variant);
    const awake = { suspendTimeoutSeconds: -1, ...size(2) };
    one.connect();
    await one.up(awake, { stack: { ...stack, ...window } });
    expect(one.takeSaid()).toEqual([
      expect.stringMatching(
        /^warning: deferred until it is idle, or until Mon 5 Jan 10:00 \(UTC\): restart: /,
      ),
    ]);
    one.bench.clock.advance(2 * hourMs);
    await one.up(awake, { stack: { ...stack, ...window } });
    expect(one.live()).toMatchObject({ autoscaling_limit_max_cu: 2, current_state: "active" });
  });

  it("takes a disabled compute for idle", async () => {
    const one = await open(variant);
    one.becomeIdle();
    await one.up({ disabled: true });
    await one.up({ disabled: true, ...size(2) });
    expect(one.live()).toMatchObject({ autoscaling_limit_max_cu: 2, disabled: true });
  });

  it.each([
    { what: "a move", more: (bench: Bench) => ({ branchId: bench.emptyBranch() }) },
    { what: "a replacement", more: () => ({ type: "read_only" }) },
  ])("refuses $what while the compute is active, and sends nothing", async ({ more }) => {
    const one = await open(variant);
    const declared = more(one.bench);
    one.connect();
    const { failures } = await one.up(declared);
    expect(failures.map(messageOf).join()).toMatch(
      /cannot be left for later \(onInterruption is "defer" in the stack's configuration, compute:onInterruption\).*it is refused until it is idle, or set/,
    );
    expect(writes(one.bench)).toEqual([]);
    one.becomeIdle();
    expect((await one.up(declared)).failures).toEqual([]);
  });
});

describe("an update that was checked while the compute was idle", () => {
  /** Checks nothing: an update by itself sees only what the service says directly before it sends. */
  async function declaredActive(more: object, onInterruption = "defer") {
    const bench = await openBench();
    const process = bench.process({ COMPUTE_ON_INTERRUPTION: onInterruption });
    const { outs } = await process.create(bench.declared({ ...size(1), suspendTimeoutSeconds: 300 }));
    bench.emulator.connect(outs.endpointId);
    bench.clock.advance(5_000);
    bench.emulator.clearRequests();
    return { bench, process, outs, declared: bench.declared({ ...size(2), ...more }) };
  }

  it("leaves what interrupts when a client has connected since, and the next one applies it", async () => {
    const { bench, process, outs, declared } = await declaredActive({ suspendTimeoutSeconds: 600 });
    const after = await process.update(outs, declared);
    expect(after).toMatchObject({ autoscalingLimitMaxCu: 1, suspendTimeoutSeconds: 600 });
    expect(bench.bodiesOf("updateEndpoint")).toEqual([{ endpoint: { suspend_timeout_seconds: 600 } }]);
    expect(bench.said).toEqual([
      expect.stringMatching(/^warning: deferred until it is idle: restart: size 1 → 2 CU .*active now/),
    ]);
    bench.clock.advance(hourMs);
    const last = await process.update(after, declared);
    expect(last).toMatchObject({ autoscalingLimitMaxCu: 2 });
    expect(bench.said.slice(1)).toEqual([]);
  });

  it("looks directly before it sends, under the permit", async () => {
    const { bench, process, outs, declared } = await declaredActive({});
    bench.clock.advance(hourMs);
    bench.emulator.clearRequests();
    await process.update(outs, declared);
    const routes = bench.takeRoutes();
    expect(routes[routes.indexOf("updateEndpoint") - 1]).toBe("listEndpoints");
  });

  it("takes a compute for active that nobody can see", async () => {
    const { bench, process, outs, declared } = await declaredActive({});
    bench.clock.advance(hourMs);
    bench.emulator.addFault({ kind: "status", status: 404, route: "listEndpoints", times: 3 });
    await process.update(outs, declared).catch(() => undefined);
    expect(bench.bodiesOf("updateEndpoint")).toEqual([]);
    expect(bench.said[0]).toMatch(/^warning: deferred until it is idle: restart: /);
  });

  it("refuses a move, which cannot wait", async () => {
    const { bench, process, outs, declared } = await declaredActive({});
    const moved = { ...declared, branchId: bench.emptyBranch() };
    bench.emulator.connect(outs.endpointId);
    bench.clock.advance(5_000);
    await expect(process.update(outs, moved)).rejects.toThrow("again later: it is refused until it is idle");
    expect(bench.bodiesOf("updateEndpoint")).toEqual([]);
  });

  it("refuses an adoption that cannot wait", async () => {
    const bench = await openBench();
    const { defaultBranchId: branchId, defaultPrimaryId: adopt, emulator } = bench;
    const process = bench.process({ COMPUTE_ON_INTERRUPTION: "defer" });
    const declared = bench.declared({ branchId, adopt, ...size(4) });
    emulator.connect(adopt);
    bench.clock.advance(5_000);
    await expect(process.create(declared)).rejects.toThrow("cannot be left for later");
    expect(bench.bodiesOf("updateEndpoint")).toEqual([]);
    bench.clock.advance(hourMs);
    expect((await process.create(declared)).outs).toMatchObject({ autoscalingLimitMaxCu: 4 });
  });
});
