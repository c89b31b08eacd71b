import { created, openBench, size, withCompute } from "./bench";

describe("what engines and services do besides", () => {
  const typedUnknowns = {
    bool: "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    number: "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    object: "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
    array: "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  };

  it("an unknown value of a type is as unknown as any", async () => {
    const bench = await openBench();
    const { number, bool, object, array } = typedUnknowns;
    const args = bench.declared({
      autoscalingLimitMinCu: number,
      autoscalingLimitMaxCu: number,
      suspendTimeoutSeconds: number,
      poolerEnabled: bool,
      settings: { pgSettings: object },
      timeouts: array,
      __dryRun: true,
    });
    expect((await bench.process().handlers.check({}, args)).failures).toEqual([]);
  });

  it("a state without our notes is compared, changed and deleted", async () => {
    const bench = await openBench();
    const { __managed: managed, ...bare } = await created(bench);
    expect(managed).toEqual(expect.arrayContaining(["projectId"]));
    const run = bench.process();
    const settings = { pgSettings: { work_mem: "64MB" } };
    const declared = bench.declared({ ...size(2), settings });
    await expect(run.handlers.diff(bare.endpointId, { ...bare }, declared)).resolves.toMatchObject({
      changes: true,
      replaces: [],
    });
    await expect(run.update(bare, declared)).resolves.toMatchObject({ autoscalingLimitMaxCu: 2, settings });
    await expect(run.read(bare.endpointId, bare)).resolves.toMatchObject({ id: bare.endpointId });
    await run.delete(bare.endpointId, bare);
    expect(bench.computes()).toEqual([]);
  });

  it("a list that has pages is an error, never a list of fewer computes", async () => {
    const { bench, state } = await withCompute();
    const body = { endpoints: [], pagination: { cursor: "more" } };
    bench.spoil("listEndpoints", { kind: "wrongShape", body, times: 99 });
    await expect(bench.read(state)).rejects.toThrow(/^listing the computes of project/);
  });
});

it("a value that is secret and too short to be searched for is in no warning about what the service shows", async () => {
  const { bench, state } = await withCompute();
  const { endpoint } = bench.emulator.endpoint(state.endpointId);
  // The service answers as if nothing had changed, and its lists agree.
  bench.spoil("updateEndpoint", { kind: "wrongShape", body: { endpoint, operations: [] } });
  bench.spoil("listEndpoints", { kind: "stale", times: 12 });
  const secret = { suspendTimeoutSeconds: 777, __secrets: ["suspendTimeoutSeconds"] };
  await bench.update(state, { ...size(1), ...secret });
  expect(bench.said).toEqual([
    expect.stringContaining("the service took the change, but shows another suspendTimeoutSeconds (secret)."),
  ]);
});
