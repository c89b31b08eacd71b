/**
 * One Ctrl-C, which the engine tells a plugin alone: waits end at once, nothing more is sent, and nothing is lost.
 */
import { setImmediate } from "node:timers/promises";
import type { PluginHandlers } from "../../../../../provider/host/plugin/handlers";
import { failureOf, size } from "../../lifecycle/bench";
import { bench, createWith, destroy, keptOf, update, urn } from "./bench";

let interruption: AbortController;
/** The process of the run that is interrupted. */
let plugin: PluginHandlers;

beforeEach(() => {
  interruption = new AbortController();
  plugin = bench.plugin({}, interruption.signal);
});

/** Interrupts the run once the row shows what is awaited. @returns milliseconds from then until it has ended. */
async function interruptWhile(shown: RegExp, call: Promise<unknown>): Promise<number> {
  bench.progress.length = 0;
  const run = { hasEnded: false };
  const end = call.catch(() => undefined).finally(() => (run.hasEnded = true));
  while (!run.hasEnded && !bench.progress.some((text) => shown.test(text))) await setImmediate();
  expect(run.hasEnded).toBe(false);
  const startMs = bench.clock.monotonicMs();
  interruption.abort(new Error("interrupted"));
  await end;
  return bench.clock.monotonicMs() - startMs;
}

const writes = (): readonly string[] =>
  bench.takeRoutes().filter((route) => !["listEndpoints", "getOperation", "listOperations"].includes(route));

describe("a run that is interrupted", () => {
  it("ends a create's wait at once, with the id and the operation that the next run waits for", async () => {
    bench.emulator.setTimeline({ runningMs: 300_000, times: 1 });
    const declared = bench.declared(size(1));
    const call = createWith(plugin, declared);
    const failed = keptOf(call);
    expect(await interruptWhile(/running/, call)).toBeLessThan(2_000);
    const { id, message, properties, reasons } = await failed;
    expect(bench.computes()).toEqual([id]);
    expect(message).toMatch(
      /^creating compute ep-\S+: the run was interrupted while operation \S+ \(\S+\) was running: it goes on at the service\. `pulumi up` goes on waiting for it without sending the change again\.$/,
    );
    expect(reasons).toEqual([message]);
    expect(properties).toMatchObject({ endpointId: id, ...size(1) });
    expect(properties["__operations"]).toHaveLength(1);

    writes();
    const later = await update(properties, declared, bench.plugin());
    expect(later.properties).not.toHaveProperty("__operations");
    expect(writes()).toEqual([]);
    expect(bench.computes()).toEqual([id]);
  });

  it("ends an update's wait at once, and the next one goes on waiting without a PATCH", async () => {
    const { id, inputs, properties } = await createWith(plugin, bench.declared(size(1)));
    bench.emulator.setTimeline({ runningMs: 300_000, times: 1 });
    const news = { ...inputs, ...size(2) };
    const call = update(properties, news, plugin);
    const failed = keptOf(call);
    expect(await interruptWhile(/running/, call)).toBeLessThan(2_000);
    const kept = await failed;
    expect(kept.id).toBe(id);
    expect(kept.properties).toMatchObject({ endpointId: id, ...size(2) });
    expect(kept.message).toContain("it goes on at the service");

    writes();
    const next = bench.plugin();
    // As the engine reads it first: that is no wait, and takes nothing away.
    const seen = await next.read({ urn, id, properties: kept.properties, inputs: news });
    const again = await next.check({ urn, olds: news, news });
    expect(await next.diff({ urn, olds: seen.properties, news: again.inputs })).toMatchObject({
      changes: true,
    });
    const later = await update(seen.properties, again.inputs, next);
    expect(later.properties).toMatchObject(size(2));
    expect(later.properties).not.toHaveProperty("__operations");
    expect(writes()).toEqual([]);
  });

  it("ends a deletion's wait at once, and the next one finds out what came of it", async () => {
    bench.emulator.setSwitches({ deleteOperations: "suspend" });
    const { properties } = await createWith(plugin, bench.declared(size(1)));
    bench.emulator.setTimeline({ runningMs: 300_000, times: 1 });
    const call = destroy(properties, plugin);
    const failed = failureOf(call);
    expect(await interruptWhile(/running/, call)).toBeLessThan(2_000);
    expect((await failed).message).toMatch(
      /interrupted while .* Run the same command again: it finds out first/,
    );
    await destroy(properties, bench.plugin());
    expect(bench.computes()).toEqual([]);
  });

  it("does not send a create that was not sent yet, and leaves no note of it", async () => {
    bench.emulator.addFault({ kind: "status", status: 423, method: "POST", times: 1_000 });
    const locked = bench.emulator.createEndpoint(bench.projectId, {
      branch_id: bench.defaultBranchId,
      type: "read_only",
    });
    bench.emulator.setTimeline({ stuck: "running", times: 1 });
    bench.emulator.suspendEndpoint(locked.endpoint.id);
    const before = bench.computes();
    const first = createWith(plugin, bench.declared(size(1)));
    const second = createWith(plugin, bench.declared({ branchId: bench.emptyBranch() }), {
      name: "other",
    });
    const failures = [failureOf(first), failureOf(second)];
    while (bench.bodiesOf("createEndpoint").length === 0) await setImmediate();
    interruption.abort(new Error("interrupted"));
    // Whichever of the two comes first is sent, and refused.
    const messages = (await Promise.all(failures)).map(({ message }) => message);
    expect(messages).toEqual(
      expect.arrayContaining([
        expect.stringContaining("Another operation of the project is under way"),
        expect.stringContaining("interrupted before this change was sent"),
      ]),
    );
    bench.emulator.clearFaults();
    expect(bench.computes()).toEqual(before);
    expect(bench.bodiesOf("createEndpoint")).toHaveLength(1);
  });

  it("ends a pause that the service has asked for, and sends nothing after it", async () => {
    const { inputs, properties } = await createWith(plugin, bench.declared(size(1)));
    const pause = { kind: "status", status: 429, headers: { "Retry-After": "40" } } as const;
    bench.emulator.addFault({ ...pause, method: "PATCH", times: 1_000 });
    const call = update(properties, { ...inputs, ...size(2) }, plugin);
    const failed = failureOf(call);
    writes();
    expect(await interruptWhile(/attempt 2 in/, call)).toBeLessThan(2_000);
    expect((await failed).message).toMatch(/^updating compute ep-\S+: .* Run the same command again/);
    expect(writes()).toEqual(["updateEndpoint"]);
  });

  it("sends no write at all once it is interrupted, and the next run does it", async () => {
    const { inputs, properties } = await createWith(plugin, bench.declared(size(1)));
    writes();
    interruption.abort(new Error("interrupted"));
    const news = { ...inputs, ...size(2) };
    const branchId = bench.emptyBranch();
    const messages = await Promise.all(
      [
        update(properties, news, plugin),
        createWith(plugin, bench.declared({ branchId }), { name: "other" }),
        destroy(properties, plugin),
      ].map(async (call) => (await failureOf(call)).message),
    );
    for (const message of messages)
      expect(message).toMatch(
        /: the run was interrupted before this change was sent\. Run the same command again: nothing of it was done\.$/,
      );
    expect(writes()).toEqual([]);

    const next = bench.plugin();
    await update(properties, news, next);
    await createWith(next, bench.declared({ branchId }), { name: "other" });
    expect(writes()).toEqual(["updateEndpoint", "createEndpoint"]);
  });
});
