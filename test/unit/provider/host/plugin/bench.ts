/**
 * The handlers of the plugin, against an emulator in this process, in time that costs nothing.
 */
import { createPluginHandlers, type PluginHandlers } from "../../../../../provider/host/plugin/handlers";
import { urnOf } from "../../../../support/variants";
import { keepIn, processOf, type Values } from "../../../../support/providerHandlers";
import { size, type Bench } from "../../lifecycle/bench";
import { bench as opened } from "../../lifecycle/eachTest";

export type { Values };

export const urn = urnOf("native", "db");

export interface PluginBench extends Bench {
  /** A plugin's process. @param settings - besides the connection, by the names of its schema. */
  plugin(settings?: Values, interrupted?: AbortSignal): PluginHandlers;
}

function pluginBench(): PluginBench {
  const { emulator, clock, projectId, branchId, said, rows, progress } = opened;
  return {
    ...opened,
    declared: (more = {}) => ({ projectId, branchId, type: "read_write", ...more }),
    plugin: (settings = {}, interrupted) => {
      const handlers = createPluginHandlers(
        processOf({
          clock,
          interrupted,
          onSaid: keepIn(said, rows),
          onProgress: (message) => progress.push(message),
          exportStack: () => Promise.resolve(opened.backend.exported),
        }),
      );
      handlers.configure({ apiKey: emulator.apiKey, baseUrl: emulator.url, ...settings });
      return handlers;
    },
  };
}

/** What the engine has of a compute that was made. */
export interface Made {
  readonly id: string;
  readonly inputs: Values;
  readonly properties: Values;
}

/** What the engine does for a new compute: a check, and a create. */
export async function createWith(
  handlers: PluginHandlers,
  declared: Values,
  { name = "db", timeout = 0 }: { readonly name?: string; readonly timeout?: number } = {},
): Promise<Made> {
  const resource = { urn: urnOf("native", name) };
  const { inputs } = await handlers.check({ ...resource, olds: {}, news: declared });
  const made = await handlers.create({ ...resource, properties: inputs, preview: false, timeout });
  return { ...made, inputs };
}

/** Of the test that runs. */
export let bench: PluginBench;
export let plugin: PluginHandlers;
beforeEach(() => {
  bench = pluginBench();
  plugin = bench.plugin();
});

/** A replica that was made by hand, and is listed. @returns its id */
export function madeByHand(body: object = {}): string {
  const id = bench.madeByOthers({ type: "read_only", ...body });
  bench.clock.advance(5_000);
  return id;
}

/** Steps of the resource, by the test's process where no other is named. */
export const create = (properties: Values, by = plugin): ReturnType<PluginHandlers["create"]> =>
  by.create({ urn, properties, preview: false, timeout: 0 });
export const update = (olds: Values, news: Values, by = plugin): ReturnType<PluginHandlers["update"]> =>
  by.update({ urn, olds, news, preview: false, timeout: 0 });
export const destroy = (properties: Values, by = plugin): Promise<void> =>
  by.delete({ urn, properties, timeout: 0 });

/** The inputs that the engine keeps after a check that went well. */
export async function checked(olds: Values, news: Values, by = plugin): Promise<Values> {
  const { inputs, failures } = await by.check({ urn, olds, news });
  expect(failures).toEqual([]);
  return inputs;
}

/** A compute of one CU in the state, made by the test's process, and nothing in the log. */
export async function created(more: Values = {}): Promise<Made> {
  const made = await createWith(plugin, bench.declared({ ...size(1), ...more }));
  bench.takeRoutes();
  return made;
}

/** What a partial failure leaves to the engine. */
export interface Kept {
  readonly message: string;
  readonly id: string;
  readonly properties: Values;
  readonly reasons: readonly string[];
}

export async function keptOf(call: Promise<unknown>): Promise<Kept> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Error && "properties" in error) return error as unknown as Kept;
  throw new Error("the call left nothing to keep", { cause: error });
}
