import type { FaultRule } from "../../../../emulator";
import { deleteByHand } from "../../../support/byHand";
import { answers, lost, partialFailureOf, size, unlisted, withCompute, type Bench } from "./bench";

const settings = (map: object): object => ({ settings: { pgSettings: map } });

describe("an update that fails", () => {
  it("is none for what failed before it, where its own answer is lost and the compute runs", async () => {
    const { bench, state } = await withCompute({ suspendTimeoutSeconds: 600 });
    bench.emulator.setTimeline({ endStatus: "failed", times: 2 });
    bench.emulator.restartEndpoint(state.endpointId);
    bench.clock.advance(10_000);
    bench.spoil("updateEndpoint", lost);
    const changed = { suspendTimeoutSeconds: 900 };
    await expect(bench.update(state, { ...size(1), ...changed })).resolves.toMatchObject(changed);
    expect(bench.said).toContainEqual(
      expect.stringContaining("(failed) did not end well; the compute is active now"),
    );
  });

  it("sends nothing while what an earlier one began goes on, however long that takes", async () => {
    const timeouts = { timeouts: { update: 10 } };
    const { bench, state } = await withCompute(timeouts);
    bench.emulator.setTimeline({ runningMs: 60_000, times: 1 });
    const first = await partialFailureOf(bench.update(state, { ...size(2), ...timeouts }));
    bench.takeRoutes();
    // Without a state of its own: the old one still names the operations.
    await expect(bench.update(first.state, { ...size(4), ...timeouts })).rejects.toThrow("was still running");
    expect(bench.sent("updateEndpoint")).toBe(0);
  });

  it("sends nothing where the change needs another compute, as `pulumi do` may ask for", async () => {
    const { bench, state } = await withCompute();
    await expect(bench.update(state, { ...size(1), type: "read_only" })).rejects.toThrow(
      "type cannot change in a compute that exists, and nothing was sent",
    );
    expect(bench.takeRoutes()).toEqual([]);
  });

  it.each<{ reason: string; lists?: FaultRule; sent: number }>([
    { reason: "what the list shows, and what somebody else has changed", sent: 3 },
    {
      reason: "what it knew where no list could be read either",
      lists: answers(500, { times: 1_000 }),
      sent: 1,
    },
  ])("keeps $reason, where it gives up", async ({ lists, sent }) => {
    const { bench, state } = await withCompute({ suspendTimeoutSeconds: 600 });
    bench.emulator.updateEndpoint(state.endpointId, { suspend_timeout_seconds: 900 });
    bench.clock.advance(5_000);
    bench.spoil("updateEndpoint", { kind: "cut", times: 10 });
    if (lists !== undefined) bench.spoil("listEndpoints", lists);
    const failed = await partialFailureOf(bench.update(state, { ...size(2), suspendTimeoutSeconds: 600 }));
    const { endpointId } = state;
    const suspendTimeoutSeconds = lists === undefined ? 900 : 600;
    expect(failed.state).toMatchObject({ ...size(1), endpointId, suspendTimeoutSeconds, __provider: "text" });
    expect(bench.sent("updateEndpoint")).toBe(sent);
  });

  it("stores nothing of what is no longer declared where it gives up", async () => {
    const { bench, state: first } = await withCompute(
      settings({ work_mem: "8MB", application_name: "of-before" }),
    );
    const kept = { ...size(2), ...settings({ work_mem: "8MB" }) };
    const state = await bench.update(first, { ...first, ...size(2) });
    bench.spoil("updateEndpoint", { kind: "cut" });
    // What runs, and the settings of others, are still read.
    bench.spoil("listEndpoints", answers(500, { after: 2, times: 1_000 }));
    const failed = await partialFailureOf(bench.update(state, kept));
    expect(failed.state).toMatchObject(settings({ work_mem: "8MB" }));
    expect(JSON.stringify(failed.state)).not.toContain("of-before");
    bench.emulator.clearFaults();
    // The setting that went is removed.
    await bench.update(failed.state, kept);
    expect(bench.bodiesOf("updateEndpoint").at(-1)).toEqual({
      endpoint: { settings: { pg_settings: { work_mem: "8MB" } } },
    });
    expect(bench.sent("restartEndpoint")).toBe(0);
  });

  it("keeps what a list showed once, though its answer was lost, its operation fails and no list is read again", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    bench.spoil("updateEndpoint", lost);
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

  it("names what it sent without values where its operation fails, and is taken back as it says", async () => {
    const before = settings({ work_mem: "4MB", log_connections: "on" });
    const { bench, state } = await withCompute(before);
    bench.emulator.setTimeline({ action: "apply_config", endStatus: "failed", times: 1 });
    const wrong = { ...settings({ work_mem: "8MB", shared_buffers: "9TB" }), suspendTimeoutSeconds: 900 };
    const failed = await partialFailureOf(bench.update(state, wrong));
    expect(failed.reason).toMatch(
      /^updating compute ep-\S+: operation apply_config \(\S+\) ended as failed; this update sent settings\.pgSettings \(work_mem, shared_buffers, log_connections\) and suspendTimeoutSeconds, and the compute may have stopped\. Put the earlier values back and run `pulumi up`; an argument that is left out keeps what was sent, and a name that is left out of settings\.pgSettings is removed\.$/,
    );
    await bench.update(failed.state, { ...before, suspendTimeoutSeconds: 300 });
    expect(bench.live(state.endpointId)).toMatchObject({
      settings: { pg_settings: { work_mem: "4MB", log_connections: "on" } },
      suspend_timeout_seconds: 300,
    });
    expect(bench.live(state.endpointId).settings).not.toHaveProperty("pg_settings.shared_buffers");
  });

  const refused = (status: number, code: string, message: string): FaultRule =>
    answers(status, { body: { code, message } });
  it.each<{
    reason: string;
    says: RegExp;
    act: (bench: Bench, id: string) => void;
    more?: object;
    routes?: string[];
  }>([
    {
      reason: "the compute is gone",
      act: deleteByHand,
      says: /the service no longer knows this compute\. Run `pulumi refresh`/,
    },
    {
      reason: "it is only too young to be listed, and no command may lose it",
      act: ({ emulator }, id) => {
        emulator.deleteEndpoint(id);
      },
      says: /^updating compute (ep-\S+): compute \1 is not listed yet, \d+ s after its creation\. Run the same command again in a moment: lists may be late, so it counts as deleted only if it is still missing 30 s after its creation\.$/,
    },
    {
      reason: "the service refuses it, though no list shows the compute",
      act: (bench) => {
        bench.spoil("updateEndpoint", refused(422, "NO", "not today"));
        bench.spoil("listEndpoints", unlisted);
      },
      says: /the service answered 422 \(NO: not today\)/,
      // What runs: after a refusal nobody has to look.
      routes: ["listEndpoints", "updateEndpoint"],
    },
    {
      reason: "it is refused with 404, and no list can be read to see what is gone",
      act: (bench) => {
        bench.spoil("updateEndpoint", refused(404, "NOT_FOUND", "nothing here"));
        bench.spoil("listEndpoints", answers(500, { times: 1_000 }));
      },
      says: /the service answered 404 \(NOT_FOUND: nothing here\)/,
    },
    {
      reason: "a branch is missing, which is not the compute",
      act: (bench) => {
        bench.spoil("updateEndpoint", refused(404, "NOT_FOUND", "branch not found"));
      },
      more: { ...size(1), branchId: "br-nowhere-1" },
      says: /the service answered 404 \(NOT_FOUND: branch not found\)/,
    },
    {
      reason: "the service does not know the whole project any more",
      act: ({ emulator, projectId }) => {
        const rule = refused(404, "NOT_FOUND", "project not found");
        emulator.addFault({ ...rule, path: `/projects/${projectId}/`, times: 1_000 });
      },
      says: /^updating compute ep-\S+: http:\S+ knows no project .*`pulumi state delete`/,
    },
  ])("says why, and what to do, where $reason", async ({ act, more = size(2), says, routes }) => {
    const { bench, state } = await withCompute();
    act(bench, state.endpointId);
    await expect(bench.update(state, { ...more })).rejects.toThrow(says);
    if (routes !== undefined) expect(bench.takeRoutes()).toEqual(routes);
  });

  it("names the primary that is in the way of a move, also where the service calls that a lock", async () => {
    const { bench, state } = await withCompute({}, { switches: { secondPrimaryStatus: 423 } });
    await expect(bench.update(state, { ...size(1), branchId: bench.defaultBranchId })).rejects.toThrow(
      `branch ${bench.defaultBranchId} has its one primary already, compute ${bench.defaultPrimaryId}`,
    );
    expect(bench.live(state.endpointId).branch_id).toBe(bench.branchId);
  });
});
