import {
  answers,
  closeBenches,
  created,
  failureOf,
  openBench,
  partialFailureOf,
  size,
  withCompute,
  type Bench,
} from "./bench";

afterEach(closeBenches);

const wireOf = ({ emulator }: Bench, id: string): object => emulator.endpoint(id).endpoint;

/** From now on, lists show these. */
function lists(bench: Bench, endpoints: unknown, times = 1_000): void {
  bench.emulator.clearFaults();
  bench.spoil("listEndpoints", { kind: "wrongShape", body: { endpoints }, times });
}

describe("a service that forgets an operation once it has ended", () => {
  it("fails no create, change or move: the compute tells how it ended", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ vanished: true });
    const state = await created(bench);
    expect(bench.live(state.endpointId).current_state).toBe("active");
    const resized = await bench.update(state, size(2));
    expect(resized).not.toHaveProperty("__operations");
    const moved = { ...size(2), branchId: bench.emptyBranch() };
    await expect(bench.update(resized, moved)).resolves.toMatchObject(moved);
  });
});

describe("a service that cannot find an operation for a while", () => {
  const notFound = {
    kind: "status",
    status: 404,
    body: { code: "NOT_FOUND", message: "no such operation" },
    route: "getOperation",
  } as const;

  it("has it awaited as long as it lists it, though the compute was active before it as well", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 40_000, times: 1 });
    bench.emulator.addFault({ ...notFound, times: 7 });
    await bench.update(state, size(2));
    const operations = bench.emulator.operations(bench.projectId);
    expect(operations.filter(({ status }) => status !== "finished")).toEqual([]);
  });

  it("has its failure seen", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 40_000, endStatus: "failed", times: 1 });
    bench.emulator.addFault({ ...notFound, times: 1_000 });
    await expect(bench.update(state, size(2))).rejects.toThrow("ended as failed");
  });

  it("is given no bound for how long the compute was away, where it forgets the operation", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.setTimeline({ vanished: true });
    await bench.update(state, size(2));
    expect(bench.said.at(-1)).toContain("for how long is not known");
  });
});

describe("an operation that is forgotten at once", () => {
  it("is over when the compute has come to rest, not before", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.setTimeline({ vanished: true, runningMs: 20_000 });
    const moved = { ...size(1), branchId: bench.emptyBranch() };
    await bench.update(state, moved);
    const { current_state, pending_state } = bench.live(state.endpointId);
    expect(current_state).toBe("idle");
    expect(pending_state ?? "idle").toBe("idle");
  });

  it("is not forgiven by a compute in a state that the interface does not list", async () => {
    const { bench, state } = await withCompute({ suspendTimeoutSeconds: 600 });
    bench.emulator.setTimeline({ action: "apply_config", endStatus: "failed", times: 1 });
    const declared = bench.declared({ ...size(1), suspendTimeoutSeconds: 900 });
    const failed = await partialFailureOf(bench.update(state, declared));
    lists(bench, [{ ...wireOf(bench, state.endpointId), current_state: "error" }]);
    const again = await partialFailureOf(bench.update(failed.state, declared));
    expect(again.reason).toContain("ended as failed");
  });
});

describe("an answer that names a failed operation of another compute", () => {
  /** The next answer to a route has the failed restart of the default primary beside, or in place of, its operations. */
  function answersWithAnothers(
    bench: Bench,
    route: "createEndpoint" | "updateEndpoint" | "deleteEndpoint",
    id: string,
  ): void {
    const { projectId, defaultPrimaryId, emulator } = bench;
    emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    emulator.restartEndpoint(defaultPrimaryId);
    bench.clock.advance(5_000);
    const failed = emulator.operations(projectId).filter(({ status }) => status === "failed");
    expect(failed).toMatchObject([{ endpoint_id: defaultPrimaryId }]);
    emulator.addFault({
      kind: "wrongShape",
      route,
      body: { endpoint: wireOf(bench, id), operations: failed },
    });
  }

  it("does not fail a change of this one: its row names both", async () => {
    const { bench, state } = await withCompute({ suspendTimeoutSeconds: 600 });
    answersWithAnothers(bench, "updateEndpoint", state.endpointId);
    const changed = bench.declared({ ...size(1), suspendTimeoutSeconds: 900 });
    const after = await bench.update(state, changed);
    expect(after).not.toHaveProperty("__operations");
    const named = new RegExp(
      `operation start_compute \\(.+\\) of compute ${bench.defaultPrimaryId}, which ended as failed`,
    );
    expect(bench.said).toContainEqual(expect.stringMatching(named));
  });

  it("does not fail the creation of this one", async () => {
    const bench = await openBench();
    const { emulator, projectId, branchId } = bench;
    const replica = { branch_id: branchId, type: "read_only" };
    const { id } = emulator.createEndpoint(projectId, replica).endpoint;
    answersWithAnothers(bench, "createEndpoint", id);
    const { endpointId } = await created(bench, { type: "read_only" });
    expect(endpointId).toBe(id);
    expect(bench.said.join()).toContain(`of compute ${bench.defaultPrimaryId}, which ended as failed`);
  });

  it("does not fail the deletion of this one", async () => {
    const { bench, state } = await withCompute();
    answersWithAnothers(bench, "deleteEndpoint", state.endpointId);
    await bench.destroy(state);
    expect(bench.computes()).toEqual([]);
  });
});

describe("a state that the interface does not list", () => {
  /** As a list shows it after the change. */
  const changed = (bench: Bench, id: string): object => ({
    ...wireOf(bench, id),
    suspend_timeout_seconds: 900,
    updated_at: "2026-01-06T08:00:00.000Z",
  });

  it.each([
    { shown: { current_state: "error" }, says: true, reason: "it rests there" },
    { shown: { current_state: "error", pending_state: "active" }, says: false, reason: "it is on its way" },
    { shown: { current_state: "error", disabled: true }, says: false, reason: "it is disabled" },
  ])("is named on the row after a change: $says, $reason", async ({ shown, says }) => {
    const { bench, state } = await withCompute({ suspendTimeoutSeconds: 600 });
    const live = changed(bench, state.endpointId);
    lists(bench, [{ ...live, ...shown }]);
    const declared = bench.declared({ ...size(1), suspendTimeoutSeconds: 900 });
    await bench.update(state, declared);
    const named = 'shows the compute in the state "error": it may not run';
    expect(bench.said.join("\n").includes(named)).toBe(says);
  });

  it("is none that a list shows for a moment only", async () => {
    const { bench, state } = await withCompute({ suspendTimeoutSeconds: 600 });
    const live = changed(bench, state.endpointId);
    lists(bench, [{ ...live, current_state: "error" }], 2);
    await bench.update(state, { ...size(1), suspendTimeoutSeconds: 900 });
    expect(bench.said).toEqual([]);
  });
});

describe("a member that the interface does not list", () => {
  it.each([{ error: { code: 7 } }, { error: 5 }, { error: ["no room"] }])(
    "refuses no operation: %j",
    async (more) => {
      const { bench, state } = await withCompute();
      const operation = { id: "op-odd", action: "apply_config", status: "finished", ...more };
      const body = { endpoint: wireOf(bench, state.endpointId), operations: [operation] };
      bench.spoil("updateEndpoint", { kind: "wrongShape", body });
      const declared = bench.declared({ ...size(1), suspendTimeoutSeconds: 900 });
      await bench.update(state, declared);
      expect(bench.sent("updateEndpoint")).toBe(1);
    },
  );
});

describe("a compute in a list that is not as the interface says", () => {
  const odd = { id: "ep-odd", project_id: "p", branch_id: 7, type: "read_only" };

  it("hinders no other compute of its project", async () => {
    const { bench, state } = await withCompute();
    lists(bench, [odd, wireOf(bench, state.endpointId)]);
    const run = bench.process();
    await expect(run.read(state.endpointId, state)).resolves.toMatchObject({ id: state.endpointId });
    await run.update(state, bench.declared({ ...size(1), suspendTimeoutSeconds: 900 }));
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
    const replica = bench.declared({ __urn: "urn:replica", type: "read_only" });
    await failureOf(bench.create(replica));
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
