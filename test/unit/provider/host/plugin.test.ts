/** What only the plugin has: diffs by property, previewed outputs, and marks of secrets. */
import { unknownValue } from "../../../../provider/model/unknown";
import { urnOf } from "../../../support/variants";
import {
  bed,
  checked,
  created,
  destroy,
  failureOf,
  keptOf,
  messageOf,
  plugin,
  secret,
  size,
  update,
  urn,
  type Values,
} from "./bed";

const match = (pattern: RegExp): string => expect.stringMatching(pattern) as string;
const pg = (pgSettings: Values): Values => ({ settings: { pgSettings } });
const reasonsOf = (error: unknown): string => (error as { reasons: string[] }).reasons.join();
const undeclared = (values: Values, name: string): Values => {
  const { [name]: _, ...others } = values;
  return others;
};

describe("a diff", () => {
  const [added, updated, deleted] = ["add", "update", "delete"].map((kind) => ({ kind, replaces: false }));
  const interruption = added;

  it.each<[reason: string, before: Values, after: Values, paths: Values]>([
    ["no change", {}, {}, {}],
    ["a region", {}, { regionId: "local-2" }, { regionId: { kind: "update", replaces: true }, interruption }],
    [
      "one setting of several, a new one, and one that is left out",
      pg({ work_mem: "4MB", jit: "off", "ext.old": "1" }),
      pg({ work_mem: "8MB", jit: "off", "ext.new": "1" }),
      {
        "settings.pgSettings.work_mem": updated,
        'settings.pgSettings["ext.new"]': added,
        'settings.pgSettings["ext.old"]': deleted,
        interruption,
      },
    ],
    ["the first settings", {}, pg({ jit: "off" }), { settings: added, interruption }],
    ["unknown settings", pg({ jit: "off" }), { settings: unknownValue }, { settings: updated, interruption }],
  ])("names each change by its path: %s", async (...[, before, after, paths]) => {
    const { inputs, properties } = await created(before);
    const news = await checked(
      inputs,
      bed.declared({ ...after, regionId: after["regionId"] ?? inputs["regionId"] }),
    );
    const { changes, detailed } = await plugin.diff({ urn, olds: properties, news });
    expect(detailed).toEqual(paths);
    expect(changes).toBe(Object.keys(paths).length > 0);
  });
});

it("a replacement forced by an option has its notice in the inputs, on the row and for the report", async () => {
  const { id, inputs, properties } = await created({ suspendTimeoutSeconds: 300 });
  const next = bed.plugin();
  // The engine's order: a read, a check and a diff of the change, then a check of only the new side.
  await next.read({ urn, id, properties, inputs });
  const news = { ...inputs, suspendTimeoutSeconds: 600 };
  await checked(inputs, news, next);
  expect((await next.diff({ urn, olds: properties, news })).replaces).toEqual([]);
  bed.emulator.connect(id);
  const again = await checked({}, news, next);
  const notice =
    "replace: a forced replacement (--replace, taint or an option) creates a new compute and deletes this one; the old host goes away and open connections drop";
  expect(again["interruption"]).toBe(notice);
  expect(again["__verdict"]).toMatchObject({ effect: "replace", certain: true });
  // The inputs are the same a moment later, so that a saved plan stays valid.
  bed.clock.advance(120_000);
  expect(await checked({}, news, next)).toEqual(again);
  expect(bed.said).toEqual([
    expect.stringContaining(`${notice} (compute active now`),
    expect.stringContaining("last access 2 min ago"),
  ]);
});

describe("secrets", () => {
  const withToken = (token: string): Values => ({
    branchId: secret(bed.branchId),
    ...pg({ work_mem: "4MB", "ext.token": secret(token) }),
  });

  it("are marked in the state that a failed create and a failed update leave, and appear in no reason", async () => {
    bed.emulator.setTimeline({ endStatus: "failed", times: 1 });
    const failed = await failureOf(created(withToken("t1")));
    const kept = keptOf(failed)!;
    expect(kept.properties).toMatchObject(withToken("t1"));
    bed.emulator.connect(kept.id);
    bed.clock.advance(5_000);
    bed.emulator.setTimeline({ endStatus: "failed", times: 1 });
    const again = await failureOf(update(kept.properties, bed.declared({ ...size(2), ...withToken("t2") })));
    expect(keptOf(again)?.properties).toMatchObject({ ...size(2), settings: withToken("t2")["settings"] });
    for (const error of [failed, again]) expect(reasonsOf(error)).not.toMatch(/t1|t2/);
  });

  it("are marked by the next read if only the mark was added: no other call writes the state", async () => {
    const { id, inputs, properties } = await created(pg({ "ext.token": "t" }));
    const marked = pg({ "ext.token": secret("t") });
    const news = await checked(inputs, { ...inputs, ...marked });
    expect(await plugin.diff({ urn, olds: properties, news })).toMatchObject({ changes: false });
    // The engine keeps the outputs of a step without a change, with marks that only these outputs have.
    const old = { ...properties, branchId: secret(bed.branchId) };
    const seen = await plugin.read({ urn, id, properties: old, inputs: news });
    expect(seen.properties).toEqual({ ...old, ...marked });
    const again = await plugin.read({ urn, id, properties: seen.properties, inputs: news });
    expect(again.properties).toEqual(seen.properties);
  });

  it("stay secret in the state when they are no longer declared, until they are declared in plain text", async () => {
    const { inputs, properties } = await created({ suspendTimeoutSeconds: secret(600) });
    const news = { ...undeclared(inputs, "suspendTimeoutSeconds"), ...size(2) };
    const foreseen = await plugin.update({ urn, olds: properties, news, preview: true, timeout: 0 });
    const changed = await update(properties, news);
    for (const { properties: outs } of [foreseen, changed])
      expect(outs["suspendTimeoutSeconds"]).toEqual(secret(600));
    const last = await update(changed.properties, { ...news, suspendTimeoutSeconds: 600 });
    expect(last.properties["suspendTimeoutSeconds"]).toBe(600);
  });

  it("appear in no notice of a change that declares them in plain text", async () => {
    const hidden = { autoscalingLimitMinCu: secret(1), autoscalingLimitMaxCu: secret(1) };
    const { inputs } = await created(hidden);
    const { interruption } = await checked(inputs, bed.declared(size(2)));
    expect(interruption).toBe("restart: size (secret) drops open connections");
  });

  it.each<[reason: string, settings: () => Values]>([
    ["the secret has another value", () => pg({ "ext.a": secret("t2"), "ext.b": secret("t1") })],
    ["the secret is left out", () => pg({ "ext.b": secret("t1") })],
    ["the secret is declared in plain text", () => pg({ "ext.a": "t2", "ext.b": secret("t1") })],
  ])(
    "are not kept in the state while a change is deferred, if nothing would mark them there: %s",
    async (_reason, settings) => {
      const defer = { onInterruption: "defer" };
      const { inputs, properties } = await created({
        ...defer,
        ...pg({ "ext.a": secret("t1"), "ext.b": secret("t1") }),
      });
      const news = await checked(inputs, bed.declared({ ...defer, ...settings() }));
      const message = await messageOf(plugin.diff({ urn, olds: properties, news }));
      expect(message).toBeUndefined();
      const { properties: kept } = await update(properties, news);
      expect({ settings: kept["settings"] }).toEqual(pg({ "ext.b": secret("t1") }));
      // The next run finds the difference again.
      const again = await plugin.diff({ urn, olds: kept, news: await checked(news, news) });
      expect(again.changes).toBe(true);
    },
  );

  it("appear in no refusal, whether of an argument or because of another resource", async () => {
    const declared = bed.declared({ branchId: secret(bed.branchId) });
    await checked({}, declared);
    const wrong = { ...declared, poolerMode: secret("hunter2") };
    const refused = await plugin.check({ urn, olds: declared, news: wrong });
    const second = await plugin.check({ urn: urnOf("native", "second"), olds: {}, news: declared });
    const reasons = [refused, second].map(({ failures }) => failures.map(({ reason }) => reason).join());
    expect(reasons).toEqual([
      match(/poolerMode/),
      match(/of branch \[redacted\]: resource .* both declare it/),
    ]);
    expect(reasons.join()).not.toMatch(new RegExp(`hunter2|${bed.branchId}`));
  });
});

describe("a preview", () => {
  it("of a create has only the declared values, and sends nothing", async () => {
    const inputs = await checked({}, bed.declared({ branchId: secret(bed.branchId) }));
    bed.takeRoutes();
    const { id, properties } = await plugin.create({ urn, properties: inputs, preview: true, timeout: 0 });
    expect([id, properties]).toEqual(["", expect.objectContaining(inputs)]);
    for (const name of ["endpointId", "host", "proxyHost", "createdAt", "suspendTimeoutSeconds"])
      expect([name, properties[name]]).toEqual([name, unknownValue]);
    // `settings` is left out: a program could not read a member of an unknown map.
    expect(properties).not.toHaveProperty("settings");
    expect(bed.takeRoutes()).toEqual([]);
  });

  it.each<[reason: string, before: Values, after: Values]>([
    ["settings are left out", pg({ jit: "off" }), size(2)],
    ["disabling", {}, { disabled: true }],
  ])(
    "of an update shows what the update then stores, and sends nothing: %s",
    async (...[, before, after]) => {
      const { inputs, properties } = await created(before);
      const news = await checked(inputs, bed.declared(after));
      bed.takeRoutes();
      const foreseen = await plugin.update({ urn, olds: properties, news, preview: true, timeout: 0 });
      expect(bed.takeRoutes()).toEqual([]);
      const stored = await update(properties, news);
      const [shown, is] = [foreseen, stored].map(({ properties: outs }) =>
        Object.entries(outs).filter(([name]) => !name.startsWith("__")),
      );
      expect(Object.fromEntries(shown!)).toEqual(Object.fromEntries(is!));
    },
  );

  it("refuses an adoption if a policy pack set onInterruption after the check, as the update does", async () => {
    const adopt = bed.byHand();
    bed.emulator.connect(adopt);
    const inputs = await checked({}, bed.declared({ type: "read_only", ...size(2), adopt }));
    const create = (properties: Values, preview: boolean): Promise<unknown> =>
      plugin.create({ urn, properties, preview, timeout: 0 });
    const forbidden = { ...inputs, onInterruption: "forbid" };
    for (const preview of [true, false])
      await expect(create(forbidden, preview)).rejects.toThrow("This is forbidden here");
    await expect(create(inputs, true)).resolves.toMatchObject({ id: "" });
    expect(bed.takeWrites()).toEqual([]);
  });
});

it("the error for a key that was replaced since the last run says what to do", async () => {
  const { id, inputs, properties } = await created();
  const old = bed.plugin({ apiKey: "revoked" });
  const advice =
    /answered 401.*still uses the old value from the state: run `pulumi up --refresh --run-program`/;
  await expect(old.read({ urn, id, properties, inputs })).rejects.toThrow(advice);
  await expect(destroy(properties, old)).rejects.toThrow(advice);
});
