import { listsProveAbsenceAfterMs } from "../../../../provider/pure/timing";
import { deleteByHand } from "../../../support/byHand";
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

describe("read", () => {
  it("shows the compute as the service does, and its declaration with the service's values", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.updateEndpoint(state.endpointId, {
      autoscaling_limit_min_cu: 4,
      autoscaling_limit_max_cu: 4,
    });
    const { id, props, inputs } = await bench.read(state);
    expect(id).toBe(state.endpointId);
    expect(props).toMatchObject({ ...size(4), __provider: "text" });
    expect(inputs).toMatchObject({ ...size(4), branchId: bench.branchId });
    expect(inputs).not.toHaveProperty("poolerEnabled");
  });

  it("changes nothing where nothing has changed", async () => {
    const { bench, state } = await withCompute({
      suspendTimeoutSeconds: 0,
      settings: { pgSettings: { jit: true } },
    });
    const { props } = await bench.read(state);
    expect(props).toEqual(state);
  });

  it("shares one list among many", async () => {
    const bench = await openBench();
    const provider = bench.process();
    const state = await created(bench);
    await Promise.all(Array.from({ length: 50 }, () => provider.read(state.endpointId, state)));
    expect(bench.takeRoutes()).toEqual(["listEndpoints"]);
  });

  it("says gone after two looks that do not show the compute", async () => {
    const { bench, state } = await withCompute();
    deleteByHand(bench, state.endpointId);
    await expect(bench.read(state)).resolves.toEqual({ id: "", props: {} });
    expect(bench.takeRoutes()).toEqual(["listEndpoints", "listEndpoints"]);
  });

  describe("of a compute that no list shows yet", () => {
    const unlisted = {
      kind: "wrongShape",
      route: "listEndpoints",
      times: 100,
      body: { endpoints: [] },
    } as const;

    it("keeps the state and says so, until lists have had the time to show it", async () => {
      const { bench, state } = await withCompute();
      bench.emulator.addFault(unlisted);
      const { id, props } = await bench.read(state);
      expect([id, props]).toEqual([state.endpointId, state]);
      expect(bench.said).toEqual([
        expect.stringMatching(
          /^warning: The compute ep-\S+ is not listed yet, \d+ s after its creation: the state keeps it\. The service's lists may be late, so it counts as deleted only if it is still missing 30 s after its creation\.$/,
        ),
      ]);
      bench.clock.advance(listsProveAbsenceAfterMs / 2);
      await expect(bench.read(state)).resolves.toMatchObject({ id });
      bench.clock.advance(listsProveAbsenceAfterMs / 2);
      await expect(bench.read(state)).resolves.toEqual({ id: "", props: {} });
    });

    it("judges its age by the service's clock, whatever this machine's says", async () => {
      const { bench, state } = await withCompute();
      bench.emulator.addFault(unlisted);
      for (const offMs of [-3 * 3_600_000, 3 * 3_600_000]) {
        bench.clock.setWallClockOffBy(offMs);
        await expect(bench.read(state)).resolves.toMatchObject({
          id: state.endpointId,
        });
      }
    });

    it("has nothing to go by in a state of old, which does not say when it was created", async () => {
      const bench = await openBench();
      const { createdAt, ...state } = await created(bench);
      expect(createdAt).toBeDefined();
      bench.emulator.addFault(unlisted);
      await expect(bench.read(state)).resolves.toEqual({ id: "", props: {} });
    });

    it("is an error where a program reads it by its id", async () => {
      const bench = await openBench();
      const { endpointId } = await created(bench);
      bench.emulator.addFault(unlisted);
      await expect(bench.process().read(endpointId, { projectId: bench.projectId })).rejects.toThrow(
        "has no such compute",
      );
    });
  });

  it("does not lose a compute to one list that is behind the truth", async () => {
    const bench = await openBench();
    bench.spoil("listEndpoints", { kind: "stale", after: 2 });
    const state = await created(bench);
    await expect(bench.read(state)).resolves.toMatchObject({
      id: state.endpointId,
    });
    expect(bench.takeRoutes()).toEqual(["listEndpoints", "listEndpoints"]);
  });

  it.each(["garbled", "cut", "truncate"] as const)(
    "fails, rather than say gone, where a list is %s",
    async (kind) => {
      const { bench, state } = await withCompute();
      bench.spoil("listEndpoints", { kind, times: 20 });
      await failureOf(bench.read(state));
    },
  );

  it("does not take a proxy's 404 page for a compute that is gone", async () => {
    const { bench, state } = await withCompute();
    const page = { kind: "status", status: 404, body: "<html>no such host</html>", times: 20 } as const;
    bench.spoil("listEndpoints", page);
    await expect(bench.read(state)).rejects.toThrow("the service answered 404");
  });

  it("fails where the whole project is unknown: a key that may not see it looks the same", async () => {
    const { bench, state } = await withCompute();
    const missing = { code: "NOT_FOUND", message: "project not found" };
    bench.spoil("listEndpoints", answers(404, { body: missing, times: 2 }));
    await expect(bench.read(state)).rejects.toThrow(/as where the key or the address is another account's/);

    const told = bench.process({ COMPUTE_MISSING_PROJECT: "gone" });
    await expect(told.read(state.endpointId, state)).resolves.toEqual({ id: "", props: {} });
    await expect(bench.read(state)).resolves.toMatchObject({
      id: state.endpointId,
    });
  });

  it("is an error where there is nothing under the id that a program reads", async () => {
    const bench = await openBench();
    const lookup = { projectId: bench.projectId };
    await expect(bench.process().read("ep-of-nobody-1", lookup)).rejects.toThrow(
      /^reading compute ep-of-nobody-1: project \S+ has no such compute\. Correct/,
    );
  });

  it("reads for a lookup that knows the project alone", async () => {
    const bench = await openBench();
    const lookup = { projectId: bench.projectId };
    const { id, props } = await bench.process().read(bench.defaultPrimaryId, lookup);
    expect(id).toBe(bench.defaultPrimaryId);
    expect(props).toMatchObject({ branchId: bench.defaultBranchId, type: "read_write" });
  });

  it("asks for the project where it is missing", async () => {
    const bench = await openBench();
    const error = await failureOf(bench.process().read("ep-a", {}));
    expect(error.message).toBe(
      "reading compute ep-a: its project is not known. Pass it: Endpoint.get(name, id, { projectId }).",
    );
  });

  it("keeps what an earlier run left unfinished", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const { id, state } = await partialFailureOf(bench.create());
    const { props } = await bench.process().read(id, state);
    expect(props["__operations"]).toEqual(state.__operations);
  });
});
