import { closeBenches, created, openBench, owedSince, partialFailureOf, size, type Bench } from "./bench";

afterEach(closeBenches);

describe("restartTriggers", () => {
  it("restart the compute with a POST, and wait for it", async () => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    const declared = bench.declared({ ...size(1), restartTriggers: { release: 2 } });
    const outs = await bench.process().update(state, declared);
    expect(outs.restartTriggers).toEqual({ release: 2 });
    // What runs, whether there is anything to restart, what was there before, the restart, and how it goes on.
    expect(bench.takeRoutes().slice(0, 5)).toEqual([
      "listEndpoints",
      "listEndpoints",
      "listOperations",
      "restartEndpoint",
      "listOperations",
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

  it.each([
    {
      when: "after",
      failing: 1,
      happened: /: restarted \(/,
      reason: "what was there before tells which are new",
    },
    { when: "before and after", failing: 0, happened: /^$/, reason: "nobody knows which are new" },
  ])(
    "say what happened though the answer names nothing, and a list $when it fails: $happened, $reason",
    async ({ failing, happened }) => {
      const bench = await openBench({ switches: { restartBody: "none" } });
      const state = await created(bench, { restartTriggers: { release: 1 } });
      // Each of them is tried three times.
      const times = failing === 1 ? 3 : 6;
      bench.emulator.addFault({
        kind: "status",
        status: 500,
        route: "listOperations",
        after: failing,
        times,
      });
      const declared = bench.declared({ ...size(1), restartTriggers: { release: 2 } });
      bench.said.length = 0;
      await bench.process().update(state, declared);
      expect(bench.said.join()).toMatch(happened);
      expect(bench.emulator.endpoint(state.endpointId).endpoint.current_state).toBe("active");
    },
  );

  it("do not mind an operation that failed long before, where nobody knows which are new", async () => {
    const bench = await openBench({ switches: { restartBody: "none" } });
    const state = await created(bench, { restartTriggers: { release: 1 } });
    bench.emulator.setTimeline({ endStatus: "failed", times: 2 });
    bench.emulator.restartEndpoint(state.endpointId);
    bench.clock.advance(10_000);
    bench.emulator.addFault({ kind: "status", status: 500, route: "listOperations", times: 3 });
    const declared = bench.declared({ ...size(1), restartTriggers: { release: 2 } });
    await expect(bench.process().update(state, declared)).resolves.toMatchObject({
      restartTriggers: { release: 2 },
    });
  });

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

  it("are not sent again where the restart shows only in the second list after it", async () => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    bench.emulator.addFault({ kind: "cut", when: "after", route: "restartEndpoint" });
    // What was there before, and the first look.
    bench.emulator.addFault({ kind: "stale", route: "listOperations", times: 2 });
    await bench.process().update(state, bench.declared({ ...size(1), restartTriggers: { release: 2 } }));
    expect(bench.emulator.counters(state.endpointId).causes.restart).toBe(1);
  });

  it.each([
    { done: "not done", when: "before" as const, sent: 2 },
    { done: "done", when: "after" as const, sent: 1 },
  ])("are sent $sent times where the service answers 503, and it was $done", async ({ when, sent }) => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    bench.emulator.addFault({ kind: "status", status: 503, when, route: "restartEndpoint" });
    await bench.process().update(state, bench.declared({ ...size(1), restartTriggers: { release: 2 } }));
    expect(bench.takeRoutes().filter((route) => route === "restartEndpoint")).toHaveLength(sent);
    expect(bench.emulator.counters(state.endpointId).causes.restart).toBe(1);
  });

  it.each([
    { done: "done", when: "after" as const, isOwed: false },
    { done: "not done", when: "before" as const, isOwed: true },
  ])(
    "are looked for once, and no longer, where the time is over when no answer comes, and it was $done",
    async ({ when, isOwed }) => {
      let isSlow = false;
      const bench: Bench = await openBench({
        onRequest: ({ route }) => {
          if (isSlow && route === "restartEndpoint") bench.clock.advance(20_000);
        },
      });
      const timeouts = { timeouts: { update: 10 } };
      const state = await created(bench, { restartTriggers: { release: 1 }, ...timeouts });
      isSlow = true;
      bench.emulator.addFault({ kind: "cut", when, route: "restartEndpoint" });
      const declared = bench.declared({ ...size(1), restartTriggers: { release: 2 }, ...timeouts });
      const update = bench.process().update(state, declared);
      if (isOwed) expect(owedSince((await partialFailureOf(update)).state, 1)).toBe(true);
      else await expect(update).resolves.toMatchObject({ restartTriggers: { release: 2 } });
      expect(bench.clock.sleeps.filter((ms) => ms === 500 || ms === 1_500)).toEqual([500]);
    },
  );

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

  it.each([
    { reason: "does not list the compute", body: { endpoints: [] } },
    { reason: "lists it as it was before", body: undefined },
  ])("leave a change that was made before them in the state where the service $reason", async ({ body }) => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 }, suspendTimeoutSeconds: 600 });
    const { endpoint } = bench.emulator.endpoint(state.endpointId);
    const late = { kind: "wrongShape", route: "listEndpoints", times: 1_000 } as const;
    bench.clock.advance(5_000);
    bench.emulator.addFault({ kind: "cut", route: "restartEndpoint" });
    bench.emulator.addFault({ ...late, body: body ?? { endpoints: [endpoint] } });
    const declared = { ...size(1), restartTriggers: { release: 2 }, suspendTimeoutSeconds: 900 };
    const failed = await partialFailureOf(bench.process().update(state, bench.declared(declared)));
    expect(failed.reason).toContain("no operation that starts the compute shows up");
    expect(failed.state.suspendTimeoutSeconds).toBe(900);
    expect(owedSince(failed.state, 1)).toBe(true);
  });

  it("are still owed where the restart was not done", async () => {
    const bench = await openBench();
    const state = await created(bench, { restartTriggers: { release: 1 } });
    bench.emulator.addFault({ kind: "cut", route: "restartEndpoint" });
    const declared = bench.declared({ ...size(1), restartTriggers: { release: 2 } });
    const failed = await partialFailureOf(bench.process().update(state, declared));
    expect(failed.state.restartTriggers).toBeUndefined();
    expect(owedSince(failed.state, 1)).toBe(true);
    // Nobody can tell: what the service may still do is awaited first.
    expect(failed.state.__operations).toEqual(["unlisted"]);
    await bench.process().update(failed.state, declared);
    expect(bench.emulator.counters(state.endpointId).causes.restart).toBe(1);
  });
});
