import {
  answers,
  created,
  failureOf,
  openBench,
  partialFailureOf,
  size,
  withCompute,
  type Bench,
} from "./bench";

/** From now on, lists show these. */
function lists(bench: Bench, endpoints: unknown, times = 1_000): void {
  bench.emulator.clearFaults();
  bench.spoil("listEndpoints", { kind: "wrongShape", body: { endpoints }, times });
}

const before = { suspendTimeoutSeconds: 600 };
const changed = { ...size(1), suspendTimeoutSeconds: 900 };

describe("a service that forgets an operation once it has ended", () => {
  it("fails no create, change or move: the compute tells how it ended", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ vanished: true });
    const state = await created(bench);
    expect(bench.live(state.endpointId).current_state).toBe("active");
    const resized = await bench.update(state, size(2));
    expect(resized).not.toHaveProperty("__operations");
    expect(bench.said.at(-1)).toContain("for how long is not known");
    bench.emulator.setTimeline({ vanished: true, runningMs: 20_000 });
    const moved = { ...size(2), branchId: bench.emptyBranch() };
    await expect(bench.update(resized, moved)).resolves.toMatchObject(moved);
    // It is over when the compute has come to rest, not before.
    const { current_state, pending_state } = bench.live(state.endpointId);
    expect([current_state, pending_state ?? "idle"]).toEqual(["idle", "idle"]);
  });
});

describe("a service that cannot find an operation for a while", () => {
  const notFound = answers(404, { body: { code: "NOT_FOUND", message: "no such operation" } });

  it("has it awaited as long as it lists it, though the compute was active before it as well", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 40_000, times: 1 });
    bench.spoil("getOperation", { ...notFound, times: 7 });
    await bench.update(state, size(2));
    expect(bench.unended()).toEqual([]);
  });

  it("has its failure seen", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 40_000, endStatus: "failed", times: 1 });
    bench.spoil("getOperation", { ...notFound, times: 1_000 });
    await expect(bench.update(state, size(2))).rejects.toThrow("ended as failed");
  });
});

it("a failed operation is not forgiven by a compute in a state that the interface does not list", async () => {
  const { bench, state } = await withCompute(before);
  bench.emulator.setTimeline({ action: "apply_config", endStatus: "failed", times: 1 });
  const failed = await partialFailureOf(bench.update(state, changed));
  lists(bench, [{ ...bench.live(state.endpointId), current_state: "error" }]);
  const again = await partialFailureOf(bench.update(failed.state, changed));
  expect(again.reason).toContain("ended as failed");
});

describe("an answer that names a failed operation of another compute", () => {
  /** The next answer to a route has the failed restart of the default primary in place of its operations. */
  function answersWithAnothers(bench: Bench, route: Parameters<Bench["spoil"]>[0], id: string): void {
    const { defaultPrimaryId, emulator } = bench;
    emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    emulator.restartEndpoint(defaultPrimaryId);
    bench.clock.advance(5_000);
    const operations = bench.unended();
    expect(operations).toMatchObject([{ endpoint_id: defaultPrimaryId, status: "failed" }]);
    bench.spoil(route, { kind: "wrongShape", body: { endpoint: bench.live(id), operations } });
  }

  it("does not fail a change of this one: its row names both", async () => {
    const { bench, state } = await withCompute(before);
    answersWithAnothers(bench, "updateEndpoint", state.endpointId);
    expect(await bench.update(state, changed)).not.toHaveProperty("__operations");
    const named = `operation start_compute \\(.+\\) of compute ${bench.defaultPrimaryId}, which ended as failed`;
    expect(bench.said).toContainEqual(expect.stringMatching(new RegExp(named)));
  });

  it("does not fail the deletion of this one", async () => {
    const { bench, state } = await withCompute();
    answersWithAnothers(bench, "deleteEndpoint", state.endpointId);
    await bench.destroy(state);
    expect(bench.computes()).toEqual([]);
  });

  it("does not fail the creation of this one", async () => {
    const bench = await openBench();
    const replica = { branch_id: bench.branchId, type: "read_only" };
    const { id } = bench.emulator.createEndpoint(bench.projectId, replica).endpoint;
    answersWithAnothers(bench, "createEndpoint", id);
    expect(await created(bench, { type: "read_only" })).toMatchObject({ endpointId: id });
    expect(bench.said.join()).toContain(`of compute ${bench.defaultPrimaryId}, which ended as failed`);
  });
});

it.each([
  { says: true, shown: {}, times: 99, reason: "it rests there" },
  { says: false, shown: { pending_state: "active" }, times: 99, reason: "it is on its way" },
  { says: false, shown: { disabled: true }, times: 99, reason: "it is disabled" },
  { says: false, shown: {}, times: 2, reason: "a list shows it for a moment only" },
])(
  "a state that the interface does not list is named on the row after a change: $says, $reason",
  async ({ says, shown, times }) => {
    const { bench, state } = await withCompute(before);
    // As a list shows it after the change.
    const live = { ...bench.live(state.endpointId), suspend_timeout_seconds: 900, current_state: "error" };
    lists(bench, [{ ...live, updated_at: "2026-01-06T08:00:00.000Z", ...shown }], times);
    await bench.update(state, changed);
    const named = /^warning: .*the service shows the compute in the state "error": it may not run/;
    expect(bench.said.filter((text) => named.test(text))).toHaveLength(says ? 1 : 0);
    if (times < 99) expect(bench.said).toEqual([]);
  },
);

it.each([{ error: { code: 7 } }, { error: 5 }, { error: ["no room"] }])(
  "a member that the interface does not list refuses no operation: %j",
  async (more) => {
    const { bench, state } = await withCompute();
    const operations = [{ id: "op-odd", action: "apply_config", status: "finished", ...more }];
    const body = { endpoint: bench.live(state.endpointId), operations };
    bench.spoil("updateEndpoint", { kind: "wrongShape", body });
    await bench.update(state, changed);
    expect(bench.sent("updateEndpoint")).toBe(1);
  },
);

describe("a compute in a list that is not as the interface says", () => {
  const odd = { id: "ep-odd", project_id: "p", branch_id: 7, type: "read_only" };

  it("hinders no other compute of its project", async () => {
    const { bench, state } = await withCompute();
    lists(bench, [odd, bench.live(state.endpointId)]);
    const run = bench.process();
    await expect(run.read(state.endpointId, state)).resolves.toMatchObject({ id: state.endpointId });
    await run.update(state, bench.declared(changed));
    const branchId = bench.emptyBranch();
    const { id } = await run.create(bench.declared({ __urn: "urn:other", branchId }));
    expect(bench.computes()).toEqual([state.endpointId, id]);
    lists(bench, [odd]);
    await run.delete(state.endpointId, state);
    expect(bench.computes()).toEqual([id]);
  });

  it("is neither gone nor changed: the error names the member", async () => {
    const { bench, state } = await withCompute();
    lists(bench, [{ ...odd, id: state.endpointId }]);
    bench.clock.advance(3_600_000);
    await expect(bench.read(state)).rejects.toThrow(
      `compute ${state.endpointId} is listed, but its branch_id is not as the interface says`,
    );
  });

  it("whose id cannot be read may be any: no compute counts as gone, and no replica is created twice", async () => {
    const { bench, state } = await withCompute();
    bench.clock.advance(3_600_000);
    lists(bench, [{ ...odd, id: 5 }]);
    await expect(bench.read(state)).rejects.toThrow(
      "a compute is listed, but its id is not as the interface says",
    );
    bench.spoil("createEndpoint", answers(503, { when: "after" }));
    await failureOf(bench.create({ __urn: "urn:replica", type: "read_only" }));
    expect(bench.computes()).toHaveLength(2);
  });
});

it("a list that is null is empty: the first create and the last deletion of a project", async () => {
  const bench = await openBench();
  lists(bench, null, 1);
  const state = await created(bench);
  bench.clock.advance(3_600_000);
  lists(bench, null);
  await expect(bench.read(state)).resolves.toEqual({ id: "", props: {} });
  await bench.destroy(state);
  expect(bench.computes()).toEqual([]);
});
