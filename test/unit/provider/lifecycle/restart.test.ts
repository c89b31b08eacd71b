import { closeBenches, created, openBench, owedSince, partialFailureOf, size } from "./bench";

afterEach(closeBenches);

describe("restartTriggers", () => {
  it("restart the compute with a POST, and wait for it", async () => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    const declared = bench.declared({ ...size(1), restartTriggers: { release: 2 } });
    const outs = await bench.process().update(state, declared);
    expect(outs.restartTriggers).toEqual({ release: 2 });
    // What runs, whether there is anything to restart, what was there before, and the restart.
    expect(bench.takeRoutes().slice(0, 4)).toEqual([
      "listEndpoints",
      "listEndpoints",
      "listOperations",
      "restartEndpoint",
    ]);
    expect(bench.emulator.counters(state.endpointId).causes.restart).toBe(1);
  });

  it.each(["empty", "none"] as const)(
    "wait for operations that the answer leaves out: body %s",
    async (restartBody) => {
      const bench = await openBench({ switches: { restartBody } });
      const state = await created(bench, { restartTriggers: { release: 1 } });
      const declared = bench.declared({ ...size(1), restartTriggers: { release: 2 } });
      await bench.process().update(state, declared);
      expect(bench.takeRoutes().slice(3, 5)).toEqual(["restartEndpoint", "listOperations"]);
      expect(bench.emulator.endpoint(state.endpointId).endpoint.current_state).toBe("active");
    },
  );

  it("do not restart a second time what a new size restarts already", async () => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    await bench.process().update(state, bench.declared({ ...size(2), restartTriggers: { release: 2 } }));
    expect(bench.takeRoutes()).not.toContain("restartEndpoint");
    expect(bench.emulator.counters(state.endpointId).restarts).toBe(1);
  });

  it("do nothing where one is removed", async () => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1, key: "a" } });
    const declared = bench.declared({ ...size(1), restartTriggers: { release: 1 } });
    const outs = await bench.process().update(state, declared);
    expect(outs.restartTriggers).toEqual({ release: 1 });
    expect(bench.takeRoutes()).toEqual(["listEndpoints"]);
  });

  it.each([
    { reason: "the connection is cut", fault: { kind: "cut", when: "after" } as const },
    { reason: "the service answers 500", fault: { kind: "status", status: 500, when: "after" } as const },
  ])("are never sent twice where the restart was done and $reason", async ({ fault }) => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    bench.emulator.addFault({ ...fault, route: "restartEndpoint" });
    await bench.process().update(state, bench.declared({ ...size(1), restartTriggers: { release: 2 } }));
    expect(bench.takeRoutes().filter((route) => route === "restartEndpoint")).toHaveLength(1);
    expect(bench.emulator.counters(state.endpointId).causes.restart).toBe(1);
  });

  it("are not sent again where the restart was over before anyone could look", async () => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    bench.emulator.setTimeline({ runningMs: 100 });
    bench.emulator.addFault({ kind: "cut", when: "after", route: "restartEndpoint" });
    await bench.process().update(state, bench.declared({ ...size(1), restartTriggers: { release: 2 } }));
    expect(bench.emulator.counters(state.endpointId).causes.restart).toBe(1);
  });

  it("do not take another change of the compute for the restart", async () => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    bench.emulator.setTimeline({ action: "apply_config", runningMs: 8_000 });
    bench.emulator.updateEndpoint(state.endpointId, { passwordless_access: false });
    bench.emulator.addFault({ kind: "cut", route: "restartEndpoint" });
    const failed = await partialFailureOf(
      bench.process().update(state, bench.declared({ ...size(1), restartTriggers: { release: 2 } })),
    );
    expect(failed.reason).toContain(
      "`pulumi up` sends the restart again; where the compute has restarted already",
    );
    expect(failed.state.restartTriggers).toBeUndefined();
    expect(owedSince(failed.state, 1)).toBe(true);
  });

  it("are still owed where the service has no such route, and the compute is there", async () => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    const body = { code: "NOT_FOUND", message: "no such route" };
    bench.emulator.addFault({ kind: "status", status: 404, body, route: "restartEndpoint" });
    const failed = await partialFailureOf(
      bench.process().update(state, bench.declared({ ...size(1), restartTriggers: { release: 2 } })),
    );
    expect(failed.reason).toContain("the service answered 404 (NOT_FOUND: no such route)");
    expect(failed.state.restartTriggers).toBeUndefined();
    expect(owedSince(failed.state, 1)).toBe(true);
  });

  it("go out in a turn of their own after another change", async () => {
    const bench = await openBench({ switches: { lock: "project" } });
    const state = await created(bench, { restartTriggers: { release: 1 }, suspendTimeoutSeconds: 600 });
    const declared = { ...size(1), restartTriggers: { release: 2 }, suspendTimeoutSeconds: 900 };
    const outs = await bench.process().update(state, bench.declared(declared));
    expect(outs).toMatchObject({ restartTriggers: { release: 2 }, suspendTimeoutSeconds: 900 });
    const written = bench.takeRoutes().filter((route) => /update|restart/.test(route));
    expect(written).toEqual(["updateEndpoint", "restartEndpoint"]);
  });

  it("are still owed where the restart was not done", async () => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    bench.emulator.addFault({ kind: "cut", route: "restartEndpoint" });
    const declared = bench.declared({ ...size(1), restartTriggers: { release: 2 } });
    const failed = await partialFailureOf(bench.process().update(state, declared));
    expect(failed.state.restartTriggers).toBeUndefined();
    expect(owedSince(failed.state, 1)).toBe(true);
    await bench.process().update(failed.state, declared);
    expect(bench.emulator.counters(state.endpointId).causes.restart).toBe(1);
  });
});
