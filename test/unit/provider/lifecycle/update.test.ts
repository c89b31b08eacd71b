import type { FaultRule } from "../../../../emulator";
import { listsProveAbsenceAfterMs } from "../../../../provider/pure/timing";
import { answers, lost, size, unlisted, withCompute } from "./bench";

const settings = (pgSettings: object): object => ({ ...size(1), settings: { pgSettings } });

describe("update", () => {
  it("sends what changed and nothing else, waits and reads again", async () => {
    const { bench, state } = await withCompute({ suspendTimeoutSeconds: 600, poolerEnabled: false });
    const outs = await bench.update(state, { ...size(2), suspendTimeoutSeconds: 600, poolerEnabled: false });
    expect(bench.bodiesOf("updateEndpoint")).toEqual([
      { endpoint: { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 } },
    ]);
    expect(outs).toMatchObject({ ...size(2), endpointId: state.endpointId, __provider: "text" });
    expect(bench.emulator.counters(state.endpointId).restarts).toBe(1);
  });

  it("keeps what the answer said of a size where every list is older", async () => {
    const { bench, state } = await withCompute({ disabled: false });
    bench.clock.advance(1_000);
    bench.spoil("listEndpoints", { kind: "stale", times: 100 });
    expect(await bench.update(state, { ...size(2), disabled: false })).toMatchObject(size(2));
    expect(bench.rows.join("\n")).not.toMatch(/instead of|not restarted/);
  });

  it("waits for a lock that is called a conflict, where the compute has moved there by hand", async () => {
    const { bench, state } = await withCompute();
    const branchId = bench.emptyBranch();
    bench.emulator.updateEndpoint(state.endpointId, { branch_id: branchId });
    bench.clock.advance(5_000);
    bench.emulator.restartEndpoint(bench.defaultPrimaryId);
    bench.spoil("updateEndpoint", answers(409));
    expect(await bench.update(state, { ...size(1), branchId })).toMatchObject({ branchId });
    expect(bench.sent("updateEndpoint")).toBe(2);
  });

  it.each([
    {
      reason: "arguments of ours alone",
      more: { ...size(1), timeouts: { update: 30 }, onInterruption: "forbid" },
    },
    { reason: "what is no longer declared", more: {} },
  ])("sends nothing for $reason", async ({ more }) => {
    const { bench, state } = await withCompute();
    expect(await bench.update(state, more)).toMatchObject({ ...size(1), ...more });
    expect(bench.takeRoutes()).toEqual(["listEndpoints"]);
  });

  it.each<{ reason: string; fault: FaultRule; sent: number }>([
    { reason: "after it was done, and the connection is cut", fault: lost, sent: 1 },
    { reason: "after it was done, and the answer is cut off half-way", fault: { kind: "truncate" }, sent: 1 },
    { reason: "after it was done, and a proxy answers with a page", fault: { kind: "garbled" }, sent: 1 },
    {
      reason: "after it was done, and the answer has another shape",
      fault: { kind: "wrongShape", body: [] },
      sent: 1,
    },
    {
      reason: "after it was done, and the service answers 500",
      fault: answers(500, { when: "after" }),
      sent: 1,
    },
    { reason: "before, by a cut connection", fault: { kind: "cut" }, sent: 2 },
    { reason: "before, by a 500", fault: answers(500), sent: 2 },
    { reason: "before, by a 503", fault: answers(503), sent: 2 },
    { reason: "before, by a 429", fault: answers(429), sent: 2 },
    {
      reason: "by another operation of the project for a moment, answered 409",
      fault: answers(409),
      sent: 2,
    },
  ])("is done once, sent $sent times, where it is spoilt $reason", async ({ fault, sent }) => {
    const { bench, state } = await withCompute();
    bench.emulator.restartEndpoint(bench.defaultPrimaryId);
    bench.spoil("updateEndpoint", fault);
    expect(await bench.update(state, size(2))).toMatchObject(size(2));
    expect(bench.sent("updateEndpoint")).toBe(sent);
    expect(bench.emulator.counters(state.endpointId).restarts).toBe(1);
  });

  it("says what the service shows in place of what it took, but of settings no value", async () => {
    const { bench, state } = await withCompute(settings({ work_mem: "8MB" }));
    // It answers, and changes nothing.
    bench.spoil(
      "updateEndpoint",
      answers(200, { body: { endpoint: bench.live(state.endpointId), operations: [] } }),
    );
    const outs = await bench.update(state, { ...settings({ work_mem: "16MB" }), ...size(2) });
    expect(outs).toMatchObject(size(1));
    expect(bench.said).toContain(
      `warning: updating compute ${state.endpointId}: the service took the change, but shows autoscalingLimitMinCu 1 instead of 2, autoscalingLimitMaxCu 1 instead of 2, settings other values instead of other values. The next preview shows the difference again.`,
    );
  });

  it("says once that it waits for long, and until when", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 180_000, times: 1 });
    await bench.update(state, size(2));
    expect(bench.rows.filter((text) => text.includes("waiting up to"))).toEqual([
      expect.stringMatching(/^info: start_compute \(.*\) is running after 6\d s; waiting up to 600 s\.$/),
    ]);
  });
});

describe("settings that nobody declared", () => {
  /** A compute with settings of somebody else's, set since the last refresh. */
  async function withOthers() {
    const { bench, state } = await withCompute(settings({ work_mem: "8MB" }));
    bench.emulator.updateEndpoint(state.endpointId, {
      settings: { pg_settings: { work_mem: "8MB", statement_timeout: "5s" }, preload_libraries: ["pg_cron"] },
    });
    bench.clock.advance(5_000);
    return { bench, update: () => bench.update(state, { ...settings({ work_mem: "16MB" }) }) };
  }

  it.each([0, 4])("are sent along as they are, though %d lists do not show the compute", async (times) => {
    const { bench, update } = await withOthers();
    if (times > 0) bench.spoil("listEndpoints", { ...unlisted, times });
    await update();
    const pg_settings = { work_mem: "16MB", statement_timeout: "5s" };
    expect(bench.bodiesOf("updateEndpoint")).toEqual([
      { endpoint: { settings: { pg_settings, preload_libraries: ["pg_cron"] } } },
    ]);
  });

  it("are never sent unseen: the update ends in an error, and changes nothing", async () => {
    const { bench, update } = await withOthers();
    bench.spoil("listEndpoints", unlisted);
    await expect(update()).rejects.toThrow("is not listed yet");
    bench.clock.advance(listsProveAbsenceAfterMs);
    await expect(update()).rejects.toThrow("the service no longer knows this compute");
    expect(bench.sent("updateEndpoint")).toBe(0);
  });
});
