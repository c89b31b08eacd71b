import { messageOf } from "../../../../provider/pure/errors";
import { deleteByHand } from "../../../support/byHand";
import { variants, type Variant } from "../../../support/variants";
import { createMiniEngine, type MiniEngine, type RunOptions } from "../../../support/miniEngine";
import { closeBenches, created, openBench, refusalOf, size, type Bench, type StateValues } from "./bench";

afterEach(closeBenches);

interface Planning {
  readonly bench: Bench;
  readonly engine: MiniEngine;
  readonly id: string;
  readonly up: (more: Record<string, unknown>, how?: RunOptions) => ReturnType<MiniEngine["up"]>;
  readonly preview: (more: Record<string, unknown>) => Promise<readonly string[]>;
}

/** A compute of 1 CU that never sleeps, in a stack; the plugin asks for no read before a change. */
async function open(variant: Variant, stack: Readonly<Record<string, string>> = {}): Promise<Planning> {
  const bench = await openBench();
  const { emulator, clock, projectId, branchId } = bench;
  const options = { variant, baseUrl: emulator.url, apiKey: emulator.apiKey, clock, readsFirst: false };
  const engine = createMiniEngine(options);
  const args = { projectId, branchId, ...size(1), suspendTimeoutSeconds: -1 };
  const up: Planning["up"] = (more, how = {}) =>
    engine.up({ db: { args: { ...args, ...more } } }, { stack, ...how });
  await up({});
  emulator.clearRequests();
  const preview: Planning["preview"] = async (more) => {
    const before = engine.said.length;
    await up(more, { isPreview: true });
    return engine.said.slice(before);
  };
  return { bench, engine, id: engine.stored("db")?.id ?? "", up, preview };
}

/** The smallest size stays, so that only the difference to the live compute shows that it was changed by hand. */
const wider = { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 4 };

describe.each(variants)("what a preview announces, with the %s variant", (variant) => {
  it("is done by the update, in one interruption, and not announced again", async () => {
    const { bench, engine, id, up, preview } = await open(variant);
    bench.emulator.updateEndpoint(id, { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 });
    bench.clock.advance(10_000);
    const { restarts } = bench.emulator.counters(id);

    const announced = /^warning: restart: size 2 → 1–4 CU drops/;
    const said = await preview(wider);
    expect(said.filter((line) => line.startsWith("warning"))).toEqual([expect.stringMatching(announced)]);

    expect((await up(wider)).steps).toEqual({ db: "updated" });
    expect(bench.emulator.endpoint(id).endpoint).toMatchObject({
      autoscaling_limit_min_cu: 1,
      autoscaling_limit_max_cu: 4,
    });
    expect(bench.emulator.counters(id).restarts).toBe(restarts + 1);
    expect(engine.stored("db")?.outs).toMatchObject(wider);

    expect(await preview(wider)).toEqual([]);
    expect((await up(wider)).steps).toEqual({ db: "same" });
  });

  it.each(["warn", "defer"])(
    "is no restart of a compute that the service does not list, and its advice holds, where onInterruption is %s",
    async (onInterruption) => {
      const { bench, engine, id, up, preview } = await open(variant);
      const other = { branch_id: bench.branchId, type: "read_only" };
      bench.emulator.createEndpoint(bench.projectId, other);
      deleteByHand(bench, id);
      const resized = { ...size(2), onInterruption };
      expect(await preview(resized)).toEqual([
        `warning: The service does not list compute ${id} in project ${bench.projectId}. If somebody deleted it, this update will fail: run \`pulumi refresh\`, and the next preview shows that it is created again.`,
      ]);
      if (onInterruption === "warn") expect((await up(resized)).failures).toHaveLength(1);
      await engine.refresh();
      expect((await up(resized)).steps).toEqual({ db: "created" });
    },
  );

  it("leaves alone what no preview compares: nothing is interrupted, or nobody may ask", async () => {
    const asking = await open(variant);
    asking.bench.emulator.updateEndpoint(asking.id, { autoscaling_limit_max_cu: 2 });
    await asking.up({ suspendTimeoutSeconds: 600 });
    expect(asking.bench.bodiesOf("updateEndpoint")).toEqual([{ endpoint: { suspend_timeout_seconds: 600 } }]);

    const silent = await open(variant, { "compute:liveFacts": "false" });
    silent.bench.emulator.updateEndpoint(silent.id, { autoscaling_limit_min_cu: 0.5 });
    silent.bench.clock.advance(10_000);
    await silent.up(wider);
    expect(silent.bench.bodiesOf("updateEndpoint")).toEqual([{ endpoint: { autoscaling_limit_max_cu: 4 } }]);
  });
});

describe("a compute whose suspend failed: disabled, and active", () => {
  async function disabledAndActive(): Promise<{
    bench: Bench;
    state: StateValues;
    old: Record<string, unknown>;
  }> {
    const bench = await openBench();
    const state = await created(bench, { disabled: false });
    bench.clock.advance(10_000);
    bench.emulator.connect(state.endpointId);
    bench.emulator.setTimeline({ action: "suspend_compute", endStatus: "failed", times: 1 });
    bench.emulator.updateEndpoint(state.endpointId, { disabled: true });
    bench.clock.advance(10_000);
    const { disabled, current_state } = bench.emulator.endpoint(state.endpointId).endpoint;
    expect({ disabled, current_state }).toEqual({ disabled: true, current_state: "active" });
    return { bench, state, old: bench.declared({ ...size(1), disabled: true }) };
  }

  it.each(["forbid", "forbid-when-active"])("is not resized under %s", async (onInterruption) => {
    const { bench, state, old } = await disabledAndActive();
    const args = { ...old, ...size(2), onInterruption, __dryRun: true };
    expect(await refusalOf(bench, { state, old, args })).toMatch(
      /: restart: size 1 → 2 CU drops open connections \(active now.*This is forbidden here/,
    );
  });
});

it("a compute that wakes counts as active: clients connect to it", async () => {
  const bench = await openBench();
  const state = await created(bench, {});
  bench.emulator.suspendEndpoint(state.endpointId);
  bench.clock.advance(10_000);
  bench.emulator.setTimeline({ action: "start_compute", runningMs: 60_000, times: 1 });
  bench.emulator.connect(state.endpointId);
  const { current_state, pending_state } = bench.emulator.endpoint(state.endpointId).endpoint;
  expect({ current_state, pending_state }).toEqual({ current_state: "idle", pending_state: "active" });
  const old = bench.declared(size(1));
  const args = { ...old, ...size(2), onInterruption: "forbid-when-active", __dryRun: true };
  expect(await refusalOf(bench, { state, old, args })).toContain("(active now");
});

describe.each(variants)("a move that a failed update left behind, with the %s variant", (variant) => {
  it("is refused outside the window with the moment at which it opens", async () => {
    // The clock of a bench begins on a Monday at eight.
    const stack = { "compute:interruptionWindow": "Mon 10:00-12:00 UTC", "compute:onInterruption": "defer" };
    const { bench, engine, up } = await open(variant, stack);
    const branchId = bench.emptyBranch();
    bench.clock.advance(2 * 3_600_000);
    bench.emulator.addFault({ kind: "status", status: 400, route: "updateEndpoint", times: 1 });
    const earlier = engine.state();
    expect((await up({ branchId })).failures).toHaveLength(1);
    // The declaration says what was asked for, and the state what came of it.
    engine.restore(earlier.map((held) => ({ ...held, inputs: { ...held.inputs, branchId } })));
    bench.clock.advance(4 * 3_600_000);
    const { failures } = await up({ branchId });
    expect(failures.map(messageOf).join()).toMatch(
      /^changing compute ep-\S+: move: branchId .*Run `pulumi up` again later: it is refused until it is idle, or until Mon 12 Jan 10:00 \(UTC\), or set onInterruption: "warn"/,
    );
  });
});
