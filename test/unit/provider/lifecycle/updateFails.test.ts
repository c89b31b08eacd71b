import { deleteByHand } from "../../../support/byHand";
import { answers, closeBenches, created, openBench, partialFailureOf, size, withCompute } from "./bench";

afterEach(closeBenches);

describe("an update that fails", () => {
  it("is none for what failed before it, where its own answer is lost and the compute runs", async () => {
    const { bench, state } = await withCompute({ suspendTimeoutSeconds: 600 });
    bench.emulator.setTimeline({ endStatus: "failed", times: 2 });
    bench.emulator.restartEndpoint(state.endpointId);
    bench.clock.advance(10_000);
    bench.spoil("updateEndpoint", { kind: "cut", when: "after" });
    const declared = bench.declared({ ...size(1), suspendTimeoutSeconds: 900 });
    await expect(bench.update(state, declared)).resolves.toMatchObject({
      suspendTimeoutSeconds: 900,
    });
    expect(bench.said).toContainEqual(
      expect.stringContaining("(failed) did not end well; the compute is active now"),
    );
  });

  it("sends nothing while what an earlier one began goes on, however long that takes", async () => {
    const bench = await openBench();
    const timeouts = { timeouts: { update: 10 } };
    const state = await created(bench, timeouts);
    bench.emulator.setTimeline({ runningMs: 60_000, times: 1 });
    const first = await partialFailureOf(bench.update(state, { ...size(2), ...timeouts }));
    bench.takeRoutes();
    const next = bench.update(first.state, { ...size(4), ...timeouts });
    // Without a state of its own: the old one still names the operations.
    await expect(next).rejects.toThrow("was still running");

    expect(bench.takeRoutes()).not.toContain("updateEndpoint");
  });

  it("sends nothing where the change needs another compute, as `pulumi do` may ask for", async () => {
    const { bench, state } = await withCompute();
    bench.takeRoutes();
    const update = bench.update(state, { ...size(1), type: "read_only" });
    await expect(update).rejects.toThrow("type cannot change in a compute that exists, and nothing was sent");

    expect(bench.takeRoutes()).toEqual([]);
  });

  it("keeps what is true where it gives up", async () => {
    const { bench, state } = await withCompute();
    bench.spoil("updateEndpoint", { kind: "cut", times: 10 });
    const failed = await partialFailureOf(bench.update(state, size(2)));
    expect(failed.state).toMatchObject({ ...size(1), endpointId: state.endpointId, __provider: "text" });
    expect(bench.sent("updateEndpoint")).toBe(3);
  });

  it("keeps what it knew where it gives up, and no list could be read either: it is sent once", async () => {
    const { bench, state } = await withCompute();
    bench.spoil("updateEndpoint", { kind: "cut", times: 10 });
    bench.spoil("listEndpoints", answers(500, { times: 1_000 }));
    const failed = await partialFailureOf(bench.update(state, size(2)));
    expect(failed.state).toMatchObject({ ...size(1), endpointId: state.endpointId });
    expect(bench.sent("updateEndpoint")).toBe(1);
  });

  it("keeps what somebody else has changed where it gives up, as the list shows it", async () => {
    const { bench, state } = await withCompute({ suspendTimeoutSeconds: 600 });
    bench.emulator.updateEndpoint(state.endpointId, { suspend_timeout_seconds: 900 });
    bench.clock.advance(5_000);
    bench.spoil("updateEndpoint", { kind: "cut", times: 10 });
    const declared = bench.declared({ ...size(2), suspendTimeoutSeconds: 600 });
    const failed = await partialFailureOf(bench.update(state, declared));
    expect(failed.state).toMatchObject({ ...size(1), suspendTimeoutSeconds: 900 });
  });

  it("stores nothing of what is no longer declared where it gives up", async () => {
    const bench = await openBench();
    const first = await created(bench, {
      settings: { pgSettings: { work_mem: "8MB", application_name: "of-before" } },
    });
    const kept = {
      ...size(2),
      settings: { pgSettings: { work_mem: "8MB" } },
    };
    const state = await bench.update(first, { ...first, ...size(2) });
    bench.spoil("updateEndpoint", { kind: "cut" });
    // What runs, and the settings of others, are still read.
    bench.spoil("listEndpoints", answers(500, { after: 2, times: 1_000 }));
    const failed = await partialFailureOf(bench.update(state, kept));
    expect(failed.state.settings).toEqual(kept.settings);
    expect(JSON.stringify(failed.state)).not.toContain("of-before");
    bench.emulator.clearFaults();
    // The setting that went is removed.
    await bench.update(failed.state, kept);
    expect(bench.bodiesOf("updateEndpoint").at(-1)).toEqual({
      endpoint: { settings: { pg_settings: { work_mem: "8MB" } } },
    });
    expect(bench.takeRoutes()).not.toContain("restartEndpoint");
  });

  it("keeps what a list showed once, though its answer was lost, its operation fails and no list is read again", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    bench.spoil("updateEndpoint", { kind: "cut", when: "after" });
    // What runs, and whether the change was done.
    bench.spoil("listEndpoints", answers(500, { after: 2, times: 1_000 }));
    const failed = await partialFailureOf(bench.update(state, size(2)));
    expect(failed.reason).toContain("ended as failed");
    expect(failed.state).toMatchObject(size(2));
    // The start of the create had ended well before: nothing of it is left to the next run.
    const operations = bench.emulator
      .operations(bench.projectId)
      .filter(({ endpoint_id }) => endpoint_id === state.endpointId);
    const left = operations.filter(({ id }) => failed.state.__operations?.includes(id));
    expect(left.map(({ action }) => action).sort()).toEqual(["apply_config", "start_compute"]);
    expect(operations).toHaveLength(3);
  });

  it("keeps what is true where its operation fails, and does not send the change again", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const failed = await partialFailureOf(bench.update(state, size(2)));
    expect(failed.reason).toMatch(/^updating compute ep-.*: operation start_compute \(.*\) ended as failed/);
    expect(failed.state).toMatchObject({ ...size(2), endpointId: state.endpointId });
    bench.takeRoutes();
    const outs = await bench.update(failed.state, size(2));
    expect(bench.takeRoutes()).not.toContain("updateEndpoint");
    expect(outs).toMatchObject(size(2));
  });

  it("names what it sent without values where its operation fails, and is taken back as it says", async () => {
    const bench = await openBench();
    const settings = (map: object): object => ({ settings: { pgSettings: map } });
    const state = await created(bench, settings({ work_mem: "4MB", log_connections: "on" }));
    bench.emulator.setTimeline({ action: "apply_config", endStatus: "failed", times: 1 });
    const wrong = settings({ work_mem: "8MB", shared_buffers: "9TB" });
    const failed = await partialFailureOf(bench.update(state, { ...wrong, suspendTimeoutSeconds: 900 }));
    expect(failed.reason).toMatch(
      /^updating compute ep-\S+: operation apply_config \(\S+\) ended as failed; this update sent settings\.pgSettings \(work_mem, shared_buffers, log_connections\) and suspendTimeoutSeconds, and the compute may have stopped\. Put the earlier values back and run `pulumi up`; an argument that is left out keeps what was sent, and a name that is left out of settings\.pgSettings is removed\.$/,
    );
    const back = settings({ work_mem: "4MB", log_connections: "on" });
    await bench.update(failed.state, { ...back, suspendTimeoutSeconds: 300 });
    const { endpoint } = bench.emulator.endpoint(state.endpointId);
    expect(endpoint.settings).toEqual({ pg_settings: { work_mem: "4MB", log_connections: "on" } });
    expect(endpoint.suspend_timeout_seconds).toBe(300);
  });

  it("says what to do where the compute is gone", async () => {
    const { bench, state } = await withCompute();
    deleteByHand(bench, state.endpointId);
    await expect(bench.update(state, size(2))).rejects.toThrow(
      "the service no longer knows this compute. Run `pulumi refresh`",
    );
  });

  it("names no command that loses a compute which is only too young to be listed", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.deleteEndpoint(state.endpointId);
    await expect(bench.update(state, size(2))).rejects.toThrow(
      /^updating compute (ep-\S+): compute \1 is not listed yet, \d+ s after its creation\. Run the same command again in a moment: lists may be late, so it counts as deleted only if it is still missing 30 s after its creation\.$/,
    );
  });

  it("says why the service refuses it, though no list shows the compute", async () => {
    const { bench, state } = await withCompute();
    const body = { code: "NO", message: "not today" };
    bench.spoil("updateEndpoint", answers(422, { body }));
    const empty = { endpoints: [] };
    bench.spoil("listEndpoints", { kind: "wrongShape", body: empty, times: 100 });
    await expect(bench.update(state, size(2))).rejects.toThrow("the service answered 422 (NO: not today)");

    // What runs: after a refusal nobody has to look.
    expect(bench.takeRoutes()).toEqual(["listEndpoints", "updateEndpoint"]);
  });

  it("says why the service refuses it with 404, where no list can be read to see what is gone", async () => {
    const { bench, state } = await withCompute();
    const body = { code: "NOT_FOUND", message: "nothing here" };
    bench.spoil("updateEndpoint", answers(404, { body }));
    bench.spoil("listEndpoints", answers(500, { times: 1_000 }));
    await expect(bench.update(state, size(2))).rejects.toThrow(
      "the service answered 404 (NOT_FOUND: nothing here)",
    );
  });

  it("is none where another operation of the project stands in the way for a moment, answered 409", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.restartEndpoint(bench.defaultPrimaryId);
    bench.spoil("updateEndpoint", answers(409));
    const outs = await bench.update(state, size(2));
    expect(outs).toMatchObject(size(2));
  });

  it("names itself where the service does not know the whole project any more", async () => {
    const { bench, state } = await withCompute();
    const path = `/projects/${bench.projectId}/`;
    const body = { code: "NOT_FOUND", message: "project not found" };
    bench.emulator.addFault({ kind: "status", status: 404, body, path, times: 1_000 });
    await expect(bench.update(state, size(2))).rejects.toThrow(
      /^updating compute ep-\S+: http:\S+ knows no project .*COMPUTE_MISSING_PROJECT=gone/,
    );
  });

  it("does not take a branch that is missing for the compute", async () => {
    const { bench, state } = await withCompute();
    const body = { code: "NOT_FOUND", message: "branch not found" };
    bench.spoil("updateEndpoint", answers(404, { body }));
    const moved = bench.declared({ ...size(1), branchId: "br-nowhere-1" });
    await expect(bench.update(state, moved)).rejects.toThrow(
      "the service answered 404 (NOT_FOUND: branch not found)",
    );
  });
});
