/**
 * The plugin's handlers where a test has to say what the engine has passed: what an earlier run, or the other variant,
 * has left. Each call that opens a plugin is a process of its own.
 */
import type { PluginHandlers } from "../../../../../provider/host/plugin/handlers";
import { urnOf } from "../../../../support/variants";
import { bench, checked, openForEachTest, plugin, urn, type Values } from "./bench";

openForEachTest();

const dynamicUrn = urnOf("dynamic", "db");
const replica = (): Values => bench.declared({ type: "read_only" });

const adoptable = (): string => {
  const body = { branch_id: bench.branchId, type: "read_only" };
  const { id } = bench.emulator.createEndpoint(bench.projectId, body).endpoint;
  bench.clock.advance(5_000);
  return id;
};

describe("a compute that a stack of an organisation adopted with the dynamic provider", () => {
  it.each([
    { reason: "in the run that moves", refreshes: false },
    { reason: "in a later run", refreshes: true },
  ])("is the same resource's behind the plugin, and deleted with it $reason", async ({ refreshes }) => {
    const adopt = adoptable();
    const declared = { ...replica(), adopt };
    const hidden = { __urn: dynamicUrn, __organization: "acme" };
    const { id, outs } = await bench.process().create({ ...declared, ...hidden });
    let properties: Values = outs;
    await checked({ ...declared, ...hidden }, declared);
    expect((await plugin.diff({ urn, olds: properties, news: declared })).changes).toBe(false);
    if (refreshes) ({ properties } = await bench.plugin().read({ urn, id, properties, inputs: declared }));
    await bench.plugin().delete({ urn, properties, timeout: 0 });
    expect(bench.said.filter((text) => text.includes("not deleted"))).toEqual([]);
    expect(bench.computes()).toEqual([]);
  });
});

describe("a create whose answer never reached the state", () => {
  it("is found where the stack has moved to the plugin since", async () => {
    const { id: left } = await bench.process().create({ ...replica(), __urn: dynamicUrn });
    const { id } = await plugin.create({ urn, properties: replica(), preview: false, timeout: 0 });
    expect(id).toBe(left);
    expect(bench.computes()).toEqual([left]);
  });
});

describe("a compute that was only read by its id", () => {
  it("is taken over by the resource of that name: nothing of it is replaced", async () => {
    const adopt = adoptable();
    const lookup = { projectId: bench.projectId };
    const found = await plugin.read({ urn, id: adopt, properties: lookup, inputs: lookup });
    const run = bench.plugin();
    await run.read({ urn, ...found });
    const inputs = await checked({}, { ...replica(), adopt }, run);
    expect(inputs["interruption"]).toBeUndefined();
    expect((await run.create({ urn, properties: inputs, preview: false, timeout: 0 })).id).toBe(adopt);
  });
});

describe("a key that is another one since the last run", () => {
  it("is told with the way on: without a program, the engine takes the old one from the state", async () => {
    const inputs = replica();
    const { id, properties } = await plugin.create({ urn, properties: inputs, preview: false, timeout: 0 });
    const old = bench.plugin({ apiKey: "revoked" });
    const advice =
      /answered 401.*still takes the old one from the state: run `pulumi up --refresh --run-program`/;
    await expect(old.read({ urn, id, properties, inputs })).rejects.toThrow(advice);
    await expect(old.delete({ urn, properties, timeout: 0 })).rejects.toThrow(advice);
  });
});

describe("a replacement that an option of the resource asks for", () => {
  const changed = { suspendTimeoutSeconds: 600 };
  const notice =
    "replace: by force (--replace, taint or an option), which makes a new compute and deletes this one";

  /** As the engine goes: a check and a diff of the change, then a check of the new side alone. */
  async function replace(more: Values): ReturnType<PluginHandlers["check"]> {
    const olds = replica();
    const { properties } = await plugin.create({ urn, properties: olds, preview: false, timeout: 0 });
    const run = bench.plugin();
    const news = { ...olds, ...changed, ...more };
    await run.check({ urn, olds, news });
    expect((await run.diff({ urn, olds: properties, news })).replaces).toEqual([]);
    return run.check({ urn, olds: {}, news });
  }

  it("has its notice, in the diff, on the row and for the report", async () => {
    const { inputs } = await replace({});
    expect(inputs["interruption"]).toContain(notice);
    expect(inputs["__verdict"]).toMatchObject({ effect: "replace", certain: true });
    expect(bench.said.join("\n")).toContain(
      `warning: ${notice}; its host goes away and open connections drop (`,
    );
  });

  it("is forbidden where interruptions are", async () => {
    const { failures } = await replace({ onInterruption: "forbid" });
    expect(failures).toMatchObject([{ property: "onInterruption" }]);
    expect(failures[0]?.reason).toContain(notice);
  });
});
