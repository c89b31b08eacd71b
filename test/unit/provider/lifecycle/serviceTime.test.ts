import { answers, closeBenches, openBench, size, withCompute } from "./bench";

afterEach(closeBenches);

const hourMs = 3_600_000;

describe.each([-3 * hourMs, 3 * hourMs])("a machine whose clock is %d ms off", (offMs) => {
  it("tells the last access by the service's clock", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.connect(state.endpointId);
    bench.clock.advance(5 * 60_000 - 20_000);
    bench.clock.setWallClockOffBy(offMs);
    const old = bench.declared(size(1));
    const news = { ...old, ...size(2), __dryRun: true };
    const { failures, inputs } = await bench.process().handlers.check(old, news);
    expect(failures).toEqual([]);
    expect(inputs["__verdict"]).toMatchObject({ lastAccess: "5 min ago" });
  });
});

it.each([
  { reason: "a page", body: "<html></html>" },
  { reason: "nothing", body: undefined },
])(
  "a gateway whose clock is off hides no replica that it has passed on: it answers $reason",
  async ({ body }) => {
    const bench = await openBench();
    const headers = { Date: new Date(bench.clock.now() - hourMs).toUTCString() };
    bench.spoil(
      "createEndpoint",
      answers(502, { headers, when: "after", ...(body === undefined ? {} : { body }) }),
    );
    const { id } = await bench.create({ type: "read_only" });
    expect(bench.computes()).toEqual([id]);
  },
);

it("a list from a cache, an hour old, does not hide a replica whose create got no answer", async () => {
  const bench = await openBench();
  const headers = { Date: new Date(bench.clock.now() - hourMs).toUTCString(), Age: "3600" };
  const body = { endpoints: [bench.live(bench.defaultPrimaryId)] };
  bench.spoil("listEndpoints", answers(200, { headers, body }));
  bench.spoil("createEndpoint", { kind: "cut", when: "after" });
  const { id } = await bench.create({ type: "read_only" });
  expect(bench.computes()).toEqual([id]);
});

describe("a compute that ends in a state of its own", () => {
  it("is named with a warning, though its operations ended well", async () => {
    const { bench, state } = await withCompute();
    const { endpoint } = bench.emulator.endpoint(state.endpointId);
    const updated_at = new Date(bench.clock.now() + hourMs).toISOString();
    const now = { ...endpoint, updated_at, suspend_timeout_seconds: 900, current_state: "error" };
    const body = { endpoints: [now] };
    bench.spoil("listEndpoints", { kind: "wrongShape", body, times: 99 });
    await bench.update(state, { ...size(1), suspendTimeoutSeconds: 900 });
    expect(bench.said).toEqual([
      expect.stringMatching(/^warning: .*the service shows the compute in the state "error"/),
    ]);
  });
});

it("a time limit of a month is waited for, not taken for none", async () => {
  const bench = await openBench();
  const { outs } = await bench
    .process()
    .create(bench.declared({ ...size(1), timeouts: { create: 30 * 24 * 3_600 } }));
  expect(outs).toMatchObject(size(1));
});
