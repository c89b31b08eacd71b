import {
  answers,
  closeBenches,
  created,
  openBench,
  partialFailureOf,
  size,
  withCompute,
  type Bench,
  type StateValues,
} from "./bench";

afterEach(closeBenches);

const patchesIn = (bench: Bench): number =>
  bench.takeRoutes().filter((route) => route === "updateEndpoint").length;

describe("a setting that is no longer declared, where the answer to its removal is lost", () => {
  const both = { settings: { pgSettings: { work_mem: "8MB", jit: "off" } } };
  const one = { settings: { pgSettings: { work_mem: "8MB" } } };
  const settingsOf = (bench: Bench, { endpointId }: StateValues): unknown => bench.live(endpointId).settings;

  it("is seen to be gone: nothing is sent again", async () => {
    const { bench, state } = await withCompute(both, { switches: { settingsRestart: true } });
    bench.spoil("updateEndpoint", { kind: "cut", when: "after" });
    const outs = await bench.update(state, { ...size(1), ...one });
    expect(patchesIn(bench)).toBe(1);
    expect(settingsOf(bench, outs)).toEqual({ pg_settings: { work_mem: "8MB" } });
  });

  it("is seen to be there still, also where an earlier run could not remove it either", async () => {
    const { bench, state } = await withCompute(both);
    bench.spoil("updateEndpoint", { kind: "cut", times: 3 });
    const declared = bench.declared({ ...size(1), ...one });
    const failed = await partialFailureOf(bench.update(state, declared));
    expect(failed.state.settings).toEqual(one.settings);
    bench.spoil("updateEndpoint", { kind: "cut", times: 4 });
    const again = await partialFailureOf(bench.update(failed.state, declared));
    const outs = await bench.update(again.state, declared);
    expect(settingsOf(bench, outs)).toEqual({ pg_settings: { work_mem: "8MB" } });
    bench.takeRoutes();
    await bench.update(outs, declared);
    expect(patchesIn(bench)).toBe(0);
  });
});

it("removes a setting that a change without an answer has set, where the program takes it back", async () => {
  const bench = await openBench();
  const settings = (pgSettings: object): Record<string, unknown> =>
    bench.declared({ ...size(1), settings: { pgSettings } });
  const state = await created(bench, { settings: { pgSettings: { work_mem: "8MB" } } });
  // It is done, and no list shows it in time.
  bench.spoil("listEndpoints", { kind: "stale", times: 12 });
  bench.spoil("updateEndpoint", { kind: "cut", when: "after" });
  bench.spoil("updateEndpoint", { kind: "cut", times: 2 });
  const lost = await partialFailureOf(bench.update(state, settings({ work_mem: "8MB", jit: "off" })));
  bench.emulator.clearFaults();
  await bench.update(lost.state, settings({ work_mem: "8MB" }));
  expect(bench.live(state.endpointId).settings).toEqual({
    pg_settings: { work_mem: "8MB" },
  });
});

describe("a change without an answer, which the service is still at work on", () => {
  it.each([
    { next: "is sent again", more: size(2) },
    { next: "is taken back", more: size(1) },
    { next: "goes with another one", more: { ...size(2), suspendTimeoutSeconds: 900 } },
  ])("is awaited by the next run, where it $next", async ({ more }) => {
    const { bench, state } = await withCompute();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 120_000, times: 1 });
    bench.spoil("listEndpoints", { kind: "stale", times: 99 });
    bench.spoil("updateEndpoint", { kind: "cut", when: "after" });
    bench.spoil("updateEndpoint", { kind: "cut", times: 2 });
    const lost = await partialFailureOf(bench.update(state, size(2)));
    bench.emulator.clearFaults();
    await bench.update(lost.state, { ...size(1), ...more });
    const operations = bench.emulator.operations(bench.projectId);
    expect(operations.filter(({ status }) => status !== "finished")).toEqual([]);
  });
});

describe("a move whose answer was lost, and which lists do not show yet", () => {
  it.each([
    { refusal: "a lock that is called a conflict", status: 409 },
    { refusal: "a request that makes no sense any more", status: 400 },
  ])("is found though the second PATCH is refused: $refusal", async ({ status }) => {
    const { bench, state } = await withCompute();
    const branchId = bench.emptyBranch();
    bench.emulator.setTimeline({ runningMs: 15_000, times: 2 });
    bench.spoil("listEndpoints", { kind: "stale", after: 1, times: 3 });
    bench.spoil("updateEndpoint", { kind: "cut", when: "after" });
    bench.spoil("updateEndpoint", answers(status));
    const outs = await bench.update(state, { ...size(1), branchId });
    expect(outs.branchId).toBe(branchId);
    expect(bench.live(state.endpointId).branch_id).toBe(branchId);
  });
});

describe("operations that no answer names, and that are listed late", () => {
  /** The answer is lost, and the first list of operations is from before. */
  const loses = (bench: Bench, route: "createEndpoint" | "updateEndpoint"): void => {
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 15_000, times: 1 });
    bench.spoil(route, { kind: "cut", when: "after" });
    bench.spoil("listOperations", { kind: "stale" });
  };
  const unended = (bench: Bench): unknown[] =>
    bench.emulator.operations(bench.projectId).filter(({ status }) => status !== "finished");

  it("are awaited after a create: its compute is active", async () => {
    const bench = await openBench();
    loses(bench, "createEndpoint");
    const { outs } = await bench.create(size(1));
    expect(bench.live(outs.endpointId).current_state).toBe("active");
    expect(unended(bench)).toEqual([]);
  });

  it("are awaited after a change", async () => {
    const { bench, state } = await withCompute();
    bench.clock.advance(10_000);
    loses(bench, "updateEndpoint");
    await bench.update(state, size(2));
    expect(unended(bench)).toEqual([]);
  });

  it("are not waited for where the list stays without any", async () => {
    const { bench, state } = await withCompute();
    bench.clock.advance(10_000);
    loses(bench, "updateEndpoint");
    bench.spoil("listOperations", { kind: "stale", times: 99 });
    await bench.update(state, size(2));
    expect(bench.sent("listOperations")).toBe(4);
  });
});

describe("operations that no answer names, and that others of the project have pushed off the newest page", () => {
  /** A run of another team makes many computes while nobody answers. */
  const crowd = (bench: Bench, route: "createEndpoint" | "updateEndpoint"): void => {
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 60_000, times: 1 });
    bench.spoil(route, { kind: "cut", when: "after" });
    const sleep = bench.clock.sleep.bind(bench.clock);
    let isDone = false;
    bench.clock.sleep = (ms, signal) => {
      if (!isDone && bench.emulator.requests().some((request) => request.route === route)) {
        isDone = true;
        const theirs = { branch_id: bench.defaultBranchId, type: "read_only" };
        for (let count = 0; count < 120; count++) bench.emulator.createEndpoint(bench.projectId, theirs);
      }
      return sleep(ms, signal);
    };
  };
  const isAtWork = (bench: Bench, id: string): boolean =>
    bench.emulator
      .operations(bench.projectId)
      .some(({ endpoint_id: of, status }) => of === id && status !== "finished");

  it("are awaited after a create", async () => {
    const bench = await openBench();
    crowd(bench, "createEndpoint");
    const { id } = await bench.create(size(1));
    expect(isAtWork(bench, id)).toBe(false);
  });

  it("are awaited after a change", async () => {
    const { bench, state } = await withCompute();
    bench.clock.advance(10_000);
    crowd(bench, "updateEndpoint");
    await bench.update(state, size(2));
    expect(isAtWork(bench, state.endpointId)).toBe(false);
  });
});

describe("a change that a gateway answered with 503 once it was done", () => {
  const gateway = { kind: "status", status: 503, when: "after", route: "updateEndpoint" } as const;

  it("has its operations awaited, which the answer to the second PATCH does not name", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 15_000, times: 1 });
    bench.emulator.addFault(gateway);
    const { endpoint } = bench.emulator.endpoint(state.endpointId);
    const resized = { ...endpoint, autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 };
    const body = { endpoint: resized, operations: [] };
    bench.spoil("updateEndpoint", { kind: "wrongShape", body });
    await bench.update(state, size(2));
    const operations = bench.emulator.operations(bench.projectId);
    expect(operations.filter(({ status }) => status !== "finished")).toEqual([]);
  });

  it("is not said to have restarted nothing", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.addFault(gateway);
    bench.said.length = 0;
    await bench.update(state, size(2));
    expect(bench.emulator.counters(state.endpointId).restarts).toBe(1);
    expect(bench.said.join()).not.toMatch(/nothing was interrupted/);
  });

  it("names the operations to wait for where they cannot be listed", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 15_000, times: 1 });
    bench.emulator.addFault(gateway);
    bench.spoil("listOperations", answers(500, { times: 3 }));
    const failed = await partialFailureOf(bench.update(state, size(2)));
    await bench.update(failed.state, size(2));
    const operations = bench.emulator.operations(bench.projectId);
    expect(operations.filter(({ status }) => status !== "finished")).toEqual([]);
  });
});
