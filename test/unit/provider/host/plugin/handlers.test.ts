/**
 * What the plugin alone has: a check that is told of no preview, marks of secrets, timeouts of the engine's own.
 * What both variants share is tested through either.
 */
import { unknownValue } from "../../../../../provider/model/unknown";
import { markSecret, withoutMarks } from "../../../../../provider/host/plugin/propertyValues";
import { urnOf } from "../../../../support/variants";
import { size } from "../../lifecycle/bench";
import { bench, checked, created, createWith, keptOf, plugin, update, urn, type Values } from "./bench";

const secret = markSecret;

describe("a check", () => {
  it("gives back what was declared, without a URN and without a word of a preview", async () => {
    const declared = bench.declared(size(1));
    expect(await checked({}, declared)).toEqual(declared);
  });

  it("says in the inputs what holds until the update, and on the row what is so now", async () => {
    const { id, inputs, properties } = await created();
    const { interruption, ...next } = await checked(inputs, { ...inputs, ...size(2) });
    expect(interruption).toMatch(/^restart: size 1 → 2 CU drops open connections; /);
    expect(next).toEqual({ ...inputs, ...size(2) });
    await plugin.diff({ urn, olds: properties, news: { ...next, interruption } });
    expect(bench.said).toEqual([
      expect.stringMatching(/^warning: restart: size 1 → 2 CU drops open connections \(active now/),
    ]);
    expect(bench.computes()).toEqual([id]);
  });

  it("says the same in the inputs of a compute that has become idle, so that a saved plan stays valid", async () => {
    const { id, inputs, properties } = await created(size(1));
    const news = { ...inputs, ...size(2) };
    const first = await checked(inputs, news);
    bench.emulator.suspendEndpoint(id);
    bench.clock.advance(10_000);
    expect(await checked(inputs, news)).toEqual(first);
    await plugin.diff({ urn, olds: properties, news: first });
    expect(bench.said.at(-1)).toMatch(
      /^warning: restart: size 1 → 2 CU drops open connections \(idle now: none is open\)/,
    );
  });

  it("says nothing where it refuses, and names no secret", async () => {
    const declared = bench.declared(size(1));
    const wrong = { ...declared, ...size(2), poolerMode: secret("hunter2") };
    const { inputs, failures } = await plugin.check({ urn, olds: declared, news: wrong });
    expect(inputs).not.toHaveProperty("interruption");
    expect(failures).toEqual([{ property: "", reason: expect.stringContaining("poolerMode") as string }]);
    expect(JSON.stringify(failures)).not.toContain("hunter2");
  });

  it("names no secret where another resource is in the way", async () => {
    const declared = bench.declared({ ...size(1), branchId: secret(bench.branchId) });
    await checked({}, declared);
    const { failures } = await plugin.check({ urn: urnOf("native", "second"), olds: {}, news: declared });
    expect(JSON.stringify(failures)).toMatch(/of branch \[redacted\]: resource .* both declare it/);
    expect(JSON.stringify(failures)).not.toContain(bench.branchId);
  });
});

describe("secrets", () => {
  const declaredWith = (token: string): Values => ({
    branchId: secret(bench.branchId),
    settings: { pgSettings: { work_mem: "4MB", "ext.token": secret(token) } },
  });

  it("stay marked in the inputs where they are declared, an unknown one as well", async () => {
    const declared = bench.declared({ ...declaredWith("t"), regionId: secret(unknownValue) });
    expect(await checked({}, declared)).toEqual(declared);
  });

  it("are marked at the same places of what a create, an update and a read store", async () => {
    const { id, inputs, properties } = await created(declaredWith("t1"));
    expect(properties).toMatchObject(declaredWith("t1"));
    expect(JSON.stringify(withoutMarks(properties))).toContain("t1");

    const news = await checked(inputs, bench.declared({ ...size(2), ...declaredWith("t2") }));
    const changed = await update(properties, news);
    expect(changed.properties).toMatchObject({ ...size(2), ...declaredWith("t2") });

    const seen = await plugin.read({ urn, id, properties: changed.properties, inputs: news });
    expect(seen.properties).toEqual(changed.properties);
    expect(seen.inputs).toEqual(news);
  });

  it("are marked in what a failed create and a failed update leave", async () => {
    bench.emulator.setTimeline({ endStatus: "failed", times: 1 });
    const failed = await keptOf(created(declaredWith("t1")));
    expect(failed.properties).toMatchObject(declaredWith("t1"));
    bench.emulator.connect(failed.id);
    bench.clock.advance(5_000);

    bench.emulator.setTimeline({ endStatus: "failed", times: 1 });
    const news = bench.declared({ ...size(2), ...declaredWith("t2") });
    const again = await keptOf(update(failed.properties, news));
    expect(again.properties).toMatchObject({ ...size(2), settings: declaredWith("t2")["settings"] });
    for (const { message, reasons } of [failed, again])
      expect([message, ...reasons].join()).not.toMatch(/t1|t2|first/);
  });

  it("are marked by the next read where one was declared without another change: nothing else writes it", async () => {
    const { id, inputs, properties } = await created({ settings: { pgSettings: { "ext.token": "t" } } });
    const marked = { settings: { pgSettings: { "ext.token": secret("t") } } };
    const news = await checked(inputs, { ...inputs, ...marked });
    expect(await plugin.diff({ urn, olds: properties, news })).toMatchObject({ changes: false });
    // The engine keeps the outputs of a step without a change, and has what only they mark.
    const old = { ...properties, branchId: secret(bench.branchId) };
    const seen = await plugin.read({ urn, id, properties: old, inputs: news });
    expect(seen.properties).toEqual({ ...old, ...marked });
    const again = await plugin.read({ urn, id, properties: seen.properties, inputs: news });
    expect(again.properties).toEqual(seen.properties);
  });

  it("stay so in the state where they are no longer declared, and the service keeps the value", async () => {
    const { inputs, properties } = await created({ suspendTimeoutSeconds: secret(600) });
    const { suspendTimeoutSeconds: _, ...news } = inputs;
    const { properties: foreseen } = await plugin.update({
      ...{ urn, olds: properties, news, preview: true, timeout: 0 },
    });
    const { properties: changed } = await update(properties, { ...news, ...size(2) });
    expect(foreseen["suspendTimeoutSeconds"]).toEqual(secret(600));
    expect(changed["suspendTimeoutSeconds"]).toEqual(secret(600));
    const open = { ...news, ...size(2), suspendTimeoutSeconds: 600 };
    const last = await update(changed, open);
    expect(last.properties["suspendTimeoutSeconds"]).toBe(600);
  });
});

describe("a state that the dynamic provider wrote", () => {
  it("is compared without a change, keeps its marks, and loses its hidden members with the next step", async () => {
    const made = await created({ branchId: secret(bench.branchId) });
    const hidden = { __provider: "text", __urn: urnOf("dynamic", "db"), __secrets: ["branchId"] };
    const [inputs, properties] = [made.inputs, made.properties].map((values) => ({ ...values, ...hidden }));
    const next = await checked(inputs!, made.inputs);
    expect(next).toEqual(made.inputs);
    expect(await plugin.diff({ urn, olds: properties!, news: next })).toMatchObject({ changes: false });

    const seen = await plugin.read({ urn, id: made.id, properties: properties!, inputs: inputs! });
    const changed = await update(properties!, { ...next, ...size(2) });
    for (const stored of [seen.properties, changed.properties]) {
      expect(stored["branchId"]).toEqual(secret(bench.branchId));
      expect(stored).toMatchObject({ __urn: urn });
      expect(stored).not.toHaveProperty("__provider");
      expect(stored).not.toHaveProperty("__secrets");
    }
  });
});

describe("the option customTimeouts", () => {
  const after = async (call: Promise<unknown>): Promise<number> => {
    const startMs = bench.clock.monotonicMs();
    await call.catch(() => undefined);
    return Math.round((bench.clock.monotonicMs() - startMs) / 1_000);
  };

  it("is heard where the argument says nothing, and leaves no trace in the state", async () => {
    bench.emulator.setTimeline({ stuck: "running", times: 1 });
    const failed = keptOf(createWith(plugin, bench.declared(size(1)), { timeout: 7 }));
    expect(await after(failed)).toBe(7);
    const { message, properties } = await failed;
    expect(message).toMatch(/ was still running after 7 s\. /);
    expect(properties).not.toHaveProperty("timeouts");

    const asked = { urn, olds: properties, preview: false };
    const declared = bench.declared(size(1));
    expect(await after(plugin.update({ ...asked, news: declared, timeout: 9 }))).toBe(9);
    // What its message advises helps: the argument wins.
    const longer = { ...declared, timeouts: { update: 60 } };
    expect(await after(plugin.update({ ...asked, news: longer, timeout: 9 }))).toBe(60);
  });

  it("is heard in a deletion", async () => {
    const { properties } = await created();
    bench.emulator.addFault({ kind: "status", status: 423, method: "DELETE", times: 1_000 });
    bench.emulator.setTimeline({ stuck: "running", times: 1 });
    bench.emulator.suspendEndpoint(String(properties["endpointId"]));
    const seconds = await after(plugin.delete({ urn, properties, timeout: 5 }));
    expect(seconds).toBeGreaterThanOrEqual(4);
    expect(seconds).toBeLessThanOrEqual(10);
  });
});
