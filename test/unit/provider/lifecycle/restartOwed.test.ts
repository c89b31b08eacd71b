import { hashOfTrigger } from "../../../../provider/endpoint/planning/changes";
import { deleteByHand } from "../../../support/byHand";
import { closeBenches, created, failureOf, openBench, partialFailureOf, size, type Bench } from "./bench";

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
      expect(failed.state.__triggers).toEqual({ release: hashOfTrigger(1) });
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
    expect(failed.state.__triggers).toEqual({ release: hashOfTrigger(1) });
    bench.emulator.clearTimelines();
    await bench.process().update(failed.state, released(bench, 2, size(2)));
    expect(restartsOf(bench, state.endpointId)).toBe(1);
  });

  it("and no longer, where the new size restarted it", async () => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    const outs = await bench.process().update(state, released(bench, 2, size(2)));
    await bench.process().update(outs, released(bench, 2, size(2)));
    expect(restartsOf(bench, state.endpointId)).toBe(0);
    expect(bench.emulator.counters(state.endpointId).restarts).toBe(1);
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
      bench.said.length = 0;
      const outs = await bench.process().update(state, released(bench, 2));
      expect(outs.restartTriggers).toEqual({ release: 2 });
      expect(bench.takeRoutes()).not.toContain("restartEndpoint");
      expect(bench.said).toEqual([`info: The compute is ${running}: there is nothing to restart.`]);
    },
  );

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
    expect(failed.state.__triggers).toEqual({ release: hashOfTrigger(1) });
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
