import { rmSync } from "node:fs";
import type { FaultRule } from "../../../../emulator";
import { deleteByHand } from "../../../support/byHand";
import { answers, closeBenches, created, failureOf, openBench, size, withCompute } from "./bench";

afterEach(closeBenches);

/** Lists that are behind the truth. */
const unlisted = { kind: "wrongShape", route: "listEndpoints", times: 50, body: { endpoints: [] } } as const;

describe("delete", () => {
  it("deletes with one request", async () => {
    const { bench, state } = await withCompute();
    await bench.destroy(state);
    expect(bench.computes()).toEqual([]);
    expect(bench.takeRoutes()).toEqual(["deleteEndpoint"]);
    expect(bench.clock.sleeps).toEqual([]);
  });

  it("waits for operations that the answer names", async () => {
    const { bench, state } = await withCompute({}, { switches: { deleteOperations: "suspend" } });
    await bench.destroy(state);
    expect(bench.takeRoutes()).toEqual(["deleteEndpoint", "getOperation", "getOperation"]);
  });

  it.each([204, 404] as const)(
    "is done where the compute is gone already, answered %d",
    async (deleteMissing) => {
      const { bench, state } = await withCompute({}, { switches: { deleteMissing } });
      bench.emulator.deleteEndpoint(state.endpointId);
      await bench.destroy(state);
      // The list decides, read twice.
      expect(bench.takeRoutes()).toEqual(["deleteEndpoint", "listEndpoints", "listEndpoints"]);
    },
  );

  it.each([202, 204])("is done where %d says nothing, and the list shows no compute", async (status) => {
    const { bench, state } = await withCompute();
    const fault = { kind: "status", status, body: "", when: "after", route: "deleteEndpoint" } as const;
    bench.emulator.addFault({ ...fault, times: 10 });
    await bench.destroy(state);
    expect(bench.computes()).toEqual([]);
    expect(bench.sent("deleteEndpoint")).toBe(1);
  });

  it.each([202, 204])(
    "is not taken for done where %d says nothing, and the list shows it",
    async (status) => {
      const { bench, state } = await withCompute();
      const fault = { kind: "status", status, body: "", when: "before", route: "deleteEndpoint" } as const;
      bench.emulator.addFault({ ...fault, times: 10 });
      await expect(bench.destroy(state)).rejects.toThrow(
        `its project lists it, and yet the service answered ${status}`,
      );

      expect(bench.computes()).toEqual([state.endpointId]);
      bench.emulator.clearFaults();
      await bench.destroy(state);
      expect(bench.computes()).toEqual([]);
    },
  );

  it.each([
    { reason: "a gateway answers for the project", status: 404, body: { message: "no Route matched" } },
    { reason: "a page does", status: 404, body: "<html></html>" },
    { reason: "the project cannot be listed", status: 403, body: undefined },
  ])("is not taken for done where all routes say 404: $reason", async ({ status, body }) => {
    const { bench, state } = await withCompute();
    const fault = { kind: "status", body, times: 10 } as const;
    bench.spoil("deleteEndpoint", { ...fault, status: 404 });
    bench.spoil("listEndpoints", { ...fault, status });
    await failureOf(bench.destroy(state));
    expect(bench.computes()).toEqual([state.endpointId]);
  });

  it.each(["html", "empty", "nested"] as const)(
    "is done where the project is gone, answered 404 as %s, and the run is told so",
    async (errorShape) => {
      const bench = await openBench({ switches: { deleteMissing: 404, errorShape } });
      const state = { ...(await created(bench)), projectId: "proj-of-nobody-123" };
      await expect(bench.destroy(state)).rejects.toThrow(
        /^deleting compute ep-\S+: http:\S+ knows no project proj-of-nobody-123 .*COMPUTE_MISSING_PROJECT=gone/,
      );

      await bench.destroy(state, { COMPUTE_MISSING_PROJECT: "gone" });
    },
  );

  it("fails where the service says 404 of a compute that it lists: a key that may not delete it", async () => {
    const { bench, state } = await withCompute();
    const body = { code: "NOT_FOUND", message: "no such compute" };
    bench.spoil("deleteEndpoint", answers(404, { body, times: 10 }));
    await expect(bench.destroy(state)).rejects.toThrow(
      "its project lists it, and yet the service answered 404 (NOT_FOUND: no such compute)",
    );
    expect(bench.sent("deleteEndpoint")).toBe(3);

    expect(bench.computes()).toEqual([state.endpointId]);
  });

  it("keeps a compute that this run has taken over, and says so", async () => {
    const { bench, state } = await withCompute();
    const process = bench.process();
    await process.create(bench.declared({ ...state, adopt: state.endpointId, __urn: "urn:heir" }));
    bench.takeRoutes();
    await process.delete(state.endpointId, state);
    expect(bench.takeRoutes()).toEqual([]);
    expect(bench.said).toEqual([
      `warning: Compute ${state.endpointId} is not deleted: a resource of this program took it over a moment ago. In TypeScript, the line with adopt also keeps it when that resource goes; to have it deleted then, set retainOnDelete: false there.`,
    ]);
    expect(bench.computes()).toEqual([state.endpointId]);
  });

  it("keeps a compute that another resource of the program holds, and names that one", async () => {
    const { bench, state } = await withCompute({ type: "read_only" });
    const held = bench.declared({ ...size(1), type: "read_only", __urn: "urn:pulumi:dev::app::t::heir" });
    const run = bench.process();
    await run.handlers.check({ ...held }, { ...held });
    await run.handlers.diff(state.endpointId, { ...state, __urn: held["__urn"] }, held);
    await run.delete(state.endpointId, state);
    expect(bench.takeRoutes()).toEqual([]);
    expect(bench.said).toEqual([
      expect.stringMatching(
        /^warning: Compute ep-\S+ is not deleted: resource "heir" of this program holds it\. In TypeScript, /,
      ),
    ]);
    // Its entry in the journal is gone: another create of that name makes a compute of its own.
    const { id } = await bench.create({ type: "read_only" });
    expect(id).not.toBe(state.endpointId);
  });

  it("keeps a compute that another resource adopted in an earlier run, and names the note of it", async () => {
    const { bench, state } = await withCompute({ type: "read_only" });
    const heir = bench.declared({ type: "read_only", __urn: "urn:heir", adopt: state.endpointId });
    await bench.create(heir);
    bench.takeRoutes();
    await bench.destroy(state);
    expect(bench.takeRoutes()).toEqual([]);
    const [, file = ""] =
      /adopt`\. Where no stack holds it .*, and remove (\S+)\.$/.exec(bench.said.at(-1) ?? "") ?? [];
    // Without the note, it is deleted.
    rmSync(file);
    await bench.destroy(state);
    expect(bench.computes()).toEqual([]);
  });

  it("takes 410 for what it says", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.deleteEndpoint(state.endpointId);
    const body = { code: "GONE", message: "endpoint is gone" };
    bench.spoil("deleteEndpoint", answers(410, { body }));
    await bench.destroy(state);
    expect(bench.takeRoutes()).toEqual(["deleteEndpoint", "listEndpoints", "listEndpoints"]);
  });

  it("is done where its operation goes with the compute", async () => {
    const { bench, state } = await withCompute({}, { switches: { deleteOperations: "suspend" } });
    bench.emulator.setTimeline({ action: "suspend_compute", vanished: true });
    await bench.destroy(state);
    expect(bench.computes()).toEqual([]);
  });

  it("says how to go on where its operation fails", async () => {
    const { bench, state } = await withCompute({}, { switches: { deleteOperations: "suspend" } });
    bench.emulator.setTimeline({ action: "suspend_compute", endStatus: "failed" });
    await expect(bench.destroy(state)).rejects.toThrow(
      /ended as failed\. Run the same command again: it finds out first/,
    );
  });

  it.each(["html", "empty", "nested"] as const)(
    "is done where a 404 has the body %s and no list shows it",
    async (errorShape) => {
      const { bench, state } = await withCompute({}, { switches: { deleteMissing: 404, errorShape } });
      deleteByHand(bench, state.endpointId);
      await bench.destroy(state);
      expect(bench.computes()).toEqual([]);
    },
  );

  it.each<{ reason: string; fault: FaultRule }>([
    { reason: "a deletion without an answer", fault: { kind: "cut" } },
    { reason: "a gateway's 404", fault: { kind: "status", status: 404, body: "<html></html>" } },
  ])(
    "does not believe a late list that a young compute is gone: $reason is sent again",
    async ({ fault }) => {
      const { bench, state } = await withCompute();
      bench.spoil("deleteEndpoint", fault);
      bench.emulator.addFault(unlisted);
      await bench.destroy(state);
      expect(bench.computes()).toEqual([]);
      expect(bench.sent("deleteEndpoint")).toBe(2);
    },
  );

  it("fails, rather than lose a young compute, where a gateway answers 404 and no list shows it", async () => {
    const { bench, state } = await withCompute();
    const page = { kind: "status", status: 404, body: "<html></html>", times: 10 } as const;
    bench.spoil("deleteEndpoint", page);
    bench.emulator.addFault(unlisted);
    await expect(bench.destroy(state)).rejects.toThrow("the service answered 404");

    expect(bench.computes()).toEqual([state.endpointId]);
  });

  it.each<{ reason: string; body?: unknown }>([
    { reason: "nothing" },
    { reason: "a gateway's own JSON", body: { status: "ok" } },
  ])("is not taken for done by a 200 without the compute: $reason", async ({ body }) => {
    const { bench, state } = await withCompute();
    bench.clock.advance(600_000);
    bench.spoil("deleteEndpoint", answers(200, { body }));
    await bench.destroy(state);
    expect(bench.computes()).toEqual([]);
  });

  it.each<{ reason: string; fault: FaultRule }>([
    { reason: "cut before", fault: { kind: "cut" } },
    { reason: "cut after", fault: { kind: "cut", when: "after" } },
    { reason: "500 before", fault: { kind: "status", status: 500 } },
    { reason: "500 after", fault: { kind: "status", status: 500, when: "after" } },
    { reason: "503", fault: { kind: "status", status: 503 } },
    { reason: "429", fault: { kind: "status", status: 429 } },
    { reason: "a page", fault: { kind: "garbled" } },
    { reason: "a proxy's 404", fault: { kind: "status", status: 404, body: "<html></html>" } },
  ])("deletes through $reason", async ({ fault }) => {
    const { bench, state } = await withCompute();
    bench.spoil("deleteEndpoint", fault);
    await bench.destroy(state);
    expect(bench.computes()).toEqual([]);
  });

  it("leaves nothing in the journal that a later create of the same name trips over", async () => {
    const { bench, state } = await withCompute();
    await bench.destroy(state);
    const { id } = await bench.create();
    expect(bench.computes()).toEqual([id]);
    expect(bench.said).toEqual([]);
  });

  it("keeps the entry of a replacement that was cut off, so that its compute is named", async () => {
    const { bench, state } = await withCompute({ type: "read_only" });
    bench.loseJournal(); // as after a later run, which saw the id in the state
    bench.spoil("createEndpoint", { kind: "cut", when: "after" });
    bench.spoil("listEndpoints", answers(500, { after: 1, times: 100 }));
    await failureOf(bench.create({ regionId: "local-2", type: "read_only" }));
    bench.emulator.clearFaults();
    const [left] = bench.computes().filter((id) => id !== state.endpointId);
    await bench.destroy(state);
    const again = failureOf(bench.create({ regionId: "local-2", type: "read_only" }));
    expect((await again).message).toContain(`adopt: "${left ?? ""}"`);
    expect(bench.computes()).toEqual([left]);
  });
});
