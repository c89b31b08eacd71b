import { messageOf } from "../../../../provider/pure/errors";
import { openHandlers } from "../../../support/providerHandlers";
import { variants } from "../../../support/variants";
import { openBench, partialFailureOf, size, withCompute, type Bench } from "./bench";
import { hourMs, openStack, window, type Stack } from "./stack";
import type { Variant } from "../../../support/variants";

const defer = { "compute:onInterruption": "defer" };
const inWindow = { ...defer, ...window };
const awake = { suspendTimeoutSeconds: -1 };
const both = { ...size(2), suspendTimeoutSeconds: 600 };

const open = (variant: Variant, stack: Readonly<Record<string, string>> = defer): Promise<Stack> =>
  openStack(variant, { args: { ...size(1), suspendTimeoutSeconds: 300 }, stack });

const untilIdle =
  /^warning: deferred until it is idle: restart: size 1 → 2 CU drops open connections \(active now.*; the first update that finds it idle applies it$/;
const untilMonday =
  /^warning: deferred until it is idle, or until Mon 5 Jan 10:00 \(UTC\): restart: size 1 → 2 CU drops open connections/;
const applied = [
  expect.stringMatching(
    /^warning: restart: size 1 → 2 CU .*\(idle now: none is open\).*; applied if the update finds it idle, otherwise left for a later one$/,
  ),
  "info: nothing was interrupted (apply_config 1 s, suspend_compute 2 s): the compute ran nothing directly before",
];

describe.each(variants)("onInterruption defer, with the %s variant", (variant) => {
  it("leaves an active compute as it is, applies the rest, and changes the compute once it is idle", async () => {
    const one = await open(variant);
    one.connect();
    for (let run = 1; run <= 2; run++) {
      expect((await one.up(both)).steps).toEqual({ db: "updated" });
      expect(one.takeRows()).toEqual([expect.stringMatching(untilIdle)]);
    }
    expect(one.live()).toMatchObject({ autoscaling_limit_max_cu: 1, suspend_timeout_seconds: 600 });
    expect(one.outs()).toMatchObject({ autoscalingLimitMaxCu: 1, suspendTimeoutSeconds: 600 });
    expect(one.writes()).toBe(1);
    // Who changes his mind owes nothing.
    expect((await one.up({ suspendTimeoutSeconds: 600 })).steps).toEqual({ db: "same" });

    one.becomeIdle();
    await one.up(both);
    expect(one.takeRows()).toEqual(applied);
    expect(one.live()).toMatchObject({ autoscaling_limit_max_cu: 2, current_state: "idle" });
    expect((await one.up(both)).steps).toEqual({ db: "same" });
    expect(one.takeRows()).toEqual([]);
  });

  it("applies what interrupts nothing, and the rest in its window", async () => {
    const one = await open(variant, inWindow);
    one.connect();
    expect((await one.up({ ...size(2), ...awake })).steps).toEqual({ db: "updated" });
    expect(one.takeRows()).toEqual([expect.stringMatching(untilMonday)]);
    one.bench.clock.advance(2 * hourMs);
    await one.up({ ...size(2), ...awake });
    expect(one.live()).toMatchObject({ autoscaling_limit_max_cu: 2, current_state: "active" });
  });

  it("says so in the preview, as text and as data", async () => {
    const one = await open(variant, inWindow);
    one.connect();
    const { verdicts } = await one.up(size(2), { isPreview: true });
    const text = "until it is idle, or until Mon 5 Jan 10:00 (UTC)";
    const deferred = { effect: "restart", text, until: "2026-01-05T10:00:00.000Z" };
    expect(verdicts["db"]).toMatchObject({ effect: "none", now: "active", deferred });
    expect(one.takeRows()).toEqual([expect.stringMatching(untilMonday)]);
    const shown = variant === "dynamic" ? `"${text}: restart: size` : '"deferred":{"kind":"add"';
    expect(one.engine.shown.join("\n")).toContain(shown);
    expect(one.writes()).toBe(0);
  });

  it.each([
    { reason: "a window is set that is open", more: size(2), is: { autoscaling_limit_max_cu: 2 } },
    { reason: "it suspends", more: { disabled: true }, is: { disabled: true } },
  ])("keeps for the window what interrupts: $reason", async ({ more, is }) => {
    const one = await open(variant);
    await one.up(more);
    expect(one.live()).not.toMatchObject(is);
    await one.up(more, { stack: { ...defer, "compute:interruptionWindow": "always" } });
    expect(one.live()).toMatchObject(is);
  });

  it("takes a disabled compute for idle, and enables it at any time", async () => {
    const one = await open(variant);
    one.becomeIdle();
    await one.up({ disabled: true });
    await one.up({ disabled: true, ...size(2) });
    expect(one.live()).toMatchObject({ autoscaling_limit_max_cu: 2, disabled: true });
    await one.up({ disabled: false, ...size(2) });
    expect(one.live().disabled).toBe(false);
  });

  const moved = (bench: Bench): object => ({ branchId: bench.emptyBranch() });
  const replaced = (): object => ({ type: "read_only" });
  const whereDeferred = `cannot be left for later \\(onInterruption is "defer" in the stack's configuration, compute:onInterruption\\)`;
  it.each([
    { what: "a move", stack: defer, more: moved, how: {} },
    { what: "a replacement", stack: defer, more: replaced, how: {} },
    { what: "a move outside the window", stack: inWindow, more: moved, how: {} },
    // The dynamic provider is not told of it: there, it is a new compute.
    ...(variant === "native"
      ? [{ what: "a replacement by force", stack: inWindow, more: () => ({}), how: { replace: ["db"] } }]
      : []),
  ])("refuses $what while the compute is active, and changes nothing", async ({ stack, more, how }) => {
    const one = await open(variant, stack);
    const declared = { ...size(2), ...more(one.bench) };
    one.connect();
    const before = one.engine.state();
    const { failures } = await one.up(declared, how);
    const until = stack === defer ? "or set" : "or until Mon 5 Jan 10:00";
    expect(failures.map(messageOf).join()).toMatch(
      new RegExp(`${whereDeferred}.*it is refused until it is idle, ${until}`),
    );
    expect(one.writes()).toBe(0);
    expect(one.engine.state()).toEqual(before);
    one.bench.clock.advance(2 * hourMs);
    const { failures: later } = await one.up(declared, how);
    expect(later.map(messageOf).join()).not.toContain("later");
  });

  it("names as announced what its window lets pass after the diff", async () => {
    const { bench, ...one } = await open(variant, inWindow);
    one.connect();
    const connection = { "compute:baseUrl": bench.emulator.url, "compute:apiKey": bench.emulator.apiKey };
    const rows: string[] = [];
    const run = openHandlers({
      variant,
      clock: bench.clock,
      stack: { ...connection, ...inWindow },
      onSaid: (text) => rows.push(text),
    });
    const { id, inputs, outs } = one.engine.stored("db")!;
    const { inputs: news } = await run.check(inputs, { ...inputs, ...size(2) });
    await run.diff(id, outs, news);
    bench.clock.advance(2 * hourMs);
    one.connect();
    await run.update(id, outs, news);
    expect(rows).toEqual([
      expect.stringMatching(untilMonday),
      expect.stringMatching(/^info: restarted, not active for at most .*, as announced \(/),
    ]);
  });

  it("leaves what runs as declared already", async () => {
    const one = await open(variant, inWindow);
    one.bench.emulator.updateEndpoint(one.id, { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 });
    one.bench.clock.advance(5_000);
    await one.up(size(2));
    expect(one.engine.said).toEqual([]);
    expect(one.outs()).toMatchObject({ autoscalingLimitMaxCu: 2 });
  });

  it("goes on holding what a failed update left behind, and applies the rest", async () => {
    const one = await open(variant, inWindow);
    one.bench.clock.advance(2 * hourMs);
    one.connect();
    one.bench.emulator.addFault({ kind: "status", status: 400, route: "updateEndpoint" });
    expect((await one.up({ ...size(2), ...awake })).failures).toHaveLength(1);
    one.bench.clock.advance(4 * hourMs);
    one.connect();
    one.bench.emulator.clearRequests();
    const rest = { ...size(2), suspendTimeoutSeconds: 3_600 };
    expect((await one.up(rest)).failures).toEqual([]);
    expect(one.engine.said.at(-1)).toMatch(
      /^warning: deferred until it is idle, or until Mon 12 Jan 10:00 \(UTC\): restart: size 1 → 2 CU/,
    );
    expect(one.live()).toMatchObject({ suspend_timeout_seconds: 3_600 });
    expect(one.writes()).toBe(1);
    await one.up(rest, { stack: { "compute:onInterruption": "warn" } });
    expect(one.writes()).toBe(2);
  });
});

/** Without a check: an update by itself sees only what the service says directly before it sends. */
describe("an update that was checked while the compute was idle, or within the window", () => {
  const closed = { COMPUTE_ON_INTERRUPTION: "defer", COMPUTE_INTERRUPTION_WINDOW: "Mon 05:00-07:59 UTC" };

  /** A client has connected since. */
  async function connected(environment: NodeJS.ProcessEnv = { COMPUTE_ON_INTERRUPTION: "defer" }) {
    const { bench, state } = await withCompute({ suspendTimeoutSeconds: 300 });
    bench.emulator.connect(state.endpointId);
    bench.clock.advance(5_000);
    return { bench, state, process: bench.process(environment) };
  }

  it.each([
    {
      reason: "active",
      environment: undefined,
      until: "until it is idle: restart: size 1 → 2 CU .*active now",
    },
    {
      reason: "late",
      environment: closed,
      until: "until it is idle, or until Mon 12 Jan 05:00 \\(UTC\\): restart",
    },
  ])("leaves what interrupts, and the next one applies it: $reason", async ({ environment, until }) => {
    const { bench, state, process } = await connected(environment);
    const after = await process.update(state, bench.declared(both));
    expect(after).toMatchObject({ autoscalingLimitMaxCu: 1, suspendTimeoutSeconds: 600 });
    expect(bench.bodiesOf("updateEndpoint")).toEqual([{ endpoint: { suspend_timeout_seconds: 600 } }]);
    expect(bench.said).toEqual([expect.stringMatching(new RegExp(`^warning: deferred ${until}`))]);
    bench.clock.advance(hourMs);
    expect(await process.update(after, bench.declared(both))).toMatchObject({ autoscalingLimitMaxCu: 2 });
    expect(bench.said.slice(1)).toEqual([]);
  });

  it("looks directly before it sends, under the permit", async () => {
    const { bench, state, process } = await connected();
    bench.clock.advance(hourMs);
    await process.update(state, bench.declared(size(2)));
    const routes = bench.takeRoutes();
    expect(routes[routes.indexOf("updateEndpoint") - 1]).toBe("listEndpoints");
  });

  it("takes a compute for active that nobody can see", async () => {
    const { bench, state, process } = await connected();
    bench.clock.advance(hourMs);
    bench.emulator.addFault({ kind: "status", status: 404, route: "listEndpoints", times: 3 });
    await process.update(state, bench.declared(size(2))).catch(() => undefined);
    expect(bench.sent("updateEndpoint")).toBe(0);
    expect(bench.said[0]).toMatch(/^warning: deferred until it is idle: restart: /);
  });

  it.each([
    { what: "a move", policy: "defer", says: /again later: it is refused until it is idle/ },
    {
      what: "a new size",
      policy: "forbid-when-active",
      says: /^changing compute ep-\S+: restart: .*\(active now.*This is forbidden here/,
    },
  ])(
    "refuses $what under $policy, and applies it once the compute is idle",
    async ({ what, policy, says }) => {
      const { bench, state, process } = await connected({ COMPUTE_ON_INTERRUPTION: policy });
      const place = what === "a move" ? { branchId: bench.emptyBranch() } : {};
      const declared = bench.declared({ ...size(2), ...place });
      await expect(process.update(state, declared)).rejects.toThrow(says);
      expect(bench.sent("updateEndpoint")).toBe(0);
      bench.clock.advance(hourMs);
      await expect(process.update(state, declared)).resolves.toMatchObject(size(2));
    },
  );

  it("refuses an adoption that cannot wait", async () => {
    const bench = await openBench();
    const { defaultBranchId: branchId, defaultPrimaryId: adopt } = bench;
    const create = () => bench.create({ branchId, adopt, ...size(4) }, { COMPUTE_ON_INTERRUPTION: "defer" });
    bench.emulator.connect(adopt);
    bench.clock.advance(5_000);
    await expect(create()).rejects.toThrow("cannot be left for later");
    expect(bench.sent("updateEndpoint")).toBe(0);
    bench.clock.advance(hourMs);
    expect((await create()).outs).toMatchObject({ autoscalingLimitMaxCu: 4 });
  });

  it("removes later a setting that is no longer declared, though the rest failed", async () => {
    const settings = (pgSettings: object): object => ({ ...size(1), settings: { pgSettings } });
    const { bench, state } = await withCompute(settings({ work_mem: "8MB", jit: "off" }));
    const next = settings({ work_mem: "8MB" });
    const waits = await bench.update(state, { ...next }, closed);
    // What is idle waits for nothing.
    bench.emulator.connect(state.endpointId);
    bench.clock.advance(5_000);
    bench.emulator.setTimeline({ endStatus: "failed", times: 1 });
    const declared = { ...next, suspendTimeoutSeconds: 600 };
    const failed = await partialFailureOf(bench.update(waits, declared, closed));
    bench.emulator.clearTimelines();
    await bench.update(failed.state, declared);
    expect(bench.live(state.endpointId).settings).toEqual({ pg_settings: { work_mem: "8MB" } });
  });
});
