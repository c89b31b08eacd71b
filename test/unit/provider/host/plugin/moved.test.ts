/**
 * The plugin's handlers where a test has to say what the engine has passed: what an earlier run, or the other variant,
 * has left. Each call that opens a plugin is a process of its own.
 */
import { urnOf } from "../../../../support/variants";
import { bench, checked, create, destroy, madeByHand, plugin, urn, type Values } from "./bench";

const dynamicUrn = urnOf("dynamic", "db");
const replica = (): Values => bench.declared({ type: "read_only" });

describe("a compute that a stack of an organisation adopted with the dynamic provider", () => {
  it.each([
    { reason: "in the run that moves", refreshes: false },
    { reason: "in a later run", refreshes: true },
  ])("is the same resource's behind the plugin, and deleted with it $reason", async ({ refreshes }) => {
    const adopt = madeByHand();
    const declared = { ...replica(), adopt };
    const hidden = { __urn: dynamicUrn, __organization: "acme" };
    const { id, outs } = await bench.process().create({ ...declared, ...hidden });
    let properties: Values = outs;
    await checked({ ...declared, ...hidden }, declared);
    expect((await plugin.diff({ urn, olds: properties, news: declared })).changes).toBe(false);
    if (refreshes) ({ properties } = await bench.plugin().read({ urn, id, properties, inputs: declared }));
    await destroy(properties, bench.plugin());
    expect(bench.said.filter((text) => text.includes("not deleted"))).toEqual([]);
    expect(bench.computes()).toEqual([]);
  });
});

describe("a compute that was only read by its id", () => {
  it("is taken over by the resource of that name: nothing of it is replaced", async () => {
    const adopt = madeByHand();
    const lookup = { projectId: bench.projectId };
    const found = await plugin.read({ urn, id: adopt, properties: lookup, inputs: lookup });
    const run = bench.plugin();
    await run.read({ urn, ...found });
    const inputs = await checked({}, { ...replica(), adopt }, run);
    expect(inputs["interruption"]).toBeUndefined();
    expect((await create(inputs, run)).id).toBe(adopt);
  });
});

describe("a key that is another one since the last run", () => {
  it("is told with the way on: without a program, the engine takes the old one from the state", async () => {
    const inputs = replica();
    const { id, properties } = await create(inputs);
    const old = bench.plugin({ apiKey: "revoked" });
    const advice =
      /answered 401.*still takes the old one from the state: run `pulumi up --refresh --run-program`/;
    await expect(old.read({ urn, id, properties, inputs })).rejects.toThrow(advice);
    await expect(destroy(properties, old)).rejects.toThrow(advice);
  });
});

describe("a replacement that an option of the resource asks for", () => {
  const notice =
    "replace: by force (--replace, taint or an option), which makes a new compute and deletes this one";

  it("has its notice, in the diff, on the row and for the report", async () => {
    const olds = replica();
    const { properties } = await create(olds);
    const run = bench.plugin();
    const news = { ...olds, suspendTimeoutSeconds: 600 };
    // As the engine goes: a check and a diff of the change, then a check of the new side alone.
    await run.check({ urn, olds, news });
    expect((await run.diff({ urn, olds: properties, news })).replaces).toEqual([]);
    const inputs = await checked({}, news, run);
    expect(inputs["interruption"]).toContain(notice);
    expect(inputs["__verdict"]).toMatchObject({ effect: "replace", certain: true });
    expect(bench.said.join("\n")).toContain(
      `warning: ${notice}; its host goes away and open connections drop (`,
    );
  });
});
