import type { FaultRule } from "../../../../emulator";
import { answers, lost, openBench, partialFailureOf, size, withCompute, type Bench } from "./bench";

const cut = (times = 1): FaultRule => ({ kind: "cut", times });
const stale = (times = 1, after = 0): FaultRule => ({ kind: "stale", times, after });
const slowly = (bench: Bench, runningMs: number): void => {
  bench.emulator.setTimeline({ action: "start_compute", runningMs, times: 1 });
};

describe("a setting that is no longer declared, where the answer to its removal is lost", () => {
  const settings = (pgSettings: object) => ({ ...size(1), settings: { pgSettings } });
  const both = settings({ work_mem: "8MB", jit: "off" });
  const one = settings({ work_mem: "8MB" });
  const removed = { settings: { pg_settings: { work_mem: "8MB" } } };

  it("is seen to be gone: nothing is sent again", async () => {
    const { bench, state } = await withCompute(both, { switches: { settingsRestart: true } });
    bench.spoil("updateEndpoint", lost);
    await bench.update(state, one);
    expect(bench.progress.join()).toContain("apply_config finished,start_compute running");
    expect(bench.sent("updateEndpoint")).toBe(1);
    expect(bench.live(state.endpointId).settings).toEqual(removed.settings);
  });

  it("is seen to be there still, also where an earlier run could not remove it either", async () => {
    const { bench, state } = await withCompute(both);
    bench.spoil("updateEndpoint", cut(3));
    const failed = await partialFailureOf(bench.update(state, one));
    expect(failed.state.settings).toEqual(one.settings);
    bench.spoil("updateEndpoint", cut(4));
    const again = await partialFailureOf(bench.update(failed.state, one));
    const outs = await bench.update(again.state, one);
    expect(bench.live(state.endpointId).settings).toEqual(removed.settings);
    bench.takeRoutes();
    await bench.update(outs, one);
    expect(bench.sent("updateEndpoint")).toBe(0);
  });

  it("is removed where a change without an answer has set it, and the program takes it back", async () => {
    const { bench, state } = await withCompute(one);
    // It is done, and no list shows it in time.
    bench.spoil("listEndpoints", stale(12));
    bench.spoil("updateEndpoint", lost, cut(2));
    const failed = await partialFailureOf(bench.update(state, both));
    bench.emulator.clearFaults();
    await bench.update(failed.state, one);
    expect(bench.live(state.endpointId).settings).toEqual(removed.settings);
  });
});

it("a setting that somebody makes before a change is sent again is kept", async () => {
  const { bench, state } = await withCompute();
  bench.spoil("updateEndpoint", cut());
  const updated = bench.update(state, { settings: { pgSettings: { jit: "off" } } });
  await bench.untilSent("updateEndpoint");
  bench.emulator.updateEndpoint(state.endpointId, { settings: { pg_settings: { work_mem: "8MB" } } });
  await updated;
  expect(bench.live(state.endpointId).settings).toEqual({ pg_settings: { jit: "off", work_mem: "8MB" } });
});

it.each([
  { next: "is sent again", more: size(2) },
  { next: "is taken back", more: size(1) },
  { next: "goes with another one", more: { ...size(2), suspendTimeoutSeconds: 900 } },
])(
  "a change without an answer, at work still, is awaited by the next run, where it $next",
  async ({ more }) => {
    const { bench, state } = await withCompute();
    slowly(bench, 120_000);
    bench.spoil("listEndpoints", stale(99));
    bench.spoil("updateEndpoint", lost, cut(2));
    const failed = await partialFailureOf(bench.update(state, size(2)));
    bench.emulator.clearFaults();
    await bench.update(failed.state, { ...size(1), ...more });
    expect(bench.unended()).toEqual([]);
  },
);

it.each([
  { refusal: "a lock that is called a conflict", status: 409 },
  { refusal: "a request that makes no sense any more", status: 400 },
])("a move without an answer is found though the second PATCH is refused: $refusal", async ({ status }) => {
  const { bench, state } = await withCompute();
  const branchId = bench.emptyBranch();
  bench.emulator.setTimeline({ runningMs: 15_000, times: 2 });
  bench.spoil("listEndpoints", stale(3, 1));
  bench.spoil("updateEndpoint", lost, answers(status));
  expect(await bench.update(state, { ...size(1), branchId })).toMatchObject({ branchId });
  expect(bench.live(state.endpointId).branch_id).toBe(branchId);
});

describe("operations that no answer names", () => {
  /** Another team makes so many computes while nobody answers. */
  const crowd = (bench: Bench, route: "createEndpoint" | "updateEndpoint"): void => {
    const sleep = bench.clock.sleep.bind(bench.clock);
    let isDone = false;
    bench.clock.sleep = (ms, signal) => {
      if (!isDone && bench.sent(route) > 0) {
        isDone = true;
        const theirs = { branch_id: bench.defaultBranchId, type: "read_only" };
        for (let count = 0; count < 120; count++) bench.emulator.createEndpoint(bench.projectId, theirs);
      }
      return sleep(ms, signal);
    };
  };
  const listedLate = (bench: Bench): void => {
    bench.spoil("listOperations", stale());
  };
  const atWork = (bench: Bench, id: string): readonly unknown[] =>
    bench.unended().filter(({ endpoint_id }) => endpoint_id === id);

  it.each([
    { reason: "listed late", runningMs: 15_000, spoil: listedLate },
    { reason: "pushed off the newest page by others of the project", runningMs: 60_000, spoil: crowd },
  ])(
    "are awaited after a create and after a change, where they are $reason",
    async ({ runningMs, spoil }) => {
      const creating = await openBench();
      slowly(creating, runningMs);
      creating.spoil("createEndpoint", lost);
      spoil(creating, "createEndpoint");
      const { id } = await creating.create(size(1));
      expect(atWork(creating, id)).toEqual([]);
      expect(creating.live(id).current_state).toBe("active");

      const { bench, state } = await withCompute();
      bench.clock.advance(10_000);
      slowly(bench, runningMs);
      bench.spoil("updateEndpoint", lost);
      spoil(bench, "updateEndpoint");
      await bench.update(state, size(2));
      expect(atWork(bench, state.endpointId)).toEqual([]);
    },
  );

  it("are not waited for where the list stays without any", async () => {
    const { bench, state } = await withCompute();
    bench.clock.advance(10_000);
    slowly(bench, 15_000);
    bench.spoil("updateEndpoint", lost);
    bench.spoil("listOperations", stale(100));
    await bench.update(state, size(2));
    expect(bench.sent("listOperations")).toBe(4);
  });
});

describe("a change that a gateway answered with 503 once it was done", () => {
  const gateway = answers(503, { when: "after" });

  it("has its operations awaited, which the answer to the second PATCH does not name", async () => {
    const { bench, state } = await withCompute();
    slowly(bench, 15_000);
    const limits = { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 };
    const ended = bench.emulator.operations(bench.projectId).slice(0, 1);
    const body = { endpoint: { ...bench.live(state.endpointId), ...limits }, operations: ended };
    bench.spoil("updateEndpoint", gateway, { kind: "wrongShape", body });
    await bench.update(state, size(2));
    expect(bench.unended()).toEqual([]);
  });

  it("is not said to have restarted nothing", async () => {
    const { bench, state } = await withCompute();
    bench.spoil("updateEndpoint", gateway);
    await bench.update(state, size(2));
    expect(bench.emulator.counters(state.endpointId).restarts).toBe(1);
    expect(bench.said.join()).not.toMatch(/nothing was interrupted/);
  });

  it("names the operations to wait for where they cannot be listed", async () => {
    const { bench, state } = await withCompute();
    slowly(bench, 15_000);
    bench.spoil("updateEndpoint", gateway);
    bench.spoil("listOperations", answers(500, { times: 3 }));
    const failed = await partialFailureOf(bench.update(state, size(2)));
    await bench.update(failed.state, size(2));
    expect(bench.unended()).toEqual([]);
    expect(bench.rows.join()).not.toContain("operations of an earlier run have ended (");
  });
});
