import { listsProveAbsenceAfterMs } from "../../../../provider/pure/timing";
import { deleteByHand } from "../../../support/byHand";
import { answers, created, size, unlisted } from "./bench";
import { bench } from "./eachTest";

const gone = { id: "", props: {} };

describe("read", () => {
  it("shows the compute as the service does, and its declaration with the service's values", async () => {
    const state = await created(bench);
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

  it("changes nothing where nothing has changed, and shares one list among many", async () => {
    const state = await created(bench, {
      suspendTimeoutSeconds: 0,
      settings: { pgSettings: { jit: true } },
    });
    const provider = bench.process();
    const reads = await Promise.all(Array.from({ length: 50 }, () => provider.read(state.endpointId, state)));
    for (const { props } of reads) expect(props).toEqual(state);
    expect(bench.takeRoutes()).toEqual(["listEndpoints"]);
  });

  it("says gone after two looks that do not show the compute", async () => {
    const state = await created(bench);
    deleteByHand(bench, state.endpointId);
    await expect(bench.read(state)).resolves.toEqual(gone);
    expect(bench.takeRoutes()).toEqual(["listEndpoints", "listEndpoints"]);
  });

  it("fails where the whole project is unknown: a key that may not see it looks the same", async () => {
    const state = await created(bench);
    const body = { code: "NOT_FOUND", message: "project not found" };
    bench.spoil("listEndpoints", answers(404, { body }));
    await expect(bench.read(state)).rejects.toThrow(/as where the key or the address is another account's/);
    await expect(bench.read(state)).resolves.toMatchObject({ id: state.endpointId });
  });
});

describe("a read of a compute that no list shows yet", () => {
  it("keeps the state and says so, until lists have had the time to show it", async () => {
    const state = await created(bench);
    bench.spoil("listEndpoints", unlisted);
    expect(await bench.read(state)).toMatchObject({ id: state.endpointId, props: state });
    expect(bench.said).toEqual([
      expect.stringMatching(
        /^warning: The compute ep-\S+ is not listed yet, \d+ s after its creation: the state keeps it\. The service's lists may be late, so it counts as deleted only if it is still missing 30 s after its creation\.$/,
      ),
    ]);
    bench.clock.advance(listsProveAbsenceAfterMs / 2);
    await expect(bench.read(state)).resolves.toMatchObject({ id: state.endpointId });
    bench.clock.advance(listsProveAbsenceAfterMs / 2);
    await expect(bench.read(state)).resolves.toEqual(gone);
  });

  it("judges its age by the service's clock, whatever this machine's says", async () => {
    const state = await created(bench);
    bench.spoil("listEndpoints", unlisted);
    for (const offMs of [-3 * 3_600_000, 3 * 3_600_000]) {
      bench.clock.setWallClockOffBy(offMs);
      await expect(bench.read(state)).resolves.toMatchObject({ id: state.endpointId });
    }
  });

  it("has nothing to go by in a state of old, which does not say when it was created", async () => {
    const state = await created(bench);
    const { createdAt, ...old } = state;
    expect(createdAt).toBeDefined();
    bench.spoil("listEndpoints", unlisted);
    await expect(bench.read(old)).resolves.toEqual(gone);
  });
});

describe("a lookup by an id", () => {
  it("reads where it knows the project alone", async () => {
    const lookup = { projectId: bench.projectId };
    const { id, props } = await bench.process().read(bench.defaultPrimaryId, lookup);
    expect(id).toBe(bench.defaultPrimaryId);
    expect(props).toMatchObject({ branchId: bench.defaultBranchId, type: "read_write" });
  });

  it("is an error where nothing is there, or no list shows it yet", async () => {
    const state = await created(bench);
    const { projectId } = bench;
    await expect(bench.process().read("ep-of-nobody-1", { projectId })).rejects.toThrow(
      /^reading compute ep-of-nobody-1: project \S+ has no such compute\. Correct/,
    );
    bench.spoil("listEndpoints", unlisted);
    await expect(bench.process().read(state.endpointId, { projectId })).rejects.toThrow(
      "has no such compute",
    );
  });

  it("asks for the project where it is missing", async () => {
    await expect(bench.process().read("ep-a", {})).rejects.toThrow(
      "reading compute ep-a: its project is not known. Pass it: Endpoint.get(name, id, { projectId }).",
    );
  });
});
