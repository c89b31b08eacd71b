import { previewReadMs } from "../../../../provider/pure/timing";
import {
  answers,
  closeBenches,
  created,
  failureOf,
  openBench,
  partialFailureOf,
  size,
  withCompute,
} from "./bench";

afterEach(closeBenches);

describe("a create whose operation does not end well", () => {
  it("keeps the id, says why, and goes on without a second post", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const { id, state, reason } = await partialFailureOf(bench.create());
    expect(bench.computes()).toEqual([id]);
    expect(reason).toMatch(/^creating compute ep-.*: operation start_compute \(.*\) ended as failed/);
    expect(state).toMatchObject({ endpointId: id, __provider: "text", branchId: bench.branchId });
    expect(state.__operations).toHaveLength(1);

    // Nothing has changed: it is still not up.
    bench.takeRoutes();
    const again = await partialFailureOf(bench.update(state));
    expect(again.reason).toContain("ended as failed");
    expect(again.state.__operations).toEqual(state.__operations);

    // Somebody connects, and it starts after all.
    bench.emulator.connect(id);
    bench.clock.advance(2_000);
    const outs = await bench.update(again.state);
    expect(outs).not.toHaveProperty("__operations");
    expect(bench.said.at(-1)).toContain("did not end well; the compute is active now");
    const routes = bench.takeRoutes();
    expect(routes).not.toContain("createEndpoint");
    expect(routes).not.toContain("updateEndpoint");
  });

  it("keeps the id where the wait is too long, and resumes the wait", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 60_000, times: 1 });
    const { id, state, reason } = await partialFailureOf(bench.create({ timeouts: { create: 10 } }));
    expect(reason).toContain("was still running after 10 s");
    bench.takeRoutes();
    const outs = await bench.update(state, { timeouts: { create: 10 } });
    expect(outs.endpointId).toBe(id);
    const routes = bench.takeRoutes();
    expect(routes).not.toContain("createEndpoint");
    expect(routes).not.toContain("updateEndpoint");
    expect(bench.live(id).current_state).toBe("active");
  });

  it("keeps the id where the operation vanishes, and the compute does not tell how it ended", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", vanished: true, stuck: "running", times: 1 });
    const { id, state, reason } = await partialFailureOf(bench.create({ timeouts: { create: 10 } }));
    expect(reason).toContain("the service no longer knows operation start_compute");
    await expect(bench.update(state)).resolves.toMatchObject({ endpointId: id });
  });

  it("never takes an unknown status for a success", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "thawed", times: 1 });
    const { reason } = await partialFailureOf(bench.create({ timeouts: { create: 5 } }));
    expect(reason).toContain("is thawed after 5 s, a status that this version does not know");
  });

  it("is forgiven once the compute has run since, though it rests now", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const { id, state } = await partialFailureOf(bench.create());
    bench.clock.advance(60_000);
    bench.emulator.connect(id);
    bench.clock.advance(10_000);
    bench.emulator.suspendEndpoint(id);
    bench.clock.advance(10_000);
    const outs = await bench.update(state);
    expect(outs.endpointId).toBe(id);
    expect(bench.said).toEqual([expect.stringContaining("did not end well; the compute is idle now")]);
  });

  it("holds up no change where it fails while the next update waits for it", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 20_000, endStatus: "failed", times: 1 });
    const { state } = await partialFailureOf(bench.create({ timeouts: { create: 5 } }));
    const outs = await bench.update(state, size(2));
    expect(outs).toMatchObject(size(2));
    expect(outs).not.toHaveProperty("__operations");
  });

  it("is forgiven once the compute is disabled, since nothing is to start then", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const { id, state } = await partialFailureOf(bench.create());
    bench.emulator.updateEndpoint(id, { disabled: true });
    bench.clock.advance(10_000);
    const outs = await bench.update(state);
    expect(outs).not.toHaveProperty("__operations");
    expect(bench.said).toEqual([expect.stringContaining("did not end well; the compute is disabled now")]);
  });

  it("is not forgiven where no list shows the compute", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const { id, state } = await partialFailureOf(bench.create());
    bench.emulator.connect(id);
    bench.clock.advance(2_000);
    const body = { endpoints: [] };
    bench.spoil("listEndpoints", { kind: "wrongShape", body, times: 100 });
    const again = await partialFailureOf(bench.update(state));
    expect(again.reason).toContain("ended as failed");
    expect(again.state).toMatchObject({ endpointId: id, __operations: state.__operations });
  });

  it("is seen though the answer to the create was lost", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 100, endStatus: "failed" });
    bench.spoil("createEndpoint", { kind: "cut", when: "after" });
    const { id, reason } = await partialFailureOf(bench.create());
    expect(reason).toMatch(/operation start_compute \(.*\) ended as failed/);
    expect(bench.computes()).toEqual([id]);
  });

  it("is waited for by the next run where nobody could list the operations", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 120_000, endStatus: "failed" });
    bench.spoil("createEndpoint", { kind: "cut", when: "after" });
    bench.spoil("listOperations", answers(500, { times: 3 }));
    const { state } = await partialFailureOf(bench.create());
    const again = await partialFailureOf(bench.update(state));
    expect(again.reason).toMatch(/operation start_compute \(.*\) ended as failed/);
  });

  it("of an unknown status is forgiven once the compute runs, and holds up no change", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "completed", times: 1 });
    const { id, state } = await partialFailureOf(bench.create({ timeouts: { create: 5 } }));
    bench.clock.clearSleeps();
    const outs = await bench.update(state, size(2));
    expect(outs).toMatchObject(size(2));
    // Not a wait: the limit of a preview's read.
    const waits = bench.clock.sleeps.filter((ms) => ms !== previewReadMs);
    expect(Math.max(...waits)).toBeLessThan(5_000);
    bench.emulator.connect(id);
    bench.clock.advance(5_000);
    await bench.update(state);
    expect(bench.said.at(-1)).toContain("(completed) did not end well; the compute is active now");
  });

  it.each([
    { body: undefined, reason: "no body of the service's" },
    { body: { detail: "Not Found" }, reason: "a body of some framework's" },
    { body: { type: "about:blank", title: "Not Found", status: 404 }, reason: "problem details" },
  ])("is over where the service has forgotten it: 404 with $reason", async ({ body }) => {
    const { bench, state } = await withCompute();
    const owed = { ...state, __operations: ["11111111-1111-4111-8111-111111111111"] };
    bench.spoil("getOperation", answers(404, { ...(body === undefined ? {} : { body }) }));
    const outs = await bench.update(owed, size(2));
    expect(outs).toMatchObject(size(2));
  });

  it.each([
    { reason: "a gateway's page", body: "<html></html>", times: 1 },
    { reason: "a copy of the service that is behind", body: { code: "NOT_FOUND", message: "?" }, times: 1 },
    { reason: "a gateway's page for its whole list", body: "<html></html>", times: 1_000 },
  ])("is waited for though its read is answered 404: $reason", async ({ body, times }) => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 60_000, times: 1 });
    const { state } = await partialFailureOf(bench.create({ ...size(1), timeouts: { create: 10 } }));
    const page = { kind: "status", status: 404, body, times } as const;
    bench.spoil("getOperation", page);
    if (times > 1) bench.spoil("listOperations", page);
    bench.takeRoutes();
    const update = bench.update(state, size(2));
    if (times > 1) {
      // Nothing is sent, and the state keeps what is to be waited for.
      expect((await failureOf(update)).message).toContain("the service answered 404");
      expect(bench.takeRoutes()).not.toContain("updateEndpoint");
      return;
    }
    await update;
    const routes = bench.takeRoutes();
    const waits = routes.slice(0, routes.indexOf("updateEndpoint"));
    expect(waits.filter((route) => route === "getOperation").length).toBeGreaterThan(2);
  });

  it("is over where the service itself has forgotten it, though its operations cannot be listed", async () => {
    const bench = await openBench();
    const owed = { ...(await created(bench)), __operations: ["11111111-1111-4111-8111-111111111111"] };
    const body = { code: "FORBIDDEN", message: "no" };
    bench.spoil("listOperations", answers(403, { body, times: 1_000 }));
    const outs = await bench.update(owed, size(2));
    expect(outs).toMatchObject(size(2));
  });

  it("can be destroyed after every failure", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", stuck: "running", times: 1 });
    const { state } = await partialFailureOf(bench.create({ timeouts: { create: 5 } }));
    await bench.destroy(state);
    expect(bench.computes()).toEqual([]);
  });
});
