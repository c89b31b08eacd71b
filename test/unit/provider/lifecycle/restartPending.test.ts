import { deleteByHand } from "../../../support/byHand";
import {
  closeBenches,
  created,
  failureOf,
  openBench,
  owedSince,
  partialFailureOf,
  size,
  type Bench,
} from "./bench";

afterEach(closeBenches);

const released = (bench: Bench, release: number, more: object = {}): Record<string, unknown> =>
  bench.declared({ ...size(1), restartTriggers: { release }, ...more });

const restartsOf = (bench: Bench, id: string): number => bench.emulator.counters(id).causes.restart;

describe("a restart is owed until one has ended well", () => {
  it.each([
    { reason: "500", fault: { kind: "status", status: 500 } as const },
    { reason: "a page", fault: { kind: "garbled" } as const },
    { reason: "a cut connection", fault: { kind: "cut" } as const },
  ])(
    "though nobody could list operations before it ($reason), and its connection was cut",
    async ({ fault }) => {
      const bench = await openBench();
      const state = await created(bench, { restartTriggers: { release: 1 } });
      // Operations of the past are there, and none of them is the restart's.
      bench.emulator.addFault({ ...fault, route: "listOperations", times: 3 });
      bench.emulator.addFault({ kind: "cut", route: "restartEndpoint" });
      const failed = await partialFailureOf(bench.process().update(state, released(bench, 2)));
      expect(failed.state.restartTriggers).toBeUndefined();
      expect(owedSince(failed.state, 1)).toBe(true);
      expect(restartsOf(bench, state.endpointId)).toBe(0);
      bench.emulator.clearFaults();
      const outs = await bench.process().update(failed.state, released(bench, 2));
      expect(outs.restartTriggers).toEqual({ release: 2 });
      expect(restartsOf(bench, state.endpointId)).toBe(1);
    },
  );

  it("though the new size is there already: somebody else changed it, and nothing restarts for it now", async () => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    bench.emulator.updateEndpoint(state.endpointId, {
      autoscaling_limit_min_cu: 2,
      autoscaling_limit_max_cu: 2,
    });
    bench.clock.advance(10_000);
    const outs = await bench.process().update(state, released(bench, 2, size(2)));
    expect(outs.restartTriggers).toEqual({ release: 2 });
    expect(restartsOf(bench, state.endpointId)).toBe(1);
  });

  it("though the new size restarts it as well, and that did not end well", async () => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    bench.emulator.setTimeline({ endStatus: "failed", times: 1 });
    const failed = await partialFailureOf(bench.process().update(state, released(bench, 2, size(2))));
    expect(failed.state.restartTriggers).toBeUndefined();
    expect(owedSince(failed.state, 1)).toBe(true);
    bench.emulator.clearTimelines();
    await bench.process().update(failed.state, released(bench, 2, size(2)));
    expect(restartsOf(bench, state.endpointId)).toBe(1);
  });

  it.each([
    { running: "active", restarts: 1 },
    { running: "idle", restarts: 0 },
  ])(
    "though the service applies the new size without a restart: an $running compute",
    async ({ running, restarts }) => {
      const bench = await openBench();
      const state = await created(bench, { restartTriggers: { release: 1 } });
      const { endpoint } = bench.emulator.endpoint(state.endpointId);
      const current = { ...endpoint, current_state: running, pending_state: running };
      const resized = { ...current, autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 };
      const applied = {
        id: "11111111-1111-4111-8111-111111111111",
        project_id: bench.projectId,
        branch_id: bench.branchId,
        endpoint_id: state.endpointId,
        action: "apply_config",
        status: "running",
        failures_count: 0,
        created_at: new Date(bench.clock.now()).toISOString(),
        updated_at: new Date(bench.clock.now()).toISOString(),
      };
      const body = { endpoint: resized, operations: [applied] };
      bench.emulator.addFault({ kind: "wrongShape", route: "updateEndpoint", body });
      const ended = { operation: { ...applied, status: "finished" } };
      bench.emulator.addFault({ kind: "status", status: 200, route: "getOperation", body: ended });
      const outs = await bench.process().update(state, released(bench, 2, size(2)));
      expect(outs).toMatchObject({ restartTriggers: { release: 2 }, ...size(2) });
      expect(bench.takeRoutes().filter((route) => route === "restartEndpoint")).toHaveLength(restarts);
    },
  );

  it("and no longer, where the new size restarted it", async () => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    const outs = await bench.process().update(state, released(bench, 2, size(2)));
    await bench.process().update(outs, released(bench, 2, size(2)));
    expect(restartsOf(bench, state.endpointId)).toBe(0);
    expect(bench.emulator.counters(state.endpointId).restarts).toBe(1);
  });
});

describe("what does not show that a restart was done", () => {
  /** Somebody else's operation begins while the provider looks for its own, whose request was lost. */
  const whileLooking = (bench: Bench, act: () => unknown): void => {
    bench.emulator.addFault({ kind: "cut", route: "restartEndpoint" });
    const sleep = bench.clock.sleep.bind(bench.clock);
    let isDone = false;
    bench.clock.sleep = (ms, signal) => {
      if (!isDone && bench.emulator.requests().some(({ route }) => route === "restartEndpoint")) {
        isDone = true;
        act();
      }
      return sleep(ms, signal);
    };
  };

  it.each([
    {
      what: "a change of its settings",
      act: (bench: Bench, id: string) => bench.emulator.updateEndpoint(id, { passwordless_access: false }),
    },
    { what: "a suspend alone", act: (bench: Bench, id: string) => bench.emulator.suspendEndpoint(id) },
  ])("$what, after a request that was lost: the restart is owed, and not sent twice", async ({ act }) => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    whileLooking(bench, () => act(bench, state.endpointId));
    const failed = await partialFailureOf(bench.process().update(state, released(bench, 2)));
    expect(failed.reason).toContain("no operation that starts the compute shows up");
    expect(failed.state.restartTriggers).toBeUndefined();
    expect(owedSince(failed.state, 1)).toBe(true);
    expect(bench.takeRoutes().filter((route) => route === "restartEndpoint")).toHaveLength(1);
  });

  it.each(["full", "none"] as const)(
    "an operation of it that failed, though the compute is active: answer %s",
    async (restartBody) => {
      const bench = await openBench({ switches: { restartBody } });
      const state = await created(bench, { restartTriggers: { release: 1 } });
      bench.emulator.setTimeline({ endStatus: "failed", times: 2 });
      const failed = await partialFailureOf(bench.process().update(state, released(bench, 2)));
      expect(failed.reason).toMatch(/ended as failed.*the next `pulumi up` sends it again/);
      expect(owedSince(failed.state, 1)).toBe(true);
      expect(bench.emulator.endpoint(state.endpointId).endpoint.current_state).toBe("active");
      const outs = await bench.process().update(failed.state, released(bench, 2));
      expect(outs.restartTriggers).toEqual({ release: 2 });
      expect(restartsOf(bench, state.endpointId)).toBe(2);
    },
  );

  it.each([
    { reason: "it fails", action: "suspend_compute", endStatus: "failed", restarts: 2, pauseMs: 0 },
    { reason: "it has failed", action: "suspend_compute", endStatus: "failed", restarts: 2, pauseMs: 60_000 },
    { reason: "it ends well", action: "start_compute", endStatus: "finished", restarts: 1, pauseMs: 0 },
  ])("a wait that ended before it: $reason later", async ({ action, endStatus, restarts, pauseMs }) => {
    const bench = await openBench();
    const timeouts = { timeouts: { update: 10 } };
    const state = await created(bench, { restartTriggers: { release: 1 }, ...timeouts });
    bench.emulator.setTimeline({ action, runningMs: 15_000, endStatus, times: 1 });
    const late = await partialFailureOf(bench.process().update(state, released(bench, 2, timeouts)));
    expect(late.reason).toContain("was still");
    // The preview announces nothing: the run after it waits, and sends nothing.
    const run = bench.process();
    await expect(
      run.handlers.diff(late.id, { ...late.state }, released(bench, 2, timeouts)),
    ).resolves.toMatchObject({ changes: true });
    bench.takeRoutes();
    bench.clock.advance(pauseMs);
    const next = run.update(late.state, released(bench, 2, timeouts));
    if (endStatus === "failed") {
      const failed = await partialFailureOf(next);
      expect(failed.reason).toContain("the next `pulumi up` sends it again");
      expect(owedSince(failed.state, 1)).toBe(true);
      expect(bench.takeRoutes()).not.toContain("restartEndpoint");
      await bench.process().update(failed.state, released(bench, 2, timeouts));
    } else {
      await expect(next).resolves.toMatchObject({ restartTriggers: { release: 2 } });
      await expect(next).resolves.not.toHaveProperty("__triggers");
    }
    expect(restartsOf(bench, state.endpointId)).toBe(restarts);
  });
});

describe("a compute that runs nothing has nothing to restart", () => {
  const refusal = { kind: "status", route: "restartEndpoint", times: 1_000 } as const;
  const stop = {
    idle: (bench: Bench, id: string): unknown => bench.emulator.suspendEndpoint(id),
    disabled: (bench: Bench, id: string): unknown => bench.emulator.updateEndpoint(id, { disabled: true }),
  } as const;

  it.each(["idle", "disabled"] as const)(
    "so nothing is sent where it is %s, its row says so, and its trigger is settled",
    async (running) => {
      const bench = await openBench();
      const state = await created(bench, { restartTriggers: { release: 1 } });
      stop[running](bench, state.endpointId);
      bench.clock.advance(10_000);
      bench.emulator.addFault({ ...refusal, status: 409 });
      bench.rows.length = 0;
      const outs = await bench.process().update(state, released(bench, 2));
      expect(outs.restartTriggers).toEqual({ release: 2 });
      expect(bench.takeRoutes()).not.toContain("restartEndpoint");
      expect(bench.rows).toEqual([`info: The compute is ${running}: there is nothing to restart.`]);
    },
  );

  it.each([
    { what: "stays so: nothing is sent", more: {}, sent: [] },
    { what: "is enabled: that starts it", more: { disabled: false }, sent: ["updateEndpoint"] },
  ])("where a refresh has seen that it is disabled, and it $what", async ({ more, sent }) => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    stop.disabled(bench, state.endpointId);
    bench.clock.advance(10_000);
    const { props } = await bench.process().read(state.endpointId, state);
    bench.takeRoutes();
    bench.said.length = 0;
    const run = bench.process({ COMPUTE_LIVE_FACTS: "false" });
    const outs = await run.update(props as typeof state, released(bench, 2, more));
    expect(outs.restartTriggers).toEqual({ release: 2 });
    expect(bench.takeRoutes().filter((route) => /restart|update/.test(route))).toEqual(sent);
    expect(bench.said).toEqual([]);
  });

  it.each([409, 412, 422] as const)(
    "also where it fell asleep a moment ago and the service answers %d",
    async (idleRestart) => {
      const bench = await openBench({ switches: { idleRestart } });
      const state = await created(bench, { restartTriggers: { release: 1 } });
      // Both lists before the restart show what was a moment ago.
      bench.emulator.addFault({ kind: "stale", route: "listEndpoints", times: 2 });
      bench.emulator.suspendEndpoint(state.endpointId);
      bench.clock.advance(10_000);
      const outs = await bench.process().update(state, released(bench, 2));
      expect(outs.restartTriggers).toEqual({ release: 2 });
      expect(bench.takeRoutes()).toContain("restartEndpoint");
    },
  );

  it("but an active one that refuses stays owed, with the service's reason", async () => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    const body = { code: "NO", message: "not today" };
    bench.emulator.addFault({ ...refusal, status: 422, body });
    const failed = await partialFailureOf(bench.process().update(state, released(bench, 2)));
    expect(failed.reason).toContain("422 (NO: not today)");
    expect(owedSince(failed.state, 1)).toBe(true);
  });

  it("and where nobody can tell whether it runs, the restart is asked for", async () => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    bench.emulator.addFault({ kind: "status", status: 500, route: "listEndpoints", times: 3 });
    await bench.process().update(state, released(bench, 2));
    expect(restartsOf(bench, state.endpointId)).toBe(1);
  });
});

it("a restart of a compute that is gone says so", async () => {
  const bench = await openBench();
  const state = await created(bench, { restartTriggers: { release: 1 } });
  deleteByHand(bench, state.endpointId);
  const error = await failureOf(bench.process().update(state, released(bench, 2)));
  expect(error.message).toContain("the service no longer knows this compute");
});
