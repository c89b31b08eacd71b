import { messageOf } from "../../../../provider/pure/errors";
import { variants } from "../../../support/variants";
import { answers, lost } from "../lifecycle/bench";
import { open, type Restarting } from "./bench";

/** The compute runs again. */
function mend(one: Restarting): void {
  one.bench.emulator.connect(one.id());
  one.bench.clock.advance(10_000);
}

describe.each(variants)("a restart that does not end well, with the %s variant", (variant) => {
  it("is sent again by the next run where its operation failed: the state keeps the old triggers", async () => {
    const one = await open(variant);
    await one.up({ release: 1 });
    one.bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const { failures } = await one.up({ release: 2 });
    expect(failures.map(messageOf)).toEqual([
      expect.stringMatching(
        /^restarting compute ep-\S+: operation start_compute \(\S+\) ended as failed.* the next `pulumi up` sends it again\.$/,
      ),
    ]);
    expect(one.engine.stored("db")).toMatchObject({ id: one.id(), isUnfinished: true });
    expect(one.triggers()).toEqual({ release: 1 });
    mend(one);
    const { notices } = await one.up({ release: 2 }, { isPreview: true });
    expect(notices["db"]).toMatch(/^restart: restartTriggers \(release\)/);
    await one.up({ release: 2 });
    expect(one.sent()).toBe(3);
    expect(one.triggers()).toEqual({ release: 2 });
    expect((await one.up({ release: 2 })).steps).toEqual({ db: "same" });
  });

  it("does not count as done where the compute is down since: the next run looks at it, and sends nothing", async () => {
    const one = await open(variant);
    one.bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    await one.up({ release: 1 });
    one.bench.emulator.suspendEndpoint(one.id());
    one.bench.clock.advance(10_000);
    const { failures } = await one.up({ release: 1 });
    expect(failures.map(messageOf)).toEqual([expect.stringContaining("ended as failed")]);
    expect([one.sent(), one.triggers()]).toEqual([1, undefined]);
    mend(one);
    await one.up({ release: 1 });
    expect([one.sent(), one.triggers()]).toEqual([2, { release: 1 }]);
  });

  it("counts as done without another one where the old triggers are put back", async () => {
    const one = await open(variant);
    await one.up({ release: 1 });
    one.bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    await one.up({ release: 2 });
    mend(one);
    const back = await one.up({ release: 1 });
    expect(back).toMatchObject({ failures: [], notices: {} });
    expect(one.sent()).toBe(2);
    expect((await one.up({ release: 1 })).steps).toEqual({ db: "same" });
  });

  it("is not lost where the PATCH before it fails, whether the PATCH restarts or not", async () => {
    const one = await open(variant);
    one.bench.emulator.setTimeline({ action: "apply_config", endStatus: "failed", times: 1 });
    const db = { settings: { pgSettings: { a: "1" } } };
    const { failures } = await one.up({ release: 1 }, { db });
    expect(failures).toHaveLength(1);
    expect([one.sent(), one.triggers()]).toEqual([0, undefined]);
    mend(one);
    await one.up({ release: 1 }, { db });
    expect([one.sent(), one.triggers()]).toEqual([1, { release: 1 }]);
  });

  it("waits for the operations of an earlier run before it is sent", async () => {
    const one = await open(variant, { db: { timeouts: { update: 5 } } });
    const db = { timeouts: { update: 5 } };
    one.bench.emulator.setTimeline({ action: "start_compute", schedulingMs: 60_000, times: 1 });
    const { failures } = await one.up({ release: 1 }, { db });
    expect(failures.map(messageOf)).toEqual([expect.stringContaining("after 5 s")]);
    expect(one.triggers()).toBeUndefined();
    one.bench.clock.advance(120_000);
    await one.up({ release: 1 }, { db });
    expect(one.triggers()).toEqual({ release: 1 });
  });

  it.each([
    { reason: "it was done, and the connection is cut", fault: lost, sent: 1 },
    { reason: "it was done, and the service answers 500", fault: answers(500, { when: "after" }), sent: 1 },
    { reason: "it was done, and the service answers 503", fault: answers(503, { when: "after" }), sent: 1 },
    { reason: "it was not done, and the service answers 503", fault: answers(503), sent: 2 },
  ])("is looked for where its answer is lost: sent $sent times, where $reason", async ({ fault, sent }) => {
    const one = await open(variant);
    one.bench.spoil("restartEndpoint", fault);
    const { failures } = await one.up({ release: 1 });
    expect(failures).toEqual([]);
    expect([one.sent(), one.restarts()]).toEqual([sent, 1]);
  });

  it("is not guessed: without an answer and without a new start, the error says so, and the next run sends it", async () => {
    const one = await open(variant);
    one.bench.emulator.addFault({ kind: "cut", route: "restartEndpoint" });
    const { failures } = await one.up({ release: 1 });
    expect(failures.map(messageOf)).toEqual([
      expect.stringMatching(
        /no operation that starts the compute shows up.*`pulumi up` sends the restart again/,
      ),
    ]);
    expect([one.sent(), one.triggers()]).toEqual([1, undefined]);
    await one.up({ release: 1 });
    expect([one.restarts(), one.triggers()]).toEqual([1, { release: 1 }]);
  });

  it.each(["empty", "none"] as const)(
    "waits for operations that the answer leaves out: body %s",
    async (restartBody) => {
      const one = await open(variant, { switches: { restartBody } });
      await one.up({ release: 1 });
      expect(one.bench.emulator.endpoint(one.id()).endpoint.current_state).toBe("active");
      expect(one.engine.rows.at(-1)).toMatch(/^info: restarted/);
    },
  );

  it("is proven by the time of its start where neither its answer nor a list names operations", async () => {
    const one = await open(variant, { switches: { service: "neon", restartBody: "empty" } });
    one.bench.clock.advance(2_000);
    one.bench.emulator.addFault({ kind: "status", status: 403, route: "listOperations" });
    one.bench.spoil("restartEndpoint", lost);
    const { failures } = await one.up({ release: 1 });
    expect(failures).toEqual([]);
    const { started_at: startedAt = "" } = one.bench.emulator.endpoint(one.id()).endpoint;
    expect(one.engine.rows.at(-1)).toContain(`info: restarted at ${startedAt.slice(11, 19)}`);
    expect([one.sent(), one.restarts()]).toEqual([1, 1]);
  });

  it("is sent again where the run was killed while it waited", async () => {
    const one = await open(variant);
    await one.up({ release: 1 }, { isKilled: true });
    expect(one.triggers()).toBeUndefined();
    await one.up({ release: 1 });
    expect([one.sent(), one.triggers()]).toEqual([2, { release: 1 }]);
  });

  it("is a refusal with the service's words where the route is not there, and nothing waits for it", async () => {
    const one = await open(variant);
    const body = { code: "NOT_FOUND", message: "no such route" };
    one.bench.emulator.addFault({ kind: "status", status: 404, body, route: "restartEndpoint" });
    const { failures } = await one.up({ release: 1 });
    expect(failures.map(messageOf)).toEqual([expect.stringContaining("the service answered 404")]);
    expect(one.triggers()).toBeUndefined();
    expect(one.engine.stored("db")?.outs).not.toHaveProperty("__operations");
  });
});
