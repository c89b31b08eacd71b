import type { EmulatorOptions, FaultRule } from "../../../../emulator";
import { deleteByHand } from "../../../support/byHand";
import { answers, created, failureOf, lost, openBench, page, size, unlisted, withCompute } from "./bench";

const lists = ["listEndpoints", "listEndpoints"];

describe("delete", () => {
  it.each<{ reason: string; switches?: EmulatorOptions["switches"]; routes: readonly string[] }>([
    { reason: "with one request", routes: ["deleteEndpoint"] },
    {
      reason: "and waits for operations that the answer names",
      switches: { deleteOperations: "suspend" },
      routes: ["deleteEndpoint", "getOperation", "getOperation"],
    },
  ])("deletes $reason, and leaves nothing that a create of the same name trips over", async (row) => {
    const { bench, state } = await withCompute({}, { switches: row.switches ?? {} });
    await bench.destroy(state);
    expect(bench.computes()).toEqual([]);
    expect(bench.takeRoutes()).toEqual(row.routes);
    const { id } = await bench.create();
    expect(bench.computes()).toEqual([id]);
    expect(bench.said).toEqual([]);
  });

  // The list decides, read twice.
  it.each<{ reason: string; switches?: EmulatorOptions["switches"]; fault?: FaultRule; isOld?: true }>([
    { reason: "answered 202", fault: answers(202, { body: "" }) },
    { reason: "answered 204", switches: { deleteMissing: 204 } },
    { reason: "answered 404 nested", switches: { deleteMissing: 404, errorShape: "nested" } },
    { reason: "answered 404 as html", switches: { deleteMissing: 404, errorShape: "html" }, isOld: true },
    { reason: "answered 404 empty", switches: { deleteMissing: 404, errorShape: "empty" }, isOld: true },
    { reason: "answered 410", fault: answers(410, { body: { code: "GONE", message: "endpoint is gone" } }) },
  ])("is done where the compute is gone already: $reason", async ({ switches = {}, fault, isOld }) => {
    const { bench, state } = await withCompute({}, { switches });
    if (isOld === true) deleteByHand(bench, state.endpointId);
    else bench.emulator.deleteEndpoint(state.endpointId);
    if (fault !== undefined) bench.spoil("deleteEndpoint", fault);
    await bench.destroy(state);
    expect(bench.takeRoutes()).toEqual(["deleteEndpoint", ...lists]);
    expect(bench.computes()).toEqual([]);
  });

  const notFound = { code: "NOT_FOUND", message: "no such compute" };
  it.each([
    { says: "its project lists it, and yet the service answered 202", deletion: answers(202, { body: "" }) },
    { says: "its project lists it, and yet the service answered 204", deletion: answers(204, { body: "" }) },
    {
      says: "its project lists it, and yet the service answered 404 (NOT_FOUND: no such compute)",
      deletion: answers(404, { body: notFound }),
    },
    {
      says: "404 of a gateway, also for the list",
      deletion: answers(404, { body: { message: "no Route matched" } }),
      list: answers(404, { body: { message: "no Route matched" } }),
    },
    {
      says: "404 of a page, also for the list",
      deletion: answers(404, { body: page }),
      list: answers(404, { body: page }),
    },
    {
      says: "the service no longer knows operation suspend_compute",
      deletion: answers(200, {
        body: { operations: [{ id: "op-1", action: "suspend_compute", status: "running" }] },
      }),
      sent: 1,
    },
    { says: "404, and 403 for the list", deletion: answers(404), list: answers(403) },
    { says: "404 of a page for a young compute", deletion: answers(404, { body: page }), list: unlisted },
  ])("is not taken for done: $says", async ({ says, deletion, list, sent = 3 }) => {
    const { bench, state } = await withCompute();
    bench.spoil("deleteEndpoint", { ...deletion, times: 10 });
    if (list !== undefined) bench.spoil("listEndpoints", { ...list, times: 50 });
    const { message } = await failureOf(bench.destroy(state));
    if (list === undefined) {
      expect(message).toContain(says);
      expect(bench.sent("deleteEndpoint")).toBe(sent);
    }
    expect(bench.computes()).toEqual([state.endpointId]);
    bench.emulator.clearFaults();
    await bench.destroy(state);
    expect(bench.computes()).toEqual([]);
  });

  it.each(["html", "empty", "nested"] as const)(
    "is refused where the project is unknown, answered 404 as %s: the state keeps the compute",
    async (errorShape) => {
      const bench = await openBench({ switches: { deleteMissing: 404, errorShape } });
      const state = { ...(await created(bench)), projectId: "proj-of-nobody-123" };
      await expect(bench.destroy(state)).rejects.toThrow(
        /^deleting compute ep-\S+: http:\S+ knows no project proj-of-nobody-123 .*`pulumi state delete` and the URN of each/,
      );
    },
  );

  it.each<{ reason: string; fault: FaultRule; isYoung?: true }>([
    { reason: "a cut before", fault: { kind: "cut" } },
    { reason: "a cut before, of a young compute", fault: { kind: "cut" }, isYoung: true },
    { reason: "a cut after", fault: lost },
    { reason: "500 before", fault: answers(500) },
    { reason: "500 after", fault: answers(500, { when: "after" }) },
    { reason: "503", fault: answers(503) },
    { reason: "429", fault: answers(429) },
    { reason: "a page", fault: { kind: "garbled" } },
    { reason: "a proxy's 404", fault: answers(404, { body: page }) },
    { reason: "a proxy's 404 of a young compute", fault: answers(404, { body: page }), isYoung: true },
    { reason: "a 200 of nothing", fault: answers(200) },
    { reason: "a 200 of a gateway's own JSON", fault: answers(200, { body: { status: "ok" } }) },
  ])("deletes through $reason", async ({ fault, isYoung }) => {
    const { bench, state } = await withCompute();
    if (isYoung) bench.spoil("listEndpoints", unlisted);
    else bench.clock.advance(600_000);
    bench.spoil("deleteEndpoint", fault);
    await bench.destroy(state);
    expect(bench.computes()).toEqual([]);
  });

  it("is done where its operation goes with the compute, and says how to go on where it fails", async () => {
    const { bench, state } = await withCompute({}, { switches: { deleteOperations: "suspend" } });
    bench.emulator.setTimeline({ action: "suspend_compute", endStatus: "failed", times: 1 });
    await expect(bench.destroy(state)).rejects.toThrow(
      /ended as failed\. Run the same command again: it finds out first/,
    );
    const again = await created(bench, { __urn: "urn:again", branchId: bench.emptyBranch() });
    bench.emulator.setTimeline({ action: "suspend_compute", vanished: true });
    await bench.destroy(again);
    expect(bench.computes()).not.toContain(again.endpointId);
  });
});

describe("a deletion keeps a compute", () => {
  it.each([
    { reason: "that this run has adopted", isAdopted: true },
    { reason: "that another resource of the program holds", isAdopted: false },
  ])("$reason, and names the resource that has it", async ({ isAdopted }) => {
    const { bench, state } = await withCompute({ type: "read_only" });
    const held = bench.declared({ ...size(1), type: "read_only", __urn: "urn:pulumi:dev::app::t::heir" });
    const run = bench.process();
    if (isAdopted) await run.create({ ...held, adopt: state.endpointId });
    else {
      await run.handlers.check({ ...held }, { ...held });
      await run.handlers.diff(state.endpointId, { ...state, __urn: held["__urn"] }, held);
    }
    bench.takeRoutes();
    await run.delete(state.endpointId, state);
    expect(bench.takeRoutes()).toEqual([]);
    expect(bench.said).toEqual([
      `warning: Compute ${state.endpointId} is not deleted: resource "heir" of this program holds it.`,
    ]);
    expect(bench.computes()).toEqual([state.endpointId]);
  });
});
