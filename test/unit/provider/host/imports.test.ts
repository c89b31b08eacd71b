/** `pulumi import`, the option `import` and `Endpoint.get`: the engine passes an id and little else. */
import type { PluginHandlers } from "../../../../provider/host/plugin/handlers";
import { urnOf } from "../../../support/variants";
import { argumentsOf } from "../../../support/wireArguments";
import { bed, checked, destroy, exportOf, plugin, secret, size, update, urn, type Values } from "./bed";

const match = (pattern: RegExp): string => expect.stringMatching(pattern) as string;

describe("an import", () => {
  const importOf = (id: string): ReturnType<PluginHandlers["read"]> =>
    plugin.read({ urn, id, properties: {}, inputs: {} });
  const imported = (id: string): ReturnType<PluginHandlers["read"]> => importOf(`${bed.projectId}/${id}`);

  it("declares everything that the service answers: the generated program changes nothing", async () => {
    const id = bed.byHand({
      ...{ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2 },
      settings: { pg_settings: { work_mem: "4MB" } },
    });
    const { inputs, properties } = await imported(id);
    // Postgres settings stay undeclared: the service manages them.
    const answered = { ...argumentsOf(bed.emulator.endpoint(id).endpoint), type: "read_only" };
    expect(inputs).toEqual({ ...answered, autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 2 });
    expect(properties).toMatchObject({ ...inputs, endpointId: id, __urn: urn });
    expect(await checked(inputs, inputs)).toEqual(inputs);
    const diff = await plugin.diff({ urn, olds: properties, news: inputs });
    expect(diff).toMatchObject({ changes: false, detailed: {} });
    expect(bed.said).toEqual([]);
    // After the import, a read takes only the id, and a destroy deletes the compute.
    expect(await plugin.read({ urn, id, properties, inputs })).toEqual({ id, properties, inputs });
    await update(properties, { ...inputs, ...size(2) });
    expect(bed.emulator.endpoint(id).endpoint.settings).toEqual({ pg_settings: { work_mem: "4MB" } });
    await destroy(properties, bed.plugin());
    expect(bed.computes()).toEqual([]);
  });

  it("leaves out arguments that have no effect with Neon, and does not change them", async () => {
    const id = bed.byHand({ pooler_enabled: true });
    const ofNeon = bed.plugin({ service: "neon" });
    const read = { urn, id: `${bed.projectId}/${id}`, properties: {}, inputs: {} };
    const { inputs, properties } = await ofNeon.read(read);
    const ineffective = ["poolerEnabled", "poolerMode", "passwordlessAccess"];
    const all = argumentsOf(bed.emulator.endpoint(id).endpoint);
    expect(Object.keys(inputs).sort()).toEqual(
      Object.keys({ ...all, type: "" })
        .filter((name) => !ineffective.includes(name))
        .sort(),
    );
    expect(properties).toMatchObject({ poolerEnabled: true });
    expect(await ofNeon.diff({ urn, olds: properties, news: inputs })).toMatchObject({ changes: false });
  });

  it.each<[reason: string, wire: Values, name: string, isDeclared: boolean]>([
    ["an unknown mode", { pooler_mode: "session" }, "poolerMode", false],
    ["a delay that is too short", { suspend_timeout_seconds: 5 }, "suspendTimeoutSeconds", false],
    ["an unlisted size, which is kept", { autoscaling_limit_max_cu: 2.5 }, "autoscalingLimitMaxCu", true],
  ])("declares only values that a program can declare: %s", async (...[, wire, name, isDeclared]) => {
    const id = bed.byHand();
    const body = { endpoints: [{ ...bed.emulator.endpoint(id).endpoint, ...wire }] };
    bed.emulator.addFault({ kind: "wrongShape", route: "listEndpoints", times: 1, body });
    const { inputs, properties } = await imported(id);
    expect(properties[name]).toBe(Object.values(wire)[0]);
    expect(name in inputs).toBe(isDeclared);
    expect(await checked(inputs, inputs)).toEqual(inputs);
    expect(await plugin.diff({ urn, olds: properties, news: inputs })).toMatchObject({ changes: false });
  });

  it.each<readonly [id: string, message: string]>([
    [
      "ep-cool-name-1",
      "importing compute ep-cool-name-1: the id does not include the project. Include the project: " +
        '`pulumi import compute:index:Endpoint NAME PROJECT/ep-cool-name-1`, or the option import: "PROJECT/ep-cool-name-1".',
    ],
    ...["PROJECT/ep-a/extra", "PROJECT/", "/ep-a", "a/b/ep-c"].map(
      (id) => [id, "the id does not have the form PROJECT/ep-…. Name the project"] as const,
    ),
  ])("refuses the id %s for its form, and sends nothing", async (id, message) => {
    await expect(importOf(id)).rejects.toThrow(message);
    expect(bed.takeRoutes()).toEqual([]);
  });

  it.each([
    [
      "db",
      "this resource already has that compute. Remove the option `import` from the resource: an import is done only once.",
    ],
    [
      "other",
      'resource "other" of this stack already manages it. Nothing was changed.\n- If this is "other" under a new name: add the option aliases',
    ],
  ])('is refused if the state says that resource "%s" has the compute', async (name, says) => {
    const id = bed.byHand();
    bed.told.exported = exportOf({ [urnOf("native", name)]: id });
    await expect(imported(id)).rejects.toThrow(`importing compute ${id}: ${says}`);
  });

  it("protects its compute from a deletion in the same run, since the import may replace a resource with the same compute", async () => {
    const id = bed.byHand();
    const { properties } = await imported(id);
    await destroy(properties);
    expect(bed.computes()).toEqual([id]);
    expect(bed.said).toEqual([
      match(
        /^warning: Compute ep-\S+ is not deleted: this resource took it over again \(because of its line with adopt, its/,
      ),
    ]);
  });

  it("restarts nothing for triggers that the program already has, and stores them", async () => {
    const { inputs, properties } = await imported(bed.byHand());
    const news = { ...inputs, restartTriggers: { release: 1 } };
    expect(await checked(inputs, news)).toEqual(news);
    const diff = await plugin.diff({ urn, olds: properties, news });
    expect(diff).toMatchObject({ changes: true, detailed: { restartTriggers: { kind: "add" } } });
    const { properties: kept } = await update(properties, news);
    expect([kept["restartTriggers"], bed.said, bed.takeWrites()]).toEqual([{ release: 1 }, [], []]);
    const later = { ...inputs, restartTriggers: { release: 2 } };
    const next = bed.plugin();
    await update(kept, await checked(news, later, next), next);
    expect(bed.takeWrites()).toEqual(["restartEndpoint"]);
  });
});

describe("a read of a compute outside the program", () => {
  it("declares what its caller passes, with marks of secrets, and a later adoption does not count as a replacement", async () => {
    const adopt = bed.byHand();
    const passed = { projectId: secret(bed.projectId) };
    const found = await plugin.read({ urn, id: adopt, properties: passed, inputs: passed });
    expect(found.inputs).toEqual(passed);
    expect(found.properties).toMatchObject({ ...passed, endpointId: adopt, branchId: bed.branchId });
    const run = bed.plugin();
    await run.read({ urn, ...found });
    const inputs = await checked(
      {},
      bed.declared({
        type: "read_only",
        autoscalingLimitMinCu: undefined,
        autoscalingLimitMaxCu: undefined,
        adopt,
      }),
      run,
    );
    expect(inputs["interruption"]).toBeUndefined();
    expect(await run.create({ urn, properties: inputs, preview: false, timeout: 0 })).toMatchObject({
      id: adopt,
    });
  });
});

describe("`pulumi do`, which has no state", () => {
  it("deletes by an id that also names the project", async () => {
    const id = bed.byHand();
    const deleting = (named: string): Promise<void> =>
      plugin.delete({ urn, id: named, properties: {}, timeout: 0 });
    await expect(deleting(id)).rejects.toThrow(`delete PROJECT/${id}`);
    await expect(deleting(`a/b/${id}`)).rejects.toThrow("not have the form PROJECT/ep-…");
    await deleting(`${bed.projectId}/${id}`);
    expect(bed.computes()).toEqual([]);
  });
});
