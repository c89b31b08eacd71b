/**
 * `pulumi import` and the option `import`, which the plugin alone has: the engine passes an id and nothing else.
 */
import { markSecret } from "../../../../../provider/host/plugin/propertyValues";
import type { PluginHandlers } from "../../../../../provider/host/plugin/handlers";
import { argumentsOf } from "../../../../support/wireArguments";
import { urnOf } from "../../../../support/variants";
import { size } from "../../lifecycle/bench";
import { exportOf } from "../../lifecycle/killed";
import { bench, created, destroy, madeByHand, plugin, update, urn } from "./bench";

const importOf = (id: string, by = plugin): ReturnType<PluginHandlers["read"]> =>
  by.read({ urn, id, properties: {}, inputs: {} });

/** The service knows values that this version does not. */
function answerWith(id: string, wire: Readonly<Record<string, unknown>>): void {
  const body = { endpoints: [{ ...bench.emulator.endpoint(id).endpoint, ...wire }] };
  bench.emulator.addFault({ kind: "wrongShape", route: "listEndpoints", times: 1, body });
}

describe("an import", () => {
  it("declares all that the service answers, so that the program it writes changes nothing", async () => {
    const id = madeByHand({ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2 });
    const { inputs, properties, ...found } = await importOf(`${bench.projectId}/${id}`);
    expect(found.id).toBe(id);
    const answered = { ...argumentsOf(bench.emulator.endpoint(id).endpoint), type: "read_only" };
    expect(inputs).toEqual({ ...answered, autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 2 });
    expect(properties).toMatchObject({ ...inputs, endpointId: id, __urn: urn });

    const checked = await plugin.check({ urn, olds: inputs, news: inputs });
    expect(checked).toEqual({ inputs, failures: [] });
    expect(await plugin.diff({ urn, olds: properties, news: checked.inputs })).toMatchObject({
      changes: false,
      detailed: {},
    });
    expect(bench.said).toEqual([]);
  });

  it("leaves the service's own Postgres settings to it", async () => {
    const id = madeByHand({ settings: { pg_settings: { work_mem: "4MB" } } });
    const { inputs, properties } = await importOf(`${bench.projectId}/${id}`);
    expect([inputs["settings"], properties["settings"]]).toEqual([undefined, undefined]);
    await update(properties, { ...inputs, ...size(2) });
    expect(bench.emulator.endpoint(id).endpoint.settings).toEqual({ pg_settings: { work_mem: "4MB" } });
  });

  it.each([
    { what: "a mode that nobody knows", wire: { pooler_mode: "session" }, name: "poolerMode" },
    { what: "a time that is too short", wire: { suspend_timeout_seconds: 5 }, name: "suspendTimeoutSeconds" },
  ])("does not declare what a program could not: $what", async ({ wire, name }) => {
    const id = madeByHand();
    answerWith(id, wire);
    const { inputs, properties } = await importOf(`${bench.projectId}/${id}`);
    expect(inputs).not.toHaveProperty(name);
    expect(properties[name]).toBe(Object.values(wire)[0]);
    const checked = await plugin.check({ urn, olds: inputs, news: inputs });
    expect(checked).toMatchObject({ inputs, failures: [] });
    expect(await plugin.diff({ urn, olds: properties, news: inputs })).toMatchObject({ changes: false });
  });

  it("declares a size that is not on the list: one that stays as it is passes", async () => {
    const id = madeByHand();
    answerWith(id, { autoscaling_limit_max_cu: 2.5 });
    const { inputs } = await importOf(`${bench.projectId}/${id}`);
    expect(inputs).toMatchObject({ autoscalingLimitMaxCu: 2.5 });
    expect(await plugin.check({ urn, olds: inputs, news: inputs })).toMatchObject({ inputs, failures: [] });
  });

  it("asks for the project where the id alone is given, and sends nothing", async () => {
    await expect(importOf("ep-cool-name-1")).rejects.toThrow(
      "importing compute ep-cool-name-1: its project is not known. Name the project as well: " +
        '`pulumi import compute:index:Endpoint NAME PROJECT/ep-cool-name-1`, or import: "PROJECT/ep-cool-name-1".',
    );
    expect(bench.takeRoutes()).toEqual([]);
  });

  it.each(["PROJECT/ep-a/extra", "PROJECT/", "/ep-a", "a/b/ep-c"])(
    "refuses the id %s by its form",
    async (id) => {
      await expect(importOf(id)).rejects.toThrow("its id is not of the form PROJECT/ep-…. Name the project");
      expect(bench.takeRoutes()).toEqual([]);
    },
  );

  it("is refused where the project has no such compute", async () => {
    const none = `${bench.projectId}/ep-of-nobody-1`;
    await expect(importOf(none)).rejects.toThrow(
      /^reading compute ep-of-nobody-1: project \S+ has no such compute\. Correct/,
    );
  });

  it("is the resource's own from then on: a read goes by the id alone, and a destroy deletes it", async () => {
    const id = madeByHand();
    const { properties, inputs } = await importOf(`${bench.projectId}/${id}`);
    const seen = await plugin.read({ urn, id, properties, inputs });
    expect(seen).toEqual({ id, properties, inputs });
    await destroy(properties, bench.plugin());
    expect(bench.computes()).toEqual([]);
  });
});

describe("an import of what the resource has already", () => {
  it.each([
    {
      reason: "this resource has it: its original would be itself",
      holder: urn,
      says: "this resource has it already. Remove the option `import` from it: an import is done once.",
    },
    {
      reason: "another one has it",
      holder: urnOf("native", "other"),
      says: 'resource "other" of this stack has it in its state. If this is that resource under another name',
    },
  ])("is refused where the state says that $reason", async ({ holder, says }) => {
    const id = madeByHand();
    bench.backend.exported = exportOf({ held: { [holder]: id } });
    await expect(importOf(`${bench.projectId}/${id}`)).rejects.toThrow(`importing compute ${id}: ${says}`);
  });

  it("deletes nothing where the backend could not be asked, and says so", async () => {
    const id = madeByHand();
    const { properties } = await importOf(`${bench.projectId}/${id}`);
    await destroy(properties);
    expect(bench.computes()).toEqual([id]);
    expect(bench.said).toEqual([
      expect.stringMatching(
        /^warning: Compute ep-\S+ is not deleted: this resource has it again, because of its line adopt, its option import/,
      ),
    ]);
  });
});

describe("`Endpoint.get`", () => {
  it("reads what its caller passes, marks included, and declares the project alone", async () => {
    const id = madeByHand();
    const passed = { projectId: markSecret(bench.projectId) };
    const { properties, inputs } = await plugin.read({ urn, id, properties: passed, inputs: {} });
    expect(inputs).toEqual(passed);
    expect(properties).toMatchObject({ ...passed, endpointId: id, branchId: bench.branchId });
    // It is not the program's own: nothing that comes under its name later replaces it.
    const { inputs: next } = await plugin.check({ urn, olds: {}, news: bench.declared() });
    expect(next).not.toHaveProperty("interruption");
  });
});

it("reads what a create has made by the id that the engine has of it", async () => {
  const { id, properties, inputs } = await created();
  bench.clock.advance(5_000);
  expect(await plugin.read({ urn, id, properties, inputs })).toEqual({ id, properties, inputs });
  // What the program leaves to the service, a refresh does too.
  expect(inputs).not.toHaveProperty("regionId");
});
