import {
  closeBenches,
  created,
  openBench,
  owedSince,
  partialFailureOf,
  size,
  type Bench,
  type StateValues,
} from "./bench";

afterEach(closeBenches);

const released = (bench: Bench, release: number, more: object = {}): Record<string, unknown> =>
  bench.declared({ ...size(1), restartTriggers: { release }, ...more });

const restartsOf = (bench: Bench, id: string): number => bench.emulator.counters(id).causes.restart;

describe("a restart that was answered is not sent again", () => {
  /** From the first sleep after the restart on, the service answers nothing. */
  const fallsSilent = (bench: Bench, route?: "listEndpoints"): void => {
    const sleep = bench.clock.sleep.bind(bench.clock);
    let isSilent = false;
    bench.clock.sleep = (ms, signal) => {
      if (!isSilent && bench.emulator.requests().some((request) => request.route === "restartEndpoint")) {
        isSilent = true;
        bench.emulator.addFault({
          kind: "status",
          status: 500,
          times: 1_000,
          ...(route === undefined ? {} : { route }),
        });
      }
      return sleep(ms, signal);
    };
  };

  it.each([
    { what: "its wait", route: undefined, before: { release: 1 } },
    { what: "the look at the compute after it", route: "listEndpoints", before: { release: 1 } },
    { what: "its wait, where no trigger was declared before", route: undefined, before: undefined },
  ] as const)("though the service fell silent in $what", async ({ route, before }) => {
    const bench = await openBench();
    const state = await created(bench, before === undefined ? {} : { restartTriggers: before });
    fallsSilent(bench, route);
    const failed = await partialFailureOf(bench.process().update(state, released(bench, 2)));
    bench.emulator.clearFaults();
    const refreshed = await bench.process().read(failed.id, failed.state);
    const after = { ...refreshed.props, endpointId: failed.id };
    const outs = await bench.process().update(after, released(bench, 2));
    expect(outs.restartTriggers).toEqual({ release: 2 });
    expect(outs).not.toHaveProperty("__triggers");
    expect(outs).not.toHaveProperty("__operations");
    expect(restartsOf(bench, state.endpointId)).toBe(1);
  });
});

it.each(["none", "empty"] as const)(
  "a restart is waited for, and its failure seen, where its answer is %s and the operations are listed late",
  async (restartBody) => {
    const bench = await openBench({ switches: { restartBody } });
    const state = await created(bench, { restartTriggers: { release: 1 } });
    bench.emulator.setTimeline({
      action: "start_compute",
      runningMs: 15_000,
      endStatus: "failed",
      times: 1,
    });
    // The list before the restart, and the first two after it.
    bench.emulator.addFault({ kind: "stale", route: "listOperations", times: 3 });
    const failed = await partialFailureOf(bench.process().update(state, released(bench, 2)));
    expect(failed.reason).toContain("the next `pulumi up` sends it again");
    expect(owedSince(failed.state, 1)).toBe(true);
  },
);

describe("a restart whose operations nobody could list", () => {
  /** One failed long before; of the one that the program asks for, the answer names nothing. */
  async function unlisted(bench: Bench): Promise<StateValues> {
    const state = await created(bench, { restartTriggers: { release: 1 } });
    bench.emulator.setTimeline({ endStatus: "failed", times: 2 });
    bench.emulator.restartEndpoint(state.endpointId);
    bench.clock.advance(10_000);
    bench.emulator.addFault({ kind: "status", status: 500, route: "listOperations", times: 1_000 });
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 30_000, times: 1 });
    const late = await partialFailureOf(bench.process().update(state, released(bench, 2)));
    expect(late.reason).toContain("its operations cannot be listed");
    bench.emulator.clearFaults();
    bench.takeRoutes();
    return late.state;
  }

  it("is waited for by the next run, and what failed long before does not count", async () => {
    const bench = await openBench({ switches: { restartBody: "none" } });
    const state = await unlisted(bench);
    const before = bench.clock.monotonicMs();
    const outs = await bench.process().update(state, released(bench, 2));
    expect(outs.restartTriggers).toEqual({ release: 2 });
    expect(outs).not.toHaveProperty("__triggers");
    expect(bench.clock.monotonicMs() - before).toBeGreaterThan(20_000);
    expect(bench.takeRoutes()).not.toContain("restartEndpoint");
  });

  it("is owed where it failed, though the compute is active", async () => {
    const bench = await openBench({ switches: { restartBody: "none" } });
    const state = await created(bench, { restartTriggers: { release: 1 } });
    bench.emulator.setTimeline({ runningMs: 100, endStatus: "failed", times: 2 });
    // The one before it, and the first after it.
    bench.emulator.addFault({ kind: "status", status: 500, route: "listOperations", times: 6 });
    const failed = await partialFailureOf(bench.process().update(state, released(bench, 2)));
    expect(failed.reason).toMatch(/ended as failed.*the next `pulumi up` sends it again/);
    expect(owedSince(failed.state, 1)).toBe(true);
    expect(bench.emulator.endpoint(state.endpointId).endpoint.current_state).toBe("active");
  });
});

it("a restart of a status that nobody knows counts as done once the compute runs, and is waited for once", async () => {
  const bench = await openBench();
  const timeouts = { timeouts: { update: 10 } };
  const state = await created(bench, { restartTriggers: { release: 1 }, ...timeouts });
  bench.emulator.setTimeline({ action: "start_compute", endStatus: "thawed", times: 1 });
  const late = await partialFailureOf(bench.process().update(state, released(bench, 2, timeouts)));
  expect(late.reason).toContain("is thawed after 10 s");
  // A client connects.
  bench.emulator.connect(state.endpointId);
  bench.clock.advance(5_000);
  bench.clock.clearSleeps();
  const outs = await bench.process().update(late.state, released(bench, 2, timeouts));
  expect(outs.restartTriggers).toEqual({ release: 2 });
  expect(bench.said).toContainEqual(
    expect.stringContaining("(thawed) did not end well; the compute is active now"),
  );
  expect(Math.max(...bench.clock.sleeps)).toBeLessThan(1_000);
  expect(restartsOf(bench, state.endpointId)).toBe(1);
});

it("a restart of a status that nobody knows stays owed through another failed run, until its end is known", async () => {
  const bench = await openBench();
  const timeouts = { timeouts: { update: 10 } };
  const state = await created(bench, { restartTriggers: { release: 1 }, ...timeouts });
  bench.emulator.setTimeline({ action: "start_compute", endStatus: "thawed", times: 1 });
  const late = await partialFailureOf(bench.process().update(state, released(bench, 2, timeouts)));
  const again = await partialFailureOf(bench.process().update(late.state, released(bench, 2, timeouts)));
  expect(again.reason).toContain("is thawed after 10 s");
  // Nothing is sent for it as long as it may still end well.
  expect(restartsOf(bench, state.endpointId)).toBe(1);
  const [start] = bench.emulator.operations(bench.projectId);
  const body = { operation: { ...start, status: "failed" } };
  bench.emulator.addFault({ kind: "wrongShape", route: "getOperation", body });
  const failed = await partialFailureOf(bench.process().update(again.state, released(bench, 2, timeouts)));
  expect(failed.reason).toContain("the next `pulumi up` sends it again");
  expect(owedSince(failed.state, 1)).toBe(true);
  bench.emulator.connect(state.endpointId);
  bench.clock.advance(5_000);
  await bench.process().update(failed.state, released(bench, 2, timeouts));
  expect(restartsOf(bench, state.endpointId)).toBe(2);
});

it.each([{ release: 1 }, { release: 2 }])(
  "a restart without an answer is awaited by the next run, before it sends another or none: release $release",
  async ({ release }) => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 120_000, times: 1 });
    bench.emulator.addFault({ kind: "stale", route: "listOperations", times: 99 });
    bench.emulator.addFault({ kind: "cut", when: "after", route: "restartEndpoint" });
    const lost = await partialFailureOf(bench.process().update(state, released(bench, 2)));
    expect(lost.reason).toContain("no operation that starts the compute shows up");
    bench.emulator.clearFaults();
    bench.takeRoutes();
    await bench.process().update(lost.state, released(bench, release));
    const routes = bench.takeRoutes();
    const before = routes.includes("restartEndpoint") ? routes.indexOf("restartEndpoint") : routes.length;
    expect(routes.slice(0, before).filter((route) => route === "getOperation").length).toBeGreaterThan(5);
  },
);
