import { partialFailureOf, size } from "./bench";
import { bench } from "./eachTest";
import { killedAfterAnswer } from "./killed";

/** What a killed run made is of this size; the program asks for another one by now. */
async function leftBehind(): Promise<string> {
  const id = await killedAfterAnswer(bench, bench.declared(size(1)));
  bench.emulator.connect(id);
  return id;
}

const grown = (more: object = {}): Record<string, unknown> =>
  bench.declared({ ...size(2), suspendTimeoutSeconds: 600, ...more });

const restart = /warning: restart: size 1 → 2 CU drops open connections/;

describe("what a killed run created, and the program has changed since", () => {
  it("is named in the preview, with what its change interrupts", async () => {
    const id = await leftBehind();
    const { inputs } = await bench.process().handlers.check({}, grown({ __dryRun: true }));
    expect(bench.said.join("\n")).toMatch(
      new RegExp(`An earlier run created compute ${id} for this resource: it will be taken over`),
    );
    expect(bench.said.join("\n")).toMatch(restart);
    expect(inputs).toMatchObject({ __verdict: { effect: "restart", endpointId: id } });
    expect(bench.takeRoutes()).toEqual(["listEndpoints"]);
  });

  it("is changed once it has started: requests that depend on an operation wait for it", async () => {
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 60_000, times: 1 });
    await killedAfterAnswer(bench, bench.declared({ ...size(1), timeouts: { create: 5 } }));
    const [start] = bench.emulator.operations(bench.projectId);
    expect(start?.status).toBe("running");
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 3_600_000, times: 1 });
    bench.madeByOthers({ type: "read_only" });
    await bench.create(grown());
    expect(bench.unended()).toHaveLength(1);
    const routes = bench.takeRoutes();
    const before = routes.slice(routes.indexOf("listOperations"), routes.indexOf("updateEndpoint"));
    expect(before.length).toBeGreaterThan(2);
    expect(new Set(before)).toEqual(new Set(["listOperations", "getOperation"]));
  });

  it("is changed like any other: the update says what it interrupts", async () => {
    const id = await leftBehind();
    const { outs } = await bench.create(grown());
    expect(outs).toMatchObject({ endpointId: id, ...size(2) });
    expect(bench.said.join("\n")).toMatch(restart);
    expect(bench.rows.at(-1)).toMatch(/^info: restarted, .*, as announced \(.*\)$/);
  });

  it("is not taken for ready where its start has failed, though nothing has to be changed", async () => {
    bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const id = await killedAfterAnswer(bench, bench.declared(size(1)));
    bench.clock.advance(60_000);
    const failed = await partialFailureOf(bench.create(size(1)));
    expect(failed.reason).toMatch(/^taking over compute .* ended as failed/);
    expect(failed.id).toBe(id);
  });

  it("is not changed where that is forbidden, in the preview and in the update", async () => {
    const id = await leftBehind();
    const declared = grown({ onInterruption: "forbid" });
    expect((await bench.preview(declared)).join()).toContain("This is forbidden here");
    await expect(bench.create(declared)).rejects.toThrow(
      new RegExp(`taking over compute ${id}, which an earlier run created .*This is forbidden here`),
    );
    expect(bench.takeRoutes()).not.toContain("updateEndpoint");
    expect(bench.computes()).toEqual([id]);
    // The declaration of that run interrupts nothing.
    await expect(bench.create({ ...size(1), onInterruption: "forbid" })).resolves.toMatchObject({ id });
  });

  it("waits for a window with what interrupts, and gets the rest at once", async () => {
    const id = await leftBehind();
    const declared = grown({ onInterruption: "defer" });
    const { outs } = await bench.create(declared);
    expect(outs).toMatchObject({ endpointId: id, ...size(1), suspendTimeoutSeconds: 600 });
    expect(bench.said.join("\n")).toMatch(/deferred until it is idle: restart: size 1/);
    expect(bench.bodiesOf("updateEndpoint")).toEqual([{ endpoint: { suspend_timeout_seconds: 600 } }]);
    const { changes } = await bench.process().handlers.diff(id, { ...outs }, declared);
    expect(changes).toBe(true);
    await expect(
      bench.update(outs, declared, { COMPUTE_INTERRUPTION_WINDOW: "always" }),
    ).resolves.toMatchObject(size(2));
  });
});
