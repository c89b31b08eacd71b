import type { FaultRule } from "../../../../emulator";
import { listsProveAbsenceAfterMs } from "../../../../provider/pure/timing";
import {
  answers,
  closeBenches,
  created,
  failureOf,
  openBench,
  partialFailureOf,
  size,
  withCompute,
  type Bench,
  type StateValues,
} from "./bench";

afterEach(closeBenches);

describe("update", () => {
  it("sends what changed and nothing else, waits and reads again", async () => {
    const { bench, state } = await withCompute({ suspendTimeoutSeconds: 600, poolerEnabled: false });
    const declared = bench.declared({ ...size(2), suspendTimeoutSeconds: 600, poolerEnabled: false });
    const outs = await bench.update(state, declared);
    expect(bench.bodiesOf("updateEndpoint")).toEqual([
      { endpoint: { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 } },
    ]);
    expect(outs).toMatchObject({ ...size(2), endpointId: state.endpointId, __provider: "text" });
    // What runs now, the change, apply_config and start_compute together, start_compute alone, then the compute.
    expect(bench.takeRoutes()).toEqual([
      "listEndpoints",
      "updateEndpoint",
      "listOperations",
      "listOperations",
      "getOperation",
      "getOperation",
      "listEndpoints",
    ]);
    expect(bench.emulator.counters(state.endpointId).restarts).toBe(1);
  });

  it("keeps what the answer said of a size where every list is older", async () => {
    const { bench, state } = await withCompute({ disabled: false });
    bench.clock.advance(1_000);
    bench.spoil("listEndpoints", { kind: "stale", times: 100 });
    const declared = bench.declared({ ...size(2), disabled: false });
    const outs = await bench.update(state, declared);
    expect(outs).toMatchObject(size(2));
    expect(bench.said.filter((text) => text.includes("instead of"))).toEqual([]);
  });

  it("moves to another branch by PATCH", async () => {
    const { bench, state } = await withCompute();
    const branchId = bench.emptyBranch();
    const outs = await bench.update(state, { ...size(1), branchId });
    expect(bench.bodiesOf("updateEndpoint")).toEqual([{ endpoint: { branch_id: branchId } }]);
    expect(outs.branchId).toBe(branchId);
  });

  it.each([409, 400, 412, 422, 423] as const)(
    "names the primary that is in the way of a move, refused with %d",
    async (secondPrimaryStatus) => {
      const { bench, state } = await withCompute({}, { switches: { secondPrimaryStatus } });
      const declared = bench.declared({ ...size(1), branchId: bench.defaultBranchId });
      await expect(bench.update(state, declared)).rejects.toThrow(
        `branch ${bench.defaultBranchId} has its one primary already, compute ${bench.defaultPrimaryId}`,
      );

      expect(bench.live(state.endpointId).branch_id).toBe(bench.branchId);
    },
  );

  it("sends nothing for arguments of ours alone", async () => {
    const { bench, state } = await withCompute();
    const declared = bench.declared({ ...size(1), timeouts: { update: 30 }, onInterruption: "forbid" });
    const outs = await bench.update(state, declared);
    expect(outs).toMatchObject({ timeouts: { update: 30 }, onInterruption: "forbid" });
    expect(bench.takeRoutes()).toEqual(["listEndpoints"]);
  });

  it("leaves alone what is no longer declared", async () => {
    const { bench, state } = await withCompute();
    const outs = await bench.update(state);
    expect(outs).toMatchObject(size(1));
    expect(bench.takeRoutes()).toEqual(["listEndpoints"]);
  });

  it("believes the answer where the service does not show a field", async () => {
    const { bench, state } = await withCompute(
      { suspendTimeoutSeconds: 600 },
      { switches: { suspendTimeoutField: "hidden" } },
    );
    const outs = await bench
      .process()
      .update(state, bench.declared({ ...size(1), suspendTimeoutSeconds: 900 }));
    expect(outs.suspendTimeoutSeconds).toBe(900);
    expect(bench.bodiesOf("updateEndpoint")).toEqual([{ endpoint: { suspend_timeout_seconds: 900 } }]);
    expect(bench.said).toEqual([]);
  });

  const lost: readonly { readonly reason: string; readonly fault: FaultRule }[] = [
    { reason: "the connection is cut", fault: { kind: "cut", when: "after" } },
    { reason: "the answer is cut off half-way", fault: { kind: "truncate" } },
    { reason: "a proxy answers with a page", fault: { kind: "garbled" } },
    { reason: "the answer has another shape", fault: { kind: "wrongShape", body: [] } },
    { reason: "the service answers 500", fault: { kind: "status", status: 500, when: "after" } },
  ];

  it.each(lost)("is not sent again where $reason after it was done", async ({ fault }) => {
    const { bench, state } = await withCompute();
    bench.spoil("updateEndpoint", fault);
    const outs = await bench.update(state, size(2));
    expect(outs).toMatchObject(size(2));
    expect(bench.sent("updateEndpoint")).toBe(1);
    expect(bench.emulator.counters(state.endpointId).restarts).toBe(1);
  });

  it.each([
    { reason: "the connection is cut", fault: { kind: "cut" } as const },
    { reason: "the service answers 500", fault: { kind: "status", status: 500 } as const },
    { reason: "the service answers 503", fault: { kind: "status", status: 503 } as const },
    { reason: "the service answers 429", fault: { kind: "status", status: 429 } as const },
  ])("is sent again once looks do not show it: $reason", async ({ fault }) => {
    const { bench, state } = await withCompute();
    bench.spoil("updateEndpoint", fault);
    const outs = await bench.update(state, size(2));
    expect(outs).toMatchObject(size(2));
    expect(bench.emulator.counters(state.endpointId).restarts).toBe(1);
  });

  it("says what the service shows in place of what it took, but of settings no value", async () => {
    const { bench, state } = await withCompute({ settings: { pgSettings: { work_mem: "8MB" } } });
    const { endpoint } = bench.emulator.endpoint(state.endpointId);
    // It answers, and changes nothing.
    const body = { endpoint, operations: [] };
    bench.spoil("updateEndpoint", answers(200, { body }));
    const declared = bench.declared({ ...size(2), settings: { pgSettings: { work_mem: "16MB" } } });
    const outs = await bench.update(state, declared);
    expect(outs).toMatchObject(size(1));
    expect(bench.said).toContain(
      `warning: updating compute ${state.endpointId}: the service took the change, but shows autoscalingLimitMinCu 1 instead of 2, autoscalingLimitMaxCu 1 instead of 2, settings other values instead of other values. The next preview shows the difference again.`,
    );
  });

  it("says once that it waits for long, and until when", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 180_000, times: 1 });
    await bench.update(state, size(2));
    const long = bench.rows.filter((text) => text.includes("waiting up to"));
    expect(long).toEqual([
      expect.stringMatching(/^info: start_compute \(.*\) is running after 6\d s; waiting up to 600 s\.$/),
    ]);
  });

  it("lets what an earlier run left end before it sends a change", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 20_000, times: 1 });
    const { state } = await partialFailureOf(bench.create({ ...size(1), timeouts: { create: 5 } }));
    bench.takeRoutes();
    await bench.update(state, size(2));
    const routes = bench.takeRoutes();
    // What runs, then the operations left.
    const before = routes.slice(1, routes.indexOf("updateEndpoint"));
    expect(before.length).toBeGreaterThan(2);
    expect(before).toContain("getOperation");
  });

  it("sends settings that others have set since the last refresh along as they are", async () => {
    const bench = await openBench();
    const pgSettings = { work_mem: "8MB" };
    const state = await created(bench, { settings: { pgSettings } });
    bench.emulator.updateEndpoint(state.endpointId, {
      settings: { pg_settings: { ...pgSettings, statement_timeout: "5s" } },
    });
    bench.clock.advance(5_000);
    const next = { pgSettings: { work_mem: "16MB" } };
    await bench.update(state, { ...size(1), settings: next });
    expect(bench.bodiesOf("updateEndpoint")).toEqual([
      { endpoint: { settings: { pg_settings: { statement_timeout: "5s", work_mem: "16MB" } } } },
    ]);
  });

  describe("settings that nobody declared, where a list does not show the compute", () => {
    const declared = (bench: Bench, work_mem: string): Record<string, unknown> =>
      bench.declared({ ...size(1), settings: { pgSettings: { work_mem } } });

    /** A compute with a setting of somebody else's, and lists that do not show it. @param times - so many of them. */
    async function unlisted(bench: Bench, times: number): Promise<StateValues> {
      const { outs } = await bench.create(declared(bench, "8MB"));
      bench.emulator.updateEndpoint(outs.endpointId, {
        settings: {
          pg_settings: { work_mem: "8MB", statement_timeout: "5s" },
          preload_libraries: ["pg_cron"],
        },
      });
      bench.clock.advance(5_000);
      bench.takeRoutes();
      bench.spoil("listEndpoints", { kind: "wrongShape", times, body: { endpoints: [] } });
      return outs;
    }

    it("are looked for again, and sent along as they are", async () => {
      const bench = await openBench();
      const state = await unlisted(bench, 2);
      await bench.update(state, declared(bench, "16MB"));
      expect(bench.bodiesOf("updateEndpoint")).toEqual([
        {
          endpoint: {
            settings: {
              pg_settings: { work_mem: "16MB", statement_timeout: "5s" },
              preload_libraries: ["pg_cron"],
            },
          },
        },
      ]);
    });

    it("are never sent unseen: the update ends in an error, and changes nothing", async () => {
      const bench = await openBench();
      const state = await unlisted(bench, 50);
      await expect(bench.update(state, declared(bench, "16MB"))).rejects.toThrow("is not listed yet");

      bench.clock.advance(listsProveAbsenceAfterMs);
      const later = await failureOf(bench.update(state, declared(bench, "16MB")));
      expect(later.message).toContain("the service no longer knows this compute");
      expect(bench.bodiesOf("updateEndpoint")).toEqual([]);
    });
  });

  it("manages the declared Postgres settings, and keeps their spelling", async () => {
    const bench = await openBench();
    const settings = { pgSettings: { work_mem: "8MB", max_parallel_workers: 4, jit: false } };
    const state = await created(bench, { settings });
    expect(state.settings).toEqual(settings);
    const next = { pgSettings: { ...settings.pgSettings, work_mem: "16MB" } };
    const outs = await bench.update(state, { ...size(1), settings: next });
    expect(outs.settings).toEqual(next);
  });
});
