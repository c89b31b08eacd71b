/**
 * The diff of a plugin: what changes by its property path, what the report is told, and what a read before it changes.
 */
import { unknownValue } from "../../../../../provider/model/unknown";
import type { PluginHandlers } from "../../../../../provider/host/plugin/handlers";
import { verdictInReasons } from "../../../../../provider/model/stored";
import { deleteByHand } from "../../../../support/byHand";
import { size } from "../../lifecycle/bench";
import { bench, checked, created, createWith, plugin, update, urn, type Made, type Values } from "./bench";

describe("a diff", () => {
  const diffOf = async (
    before: Values,
    after: Values,
  ): Promise<Awaited<ReturnType<PluginHandlers["diff"]>>> => {
    const { inputs, properties } = await created(before);
    const { autoscalingLimitMinCu: _, autoscalingLimitMaxCu: __, ...rest } = inputs;
    const kept = Object.fromEntries(Object.entries(rest).filter(([name]) => !(name in before)));
    const news = await checked(inputs, { ...size(1), ...kept, ...after });
    return plugin.diff({ urn, olds: properties, news });
  };
  const added = { kind: "add", replaces: false };
  const updated = { kind: "update", replaces: false };
  const deleted = { kind: "delete", replaces: false };

  it.each([
    { reason: "nothing", before: {}, after: {}, paths: {} },
    {
      reason: "a size",
      before: {},
      after: size(2),
      paths: { autoscalingLimitMinCu: updated, autoscalingLimitMaxCu: updated, interruption: added },
    },
    {
      reason: "a policy that is left out",
      before: { onInterruption: "forbid" },
      after: {},
      paths: { onInterruption: deleted },
    },
    {
      reason: "a region",
      before: {},
      after: { regionId: "local-2" },
      paths: { regionId: { kind: "update", replaces: true }, interruption: added },
    },
    {
      reason: "one setting of several, one that is new, and one that is left out",
      before: { settings: { pgSettings: { work_mem: "4MB", jit: "off", "ext.old": "1" } } },
      after: { settings: { pgSettings: { work_mem: "8MB", jit: "off", "ext.new": "1" } } },
      paths: {
        "settings.pgSettings.work_mem": updated,
        'settings.pgSettings["ext.new"]': added,
        'settings.pgSettings["ext.old"]': deleted,
        interruption: added,
      },
    },
    {
      reason: "a setting that is left out, alone",
      before: { settings: { pgSettings: { jit: "off" } } },
      after: { settings: { pgSettings: {} } },
      paths: { "settings.pgSettings.jit": deleted, interruption: added },
    },
    {
      reason: "the first settings",
      before: {},
      after: { settings: { pgSettings: { jit: "off" } } },
      paths: { settings: added, interruption: added },
    },
    {
      reason: "settings that only the update will know",
      before: { settings: { pgSettings: { jit: "off" } } },
      after: { settings: unknownValue },
      paths: { settings: updated, interruption: added },
    },
  ])("names what changes by its path: $reason", async ({ before, after, paths }) => {
    const { changes, detailed } = await diffOf(before, after);
    expect(detailed).toEqual(paths);
    expect(changes).toBe(Object.keys(paths).length > 0);
  });

  it("gives the report its judgement among the reasons, with what is so now", async () => {
    const { verdict } = await diffOf({}, size(2));
    expect(verdictInReasons([verdict])).toMatchObject({ effect: "restart", certain: true, now: "active" });
  });

  it("of a refresh says nothing of what an earlier change interrupted, and nothing on the row", async () => {
    const { id, inputs, properties } = await created();
    const news = await checked(inputs, { ...inputs, ...size(2) });
    const changed = await update(properties, news);
    bench.emulator.updateEndpoint(id, { autoscaling_limit_max_cu: 4 });
    bench.clock.advance(5_000);
    bench.said.length = 0;

    const next = bench.plugin();
    const seen = await next.read({ urn, id, properties: changed.properties, inputs: news });
    // The text stays where it is: gone, it would be a change of its own.
    expect(seen.inputs["interruption"]).toBe(news["interruption"]);
    expect(seen.properties).not.toHaveProperty("interruption");
    const { changes, detailed, verdict } = await next.diff({ urn, olds: seen.properties, news });
    expect(changes).toBe(true);
    expect(detailed).toEqual({ autoscalingLimitMaxCu: { kind: "update", replaces: false } });
    expect(verdict).toBeUndefined();
    expect(bench.said).toEqual([]);
  });
});

describe("`pulumi up --replace`, which asks for no diff", () => {
  /** As the engine reads a compute first, where the state says so. */
  async function readFirst(more: Values = {}): Promise<Made & { next: PluginHandlers }> {
    const { id, inputs, properties } = await created(more);
    const next = bench.plugin();
    await next.read({ urn, id, properties, inputs });
    return { next, inputs, id, properties };
  }

  it("is known for a replacement by the read before it, and told on the row and in the inputs", async () => {
    const { next, inputs } = await readFirst();
    const { interruption } = await checked({}, inputs, next);
    expect(interruption).toMatch(/^replace: /);
    expect(bench.said).toEqual([expect.stringMatching(/^warning: replace: .*active now/)]);
  });

  it("writes nothing into the inputs that is different a moment later, so that a saved plan stays valid", async () => {
    const { next, inputs, id } = await readFirst();
    bench.emulator.connect(id);
    const first = await checked({}, inputs, next);
    bench.clock.advance(120_000);
    expect(await checked({}, inputs, next)).toEqual(first);
    expect(bench.said.join()).toContain("last access 2 min ago");
  });

  it("is not taken for one where a diff has asked for the replacement", async () => {
    const { next, inputs, properties } = await readFirst();
    const news = await checked(inputs, { ...inputs, type: "read_only" }, next);
    expect((await next.diff({ urn, olds: properties, news })).replaces).toEqual(["type"]);
    bench.said.length = 0;
    const again = await checked({}, { ...inputs, type: "read_only" }, next);
    expect(again["interruption"]).toMatch(/^replace: type /);
    expect(again).not.toHaveProperty("__verdict");
    expect(bench.said).toEqual([]);
  });

  it("is taken for one where the old inputs were checked and not compared, as with the option replaceWith", async () => {
    const { next, inputs } = await readFirst();
    await checked(inputs, inputs, next);
    const { interruption } = await checked({}, inputs, next);
    expect(interruption).toMatch(/^replace: by force /);
  });

  it("is not taken for one where the read has found nothing", async () => {
    const { id, inputs, properties } = await created();
    deleteByHand(bench, id);
    const next = bench.plugin();
    expect(await next.read({ urn, id, properties, inputs })).toMatchObject({ id: "" });
    expect(await checked({}, inputs, next)).toEqual(inputs);
    expect(bench.said).toEqual([]);
  });

  it("is refused where the policy forbids interruptions", async () => {
    const { next, inputs } = await readFirst({ onInterruption: "forbid" });
    const { failures } = await next.check({ urn, olds: {}, news: inputs });
    expect(failures).toMatchObject([
      { reason: expect.stringContaining('onInterruption is "forbid"') as string },
    ]);
  });

  it("is told of the compute that stays, not of a replaced one that is still to be deleted", async () => {
    const isStored = ({ properties, inputs }: Made): Promise<unknown> =>
      bench.plugin().diff({ urn, olds: properties, news: inputs });
    const old = await created();
    await isStored(old);
    const elsewhere = bench.declared({ ...size(2), branchId: bench.emptyBranch() });
    const now = await createWith(bench.plugin(), elsewhere);
    await isStored(now);
    bench.emulator.suspendEndpoint(old.id);
    bench.clock.advance(5_000);
    const next = bench.plugin();
    const both = [now, old].map(({ id, properties, inputs }) => next.read({ urn, id, properties, inputs }));
    await Promise.all(both);
    const news = await checked(now.inputs, { ...now.inputs, ...size(4) }, next);
    const { verdict } = await next.diff({ urn, olds: now.properties, news });
    expect(verdictInReasons([verdict])).toMatchObject({ effect: "restart" });
    expect(verdictInReasons([verdict])?.now).not.toBe("idle");
    expect(bench.said.join()).not.toContain("idle now");
  });
});

describe("an empty state", () => {
  const wayOut =
    "reading the state: it names no compute. Remove the resource from the state with `pulumi state delete`";

  it.each(["diff", "update"] as const)("is named by %s, with the way out", async (call) => {
    const request = { urn, olds: {}, news: bench.declared(size(1)), preview: false, timeout: 0 };
    await expect(plugin[call](request)).rejects.toThrow(wayOut);
  });

  it("is named by delete too, if it has a project alone: nothing is sent", async () => {
    const { projectId } = bench;
    const deleted = plugin.delete({ urn, id: "ep-any", properties: { projectId }, timeout: 0 });
    await expect(deleted).rejects.toThrow(wayOut);
    expect(bench.takeRoutes()).toEqual([]);
  });
});
