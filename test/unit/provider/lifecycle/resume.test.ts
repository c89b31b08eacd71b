import { previewReadMs } from "../../../../provider/pure/timing";
import {
  answers,
  failureOf,
  lost,
  openBench,
  page,
  partialFailureOf,
  size,
  unlisted,
  withCompute,
  type Bench,
} from "./bench";

type Timeline = Parameters<Bench["emulator"]["setTimeline"]>[0];

/** A create whose start does not end well. */
async function failedCreate(timeline: Timeline, more: object = {}) {
  const bench = await openBench();
  bench.emulator.setTimeline({ action: "start_compute", times: 1, ...timeline });
  return { bench, ...(await partialFailureOf(bench.create({ ...more }))) };
}
const failed: Timeline = { endStatus: "failed" };
const within = (create: number): Record<string, unknown> => ({ timeouts: { create } });

describe("a create whose operation does not end well", () => {
  it("keeps the id, says why, and goes on without a second post", async () => {
    const { bench, id, state, reason } = await failedCreate(failed);
    expect(bench.computes()).toEqual([id]);
    expect(reason).toMatch(/^creating compute ep-.*: operation start_compute \(.*\) ended as failed/);
    expect(state).toMatchObject({ endpointId: id, __provider: "text", branchId: bench.branchId });
    expect(state.__operations).toHaveLength(1);

    // Nothing has changed: it is still not up.
    bench.takeRoutes();
    bench.emulator.suspendEndpoint(id);
    bench.clock.advance(2_000);
    const again = await partialFailureOf(bench.update(state));
    expect(again.reason).toContain("ended as failed");
    expect(again.state.__operations).toEqual(state.__operations);
    expect(bench.said).toEqual([]);

    // Somebody connects, and it starts after all.
    bench.emulator.connect(id);
    bench.clock.advance(2_000);
    const outs = await bench.update(again.state);
    expect(outs).not.toHaveProperty("__operations");
    expect(bench.said.at(-1)).toContain("did not end well; the compute is active now");
    expect([bench.sent("createEndpoint"), bench.sent("updateEndpoint")]).toEqual([0, 0]);
  });

  it.each<{ reason: string; timeline: Timeline; seconds: number; says: string }>([
    {
      reason: "the wait is too long",
      timeline: { runningMs: 60_000 },
      seconds: 10,
      says: "was still running after 10 s",
    },
    {
      reason: "the operation vanishes, and the compute does not tell how it ended",
      timeline: { vanished: true, stuck: "running" },
      seconds: 10,
      says: "the service no longer knows operation start_compute",
    },
    {
      reason: "its status is unknown, which is no success",
      timeline: { endStatus: "thawed" },
      seconds: 5,
      says: "is thawed after 5 s, a status that this version does not know. See at the service how it ended, then run the same command again: it goes on once the compute has been active since",
    },
  ])("keeps the id where $reason, and can go on or be destroyed", async ({ timeline, seconds, says }) => {
    const { bench, id, state, reason } = await failedCreate(timeline, within(seconds));
    expect(reason).toContain(says);
    expect(state.endpointId).toBe(id);
    bench.takeRoutes();
    if (timeline.runningMs !== undefined) {
      await bench.update(state, within(seconds));
      expect([bench.sent("createEndpoint"), bench.sent("updateEndpoint")]).toEqual([0, 0]);
      expect(bench.live(id).current_state).toBe("active");
    } else if (timeline.vanished === true) {
      await expect(bench.update(state)).resolves.toMatchObject({ endpointId: id });
    } else {
      bench.emulator.connect(id);
      bench.clock.advance(2_000);
      await expect(bench.update(state)).resolves.not.toHaveProperty("__operations");
    }
    await bench.destroy(state);
    expect(bench.computes()).toEqual([]);
  });

  it.each([
    {
      reason: "has run since, though it rests now",
      now: "idle",
      then: ({ emulator, clock }: Bench, id: string) => {
        clock.advance(60_000);
        emulator.connect(id);
        clock.advance(10_000);
        emulator.suspendEndpoint(id);
      },
    },
    {
      reason: "is disabled, since nothing is to start then",
      now: "disabled",
      then: ({ emulator }: Bench, id: string) => emulator.updateEndpoint(id, { disabled: true }),
    },
  ])("is forgiven once the compute $reason", async ({ now, then }) => {
    const { bench, id, state } = await failedCreate(failed);
    then(bench, id);
    bench.clock.advance(10_000);
    expect(await bench.update(state)).not.toHaveProperty("__operations");
    expect(bench.said).toEqual([expect.stringContaining(`did not end well; the compute is ${now} now`)]);
  });

  it("holds up no change where it fails while the next update waits for it", async () => {
    const { bench, state } = await failedCreate({ ...failed, runningMs: 20_000 }, within(5));
    const outs = await bench.update(state, size(2));
    expect(outs).toMatchObject(size(2));
    expect(outs).not.toHaveProperty("__operations");
  });

  it("is not forgiven where no list shows the compute", async () => {
    const { bench, id, state } = await failedCreate(failed);
    bench.emulator.connect(id);
    bench.clock.advance(2_000);
    bench.spoil("listEndpoints", unlisted);
    const again = await partialFailureOf(bench.update(state));
    expect(again.reason).toContain("ended as failed");
    expect(again.state).toMatchObject({ endpointId: id, __operations: state.__operations });
  });

  it("is seen though the answer to the create was lost, by the next run where nobody could list then", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 120_000, endStatus: "failed" });
    bench.spoil("createEndpoint", lost, lost);
    bench.spoil("listOperations", answers(500, { times: 3 }));
    const { state, reason } = await partialFailureOf(bench.create());
    const again = await partialFailureOf(bench.update(state));
    expect(again.reason).toMatch(/operation start_compute \(.*\) ended as failed/);
    expect(reason).not.toContain("ended as failed");
    bench.clock.advance(1_000);
    const branchId = bench.emptyBranch();
    const other = await partialFailureOf(bench.create({ __urn: "urn:other", branchId }));
    expect(other.reason).toMatch(/operation start_compute \(.*\) ended as failed/);
  });

  it("of an unknown status is forgiven once the compute runs, and holds up no change", async () => {
    const { bench, id, state } = await failedCreate({ endStatus: "completed" }, within(5));
    bench.clock.clearSleeps();
    expect(await bench.update(state, size(2))).toMatchObject(size(2));
    // Not a wait: the limit of a preview's read.
    const waits = bench.clock.sleeps.filter((ms) => ms !== previewReadMs);
    expect(Math.max(...waits)).toBeLessThan(5_000);
    bench.emulator.connect(id);
    bench.clock.advance(5_000);
    await bench.update(state);
    expect(bench.said.at(-1)).toContain("(completed) did not end well; the compute is active now");
  });
});

describe("an operation that an earlier run left, and whose read is answered 404", () => {
  const ofNobody = { __operations: ["11111111-1111-4111-8111-111111111111"] };

  it.each([
    { reason: "no body of the service's", fault: answers(404) },
    { reason: "a body of some framework's", fault: answers(404, { body: { detail: "Not Found" } }) },
    {
      reason: "problem details",
      fault: answers(404, { body: { type: "about:blank", title: "Not Found", status: 404 } }),
    },
    { reason: "its own words, and operations cannot be listed", fault: undefined },
  ])("is over where the service has forgotten it: with $reason", async ({ fault }) => {
    const { bench, state } = await withCompute();
    const body = { code: "FORBIDDEN", message: "no" };
    if (fault !== undefined) bench.spoil("getOperation", fault);
    else bench.spoil("listOperations", answers(403, { body, times: 1_000 }));
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 3_600_000, times: 1 });
    bench.madeByOthers({ type: "read_only" });
    expect(await bench.update({ ...state, ...ofNobody }, size(2))).toMatchObject(size(2));
    expect(bench.unended()).toHaveLength(1);
  });

  it.each([
    { reason: "a gateway's page", body: page },
    { reason: "a copy of the service that is behind", body: { code: "NOT_FOUND", message: "?" } },
  ])("is waited for all the same: $reason", async ({ body }) => {
    const { bench, state } = await failedCreate({ runningMs: 60_000 }, { ...size(1), ...within(10) });
    bench.spoil("getOperation", answers(404, { body }));
    bench.takeRoutes();
    await bench.update(state, size(2));
    const routes = bench.takeRoutes();
    const waits = routes.slice(0, routes.indexOf("updateEndpoint"));
    expect(waits.filter((route) => route === "getOperation").length).toBeGreaterThan(2);
  });

  it("stays in the state, and nothing is sent, where a page answers for the whole list", async () => {
    const { bench, state } = await failedCreate({ runningMs: 60_000 }, { ...size(1), ...within(10) });
    bench.spoil("getOperation", answers(404, { body: page, times: 1_000 }));
    bench.spoil("listOperations", answers(404, { body: page, times: 1_000 }));
    bench.takeRoutes();
    expect((await failureOf(bench.update(state, size(2)))).message).toContain("the service answered 404");
    expect(bench.sent("updateEndpoint")).toBe(0);
  });
});
