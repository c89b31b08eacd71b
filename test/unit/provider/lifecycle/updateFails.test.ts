import { deleteByHand } from "../../../support/byHand";
import { closeBenches, created, failureOf, openBench, partialFailureOf, size } from "./bench";

afterEach(closeBenches);

describe("an update that fails", () => {
  it("is none for what failed before it, where its own answer is lost and the compute runs", async () => {
    const bench = await openBench();
    const state = await created(bench, { suspendTimeoutSeconds: 600 });
    bench.emulator.setTimeline({ endStatus: "failed", times: 2 });
    bench.emulator.restartEndpoint(state.endpointId);
    bench.clock.advance(10_000);
    bench.emulator.addFault({ kind: "cut", when: "after", route: "updateEndpoint" });
    const declared = bench.declared({ ...size(1), suspendTimeoutSeconds: 900 });
    await expect(bench.process().update(state, declared)).resolves.toMatchObject({
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
    const first = await partialFailureOf(
      bench.process().update(state, bench.declared({ ...size(2), ...timeouts })),
    );
    bench.takeRoutes();
    const next = bench.process().update(first.state, bench.declared({ ...size(4), ...timeouts }));
    // Without a state of its own: the old one still names the operations.
    const { message } = await failureOf(next);
    expect(message).toContain("was still running");
    expect(bench.takeRoutes()).not.toContain("updateEndpoint");
  });

  it("sends nothing where the change needs another compute, as `pulumi do` may ask for", async () => {
    const bench = await openBench();
    const state = await created(bench);
    bench.takeRoutes();
    const update = bench.process().update(state, bench.declared({ ...size(1), type: "read_only" }));
    const { message } = await failureOf(update);
    expect(message).toContain("type cannot change in a compute that exists, and nothing was sent");
    expect(bench.takeRoutes()).toEqual([]);
  });

  it("keeps what is true where it gives up", async () => {
    const bench = await openBench();
    const state = await created(bench);
    bench.emulator.addFault({ kind: "cut", route: "updateEndpoint", times: 10 });
    const failed = await partialFailureOf(bench.process().update(state, bench.declared(size(2))));
    expect(failed.state).toMatchObject({ ...size(1), endpointId: state.endpointId, __provider: "text" });
    expect(bench.takeRoutes().filter((route) => route === "updateEndpoint")).toHaveLength(3);
  });

  it("keeps what it knew where it gives up, and no list could be read either: it is sent once", async () => {
    const bench = await openBench();
    const state = await created(bench);
    bench.emulator.addFault({ kind: "cut", route: "updateEndpoint", times: 10 });
    bench.emulator.addFault({ kind: "status", status: 500, route: "listEndpoints", times: 1_000 });
    const failed = await partialFailureOf(bench.process().update(state, bench.declared(size(2))));
    expect(failed.state).toMatchObject({ ...size(1), endpointId: state.endpointId });
    expect(bench.takeRoutes().filter((route) => route === "updateEndpoint")).toHaveLength(1);
  });

  it("keeps what somebody else has changed where it gives up, as the list shows it", async () => {
    const bench = await openBench();
    const state = await created(bench, { suspendTimeoutSeconds: 600 });
    bench.emulator.updateEndpoint(state.endpointId, { suspend_timeout_seconds: 900 });
    bench.clock.advance(5_000);
    bench.emulator.addFault({ kind: "cut", route: "updateEndpoint", times: 10 });
    const declared = bench.declared({ ...size(2), suspendTimeoutSeconds: 600 });
    const failed = await partialFailureOf(bench.process().update(state, declared));
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
    const state = await bench.process().update(first, bench.declared({ ...first, ...size(2) }));
    bench.emulator.addFault({ kind: "cut", route: "updateEndpoint" });
    // What runs, and the settings of others, are still read.
    bench.emulator.addFault({ kind: "status", status: 500, route: "listEndpoints", after: 2, times: 1_000 });
    const failed = await partialFailureOf(bench.process().update(state, bench.declared(kept)));
    expect(failed.state.settings).toEqual(kept.settings);
    expect(JSON.stringify(failed.state)).not.toContain("of-before");
    bench.emulator.clearFaults();
    // The setting that went is removed.
    await bench.process().update(failed.state, bench.declared(kept));
    expect(bench.bodiesOf("updateEndpoint").at(-1)).toEqual({
      endpoint: { settings: { pg_settings: { work_mem: "8MB" } } },
    });
    expect(bench.takeRoutes()).not.toContain("restartEndpoint");
  });

  it("keeps what a list showed once, though its answer was lost, its operation fails and no list is read again", async () => {
    const bench = await openBench();
    const state = await created(bench);
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    bench.emulator.addFault({ kind: "cut", when: "after", route: "updateEndpoint" });
    // What runs, and whether the change was done.
    bench.emulator.addFault({ kind: "status", status: 500, route: "listEndpoints", after: 2, times: 1_000 });
    const failed = await partialFailureOf(bench.process().update(state, bench.declared(size(2))));
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
    const bench = await openBench();
    const state = await created(bench);
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const failed = await partialFailureOf(bench.process().update(state, bench.declared(size(2))));
    expect(failed.reason).toMatch(/^updating compute ep-.*: operation start_compute \(.*\) ended as failed/);
    expect(failed.state).toMatchObject({ ...size(2), endpointId: state.endpointId });
    bench.takeRoutes();
    const outs = await bench.process().update(failed.state, bench.declared(size(2)));
    expect(bench.takeRoutes()).not.toContain("updateEndpoint");
    expect(outs).toMatchObject(size(2));
  });

  it("names what it sent without values where its operation fails, and is taken back as it says", async () => {
    const bench = await openBench();
    const settings = (map: object): object => ({ settings: { pgSettings: map } });
    const state = await created(bench, settings({ work_mem: "4MB", log_connections: "on" }));
    bench.emulator.setTimeline({ action: "apply_config", endStatus: "failed", times: 1 });
    const wrong = settings({ work_mem: "8MB", shared_buffers: "9TB" });
    const failed = await partialFailureOf(
      bench.process().update(state, bench.declared({ ...wrong, suspendTimeoutSeconds: 900 })),
    );
    expect(failed.reason).toMatch(
      /^updating compute ep-\S+: operation apply_config \(\S+\) ended as failed; this update sent settings\.pgSettings \(work_mem, shared_buffers, log_connections\) and suspendTimeoutSeconds, and the compute may have stopped\. Put the earlier values back and run `pulumi up`; an argument that is left out keeps what was sent, and a name that is left out of settings\.pgSettings is removed\.$/,
    );
    const back = settings({ work_mem: "4MB", log_connections: "on" });
    await bench.process().update(failed.state, bench.declared({ ...back, suspendTimeoutSeconds: 300 }));
    const { endpoint } = bench.emulator.endpoint(state.endpointId);
    expect(endpoint.settings).toEqual({ pg_settings: { work_mem: "4MB", log_connections: "on" } });
    expect(endpoint.suspend_timeout_seconds).toBe(300);
  });

  it("says what to do where the compute is gone", async () => {
    const bench = await openBench();
    const state = await created(bench);
    deleteByHand(bench, state.endpointId);
    const error = await failureOf(bench.process().update(state, bench.declared(size(2))));
    expect(error.message).toContain("the service no longer knows this compute. Run `pulumi refresh`");
  });

  it("names no command that loses a compute which is only too young to be listed", async () => {
    const bench = await openBench();
    const state = await created(bench);
    bench.emulator.deleteEndpoint(state.endpointId);
    const error = await failureOf(bench.process().update(state, bench.declared(size(2))));
    expect(error.message).toMatch(
      /^updating compute (ep-\S+): compute \1 is not listed yet, \d+ s after its creation\. Run the same command again in a moment: lists may be late, so it counts as deleted only if it is still missing 30 s after its creation\.$/,
    );
  });

  it("says why the service refuses it, though no list shows the compute", async () => {
    const bench = await openBench();
    const state = await created(bench);
    const body = { code: "NO", message: "not today" };
    bench.emulator.addFault({ kind: "status", status: 422, body, route: "updateEndpoint" });
    const empty = { endpoints: [] };
    bench.emulator.addFault({ kind: "wrongShape", route: "listEndpoints", body: empty, times: 100 });
    const error = await failureOf(bench.process().update(state, bench.declared(size(2))));
    expect(error.message).toContain("the service answered 422 (NO: not today)");
    // What runs: after a refusal nobody has to look.
    expect(bench.takeRoutes()).toEqual(["listEndpoints", "updateEndpoint"]);
  });

  it("says why the service refuses it with 404, where no list can be read to see what is gone", async () => {
    const bench = await openBench();
    const state = await created(bench);
    const body = { code: "NOT_FOUND", message: "nothing here" };
    bench.emulator.addFault({ kind: "status", status: 404, body, route: "updateEndpoint" });
    bench.emulator.addFault({ kind: "status", status: 500, route: "listEndpoints", times: 1_000 });
    const error = await failureOf(bench.process().update(state, bench.declared(size(2))));
    expect(error.message).toContain("the service answered 404 (NOT_FOUND: nothing here)");
  });

  it("is none where another operation of the project stands in the way for a moment, answered 409", async () => {
    const bench = await openBench();
    const state = await created(bench);
    bench.emulator.restartEndpoint(bench.defaultPrimaryId);
    bench.emulator.addFault({ kind: "status", status: 409, route: "updateEndpoint" });
    const outs = await bench.process().update(state, bench.declared(size(2)));
    expect(outs).toMatchObject(size(2));
  });

  it("names itself where the service does not know the whole project any more", async () => {
    const bench = await openBench();
    const state = await created(bench);
    const path = `/projects/${bench.projectId}/`;
    const body = { code: "NOT_FOUND", message: "project not found" };
    bench.emulator.addFault({ kind: "status", status: 404, body, path, times: 1_000 });
    const error = await failureOf(bench.process().update(state, bench.declared(size(2))));
    expect(error.message).toMatch(
      /^updating compute ep-\S+: http:\S+ knows no project .*COMPUTE_MISSING_PROJECT=gone/,
    );
  });

  it("does not take a branch that is missing for the compute", async () => {
    const bench = await openBench();
    const state = await created(bench);
    const body = { code: "NOT_FOUND", message: "branch not found" };
    bench.emulator.addFault({ kind: "status", status: 404, body, route: "updateEndpoint" });
    const moved = bench.declared({ ...size(1), branchId: "br-nowhere-1" });
    const error = await failureOf(bench.process().update(state, moved));
    expect(error.message).toContain("the service answered 404 (NOT_FOUND: branch not found)");
  });
});
