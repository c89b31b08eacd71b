/**
 * What a preview knows of outputs, so that resources that use them stay quiet: the engine asks a plugin alone.
 */
import { unknownValue } from "../../../../../provider/model/unknown";
import { markSecret } from "../../../../../provider/host/plugin/propertyValues";
import { size } from "../../lifecycle/bench";
import { bench, checked, created, madeByHand, plugin, update, urn, type Values } from "./bench";

describe("a preview", () => {
  it("of a create knows what was declared and nothing else, and sends nothing", async () => {
    const inputs = await checked({}, bench.declared({ ...size(1), branchId: markSecret(bench.branchId) }));
    bench.takeRoutes();
    const { id, properties } = await plugin.create({ urn, properties: inputs, preview: true, timeout: 0 });
    expect(id).toBe("");
    expect(properties).toMatchObject(inputs);
    for (const name of ["endpointId", "host", "proxyHost", "createdAt", "suspendTimeoutSeconds"])
      expect([name, properties[name]]).toEqual([name, unknownValue]);
    // A map: nobody could read a member of it.
    expect(properties).not.toHaveProperty("settings");
    expect(bench.takeRoutes()).toEqual([]);
    expect(bench.computes()).toEqual([]);
  });

  it("of an update keeps the host, the id and all that only the service decides, and sends nothing", async () => {
    const { inputs, properties } = await created();
    const news = await checked(inputs, { ...inputs, ...size(2), branchId: unknownValue });
    bench.takeRoutes();
    const foreseen = await plugin.update({ urn, olds: properties, news, preview: true, timeout: 0 });
    const { host, endpointId, createdAt } = properties;
    expect(host).toMatch(/./);
    expect(foreseen.properties).toMatchObject({ host, endpointId, createdAt });
    expect(foreseen.properties).toMatchObject({ ...size(2), branchId: unknownValue });
    expect(foreseen.properties).not.toHaveProperty("interruption");
    expect(bench.takeRoutes()).toEqual([]);
  });

  it.each([
    ["a size", {}, size(2)],
    ["a policy that is left out", { onInterruption: "forbid" }, {}],
    ["timeouts that are left out", { timeouts: { update: 9 } }, {}],
    [
      "settings",
      { settings: { pgSettings: { jit: "off", work_mem: "4MB" } } },
      { settings: { pgSettings: { jit: "on" } } },
    ],
    ["settings that are left out", { settings: { pgSettings: { jit: "off" } } }, size(2)],
    ["autosuspend that is left out", { suspendTimeoutSeconds: 600 }, size(2)],
    ["disabling", {}, { disabled: true }],
  ])("of an update foresees what the update then stores: %s", async (_reason, before, after) => {
    const { inputs, properties } = await created(before);
    const news = await checked(inputs, bench.declared({ ...size(1), ...after }));
    const [foreseen, stored] = [
      await plugin.update({ urn, olds: properties, news, preview: true, timeout: 0 }),
      await update(properties, news),
    ];
    const shown = (values: Values): Values =>
      Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith("__")));
    expect(shown(foreseen.properties)).toEqual(shown(stored.properties));
  });
});

describe("the preview of an adoption whose policy a policy pack has set after its check", () => {
  const create = (properties: Values, preview: boolean): ReturnType<typeof plugin.create> =>
    plugin.create({ urn, properties, preview, timeout: 0 });

  it("is refused as the update would be, where the adoption interrupts", async () => {
    const adopt = madeByHand();
    bench.emulator.connect(adopt);
    const declared = { ...bench.declared({ type: "read_only", ...size(2) }), adopt };
    const inputs = await checked({}, declared);
    const forbidden = { ...inputs, onInterruption: "forbid" };
    await expect(create(forbidden, true)).rejects.toThrow("This is forbidden here");
    await expect(create(forbidden, false)).rejects.toThrow("This is forbidden here");
    await expect(create(inputs, true)).resolves.toMatchObject({ id: "" });
    expect(bench.live(adopt).autoscaling_limit_max_cu).not.toBe(2);
  });

  it("asks the service for no other create", async () => {
    const inputs = await checked({}, bench.declared());
    bench.takeRoutes();
    await create(inputs, true);
    expect(bench.takeRoutes()).toEqual([]);
  });
});
