import { bench, madeByHand, plugin, update, urn } from "../host/plugin/bench";

it("triggers restart nothing in the run that imports the compute, and are kept from then on", async () => {
  const id = madeByHand();
  const imported = await plugin.read({ urn, id: `${bench.projectId}/${id}`, properties: {}, inputs: {} });
  const declared = { ...imported.inputs, restartTriggers: { release: 1 } };
  const { inputs } = await plugin.check({ urn, olds: imported.inputs, news: declared });
  expect(inputs).toEqual(declared);
  const diff = await plugin.diff({ urn, olds: imported.properties, news: inputs });
  expect(diff).toMatchObject({ changes: true, detailed: { restartTriggers: { kind: "add" } } });
  const { properties } = await update(imported.properties, inputs);
  expect(properties["restartTriggers"]).toEqual({ release: 1 });
  expect(bench.said).toEqual([]);
  expect(bench.takeRoutes()).not.toContain("restartEndpoint");

  const next = bench.plugin();
  const news = { ...declared, restartTriggers: { release: 2 } };
  const checked = await next.check({ urn, olds: inputs, news });
  await update(properties, checked.inputs, next);
  expect(bench.takeRoutes()).toContain("restartEndpoint");
});
