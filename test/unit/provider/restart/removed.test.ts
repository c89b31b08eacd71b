/** The resource EndpointRestart of earlier versions, in states and in programs in other languages. */
import { bench, plugin } from "../host/plugin/bench";

const told = expect.stringContaining(
  'EndpointRestart is an argument now: remove the resource, and put its triggers into the argument restartTriggers of the Endpoint, for example restartTriggers: { release: "2026-48" }',
) as string;
const restartOf = (type: string): string => `urn:pulumi:dev::app::group$${type}::weekly`;
const values = { projectId: "p", endpointId: "ep-a", triggers: { release: 1 } };

it("is read and deleted by the plugin without a request, and declared with an error", async () => {
  const urn = restartOf("compute:index:EndpointRestart");
  const held = { urn, id: "restart-weekly", properties: values };
  expect(await plugin.read({ ...held, inputs: values })).toMatchObject({ id: held.id, properties: values });
  expect(await plugin.diff({ urn, olds: values, news: values })).toMatchObject({ changes: false });
  await plugin.delete({ ...held, timeout: 0 });
  const { failures } = await plugin.check({ urn, olds: {}, news: values });
  expect(failures).toEqual([{ property: "", reason: told }]);
  const made = { urn, properties: values, preview: false, timeout: 0 };
  await expect(plugin.create(made)).rejects.toThrow("there is no such resource any more");
  expect(bench.takeRoutes()).toEqual([]);
});

it("is read and deleted by the dynamic provider without a request, and declared with an error", async () => {
  const { handlers } = bench.process();
  const props = { ...values, __urn: restartOf("pulumi-nodejs:dynamic/compute:EndpointRestart") };
  expect(await handlers.read("restart-weekly", props)).toEqual({ id: "restart-weekly", props });
  expect(await handlers.diff("restart-weekly", props, props)).toMatchObject({ changes: false });
  await handlers.delete("restart-weekly", props);
  const { failures } = await handlers.check({}, props);
  expect(failures).toEqual([{ property: "", reason: told }]);
  await expect(handlers.update("restart-weekly", props, props)).rejects.toThrow("no such resource any more");
  expect(bench.takeRoutes()).toEqual([]);
});
