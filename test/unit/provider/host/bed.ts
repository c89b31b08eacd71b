/**
 * A provider's process in either variant, called as the engine calls it, against an emulator in this process, on a fake clock.
 * Whole runs are tested in `test/scenarios/`.
 */
import { setImmediate } from "node:timers/promises";
import { Clock, startEmulator } from "../../../../emulator";
import { createPluginHandlers, type PluginHandlers } from "../../../../provider/host/plugin/handlers";
import { createFakeClock } from "../../../support/fakeClock";
import {
  failureOf,
  keptOf,
  openHandlers,
  processOf,
  type Handlers,
  type Values,
} from "../../../support/providerHandlers";
import { urnOf, type Variant } from "../../../support/variants";

export { markSecret as secret } from "../../../../provider/host/plugin/propertyValues";
export { failureOf, keptOf };
export type { Values };

export const size = (cu: number): Values => ({ autoscalingLimitMinCu: cu, autoscalingLimitMaxCu: cu });

/** The URN that the engine passes to a plugin. */
export const urn = urnOf("native", "db");

/** The bed of the current test. */
export let bed: Awaited<ReturnType<typeof openBed>>;
/** A plugin's process on this bed. */
export let plugin: PluginHandlers;

beforeEach(async () => {
  bed = await openBed();
  plugin = bed.plugin();
});
afterEach(() => bed.emulator.close());

async function openBed() {
  const time = new Clock("manual");
  const emulator = await startEmulator({ clock: time, operationMs: 1_000 });
  const clock = createFakeClock(time);
  const projectId = emulator.createProject().project.id;
  const emptyBranch = (): string => emulator.createBranch(projectId, { compute: false }).branch.id;
  const branchId = emptyBranch();
  clock.advance(5_000);
  /** Lines that stay on rows, progress shown there, names of stacks that were exported, and what each export prints. */
  const told = { said: [] as string[], shown: [] as string[], asked: [] as string[], exported: exportOf({}) };
  const surroundings = {
    clock,
    onSaid: (message: string) => told.said.push(message),
    onProgress: (message: string) => told.shown.push(message),
    exportStack: ([name = ""]: readonly string[]) => {
      told.asked.push(name);
      return Promise.resolve(told.exported);
    },
  };
  /** The routes of the requests since the last call. */
  const takeRoutes = (): readonly string[] => {
    const routes = emulator.requests().map(({ route }) => route ?? "none");
    emulator.clearRequests();
    return routes;
  };
  return {
    ...{ emulator, clock, projectId, branchId, emptyBranch, takeRoutes, told },
    said: told.said,
    /** A process in either variant, which is called through the functions of the dynamic variant. */
    handlers: (variant: Variant, stack: Readonly<Record<string, string>> = {}): Handlers => {
      const connection = { "compute:apiKey": emulator.apiKey, "compute:baseUrl": emulator.url };
      return openHandlers({ ...surroundings, variant, stack: { ...connection, ...stack } });
    },
    /** A plugin's process. @param settings - settings other than the connection, by their names in the schema. */
    plugin: (settings: Values = {}, interrupted?: AbortSignal): PluginHandlers => {
      const handlers = createPluginHandlers(processOf({ ...surroundings, interrupted }));
      handlers.configure({ apiKey: emulator.apiKey, baseUrl: emulator.url, ...settings });
      return handlers;
    },
    declared: (more?: Values): Values => ({ projectId, branchId, type: "read_write", ...size(1), ...more }),
    /** Creates a compute outside the program, and waits until lists show it. @returns its id */
    byHand: (body?: object): string => {
      const { endpoint } = emulator.createEndpoint(projectId, {
        branch_id: branchId,
        type: "read_only",
        ...body,
      });
      clock.advance(5_000);
      return endpoint.id;
    },
    /** The routes of the writes. */
    takeWrites: () => takeRoutes().filter((route) => !/^(list|get)/.test(route)),
    /** Ids of the branch's computes. */
    computes: () => {
      const all = emulator.endpoints(projectId).map(({ endpoint }) => endpoint);
      return all.filter(({ branch_id: on }) => on === branchId).map(({ id }) => id);
    },
  };
}

/** What `pulumi stack export` prints for a stack whose resources have these computes, by URN. */
export function exportOf(held: Readonly<Record<string, string>>): string {
  const resources = Object.entries(held).map(([of, id]) => ({ urn: of, id }));
  return JSON.stringify({ version: 3, deployment: { resources } });
}

/** The inputs that the engine keeps after a successful check. */
export async function checked(olds: Values, news: Values, by = plugin): Promise<Values> {
  const { inputs, failures } = await by.check({ urn, olds, news });
  expect(failures).toEqual([]);
  return inputs;
}

/** What the engine stores for a compute. */
export interface Made {
  readonly id: string;
  readonly inputs: Values;
  readonly properties: Values;
}

/** Makes the engine's calls for a new compute, and empties the log of requests. */
export async function created(more: Values = {}, by = plugin, timeout = 0): Promise<Made> {
  const inputs = await checked({}, bed.declared(more), by);
  const made = await by.create({ urn, properties: inputs, preview: false, timeout });
  bed.takeRoutes();
  return { ...made, inputs };
}

export const update = (olds: Values, news: Values, by = plugin): ReturnType<PluginHandlers["update"]> =>
  by.update({ urn, olds, news, preview: false, timeout: 0 });
export const destroy = (properties: Values, by = plugin): Promise<void> =>
  by.delete({ urn, properties, timeout: 0 });

/** Waits until a condition holds. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate();
}

/** The message on the row for a call that fails. */
export async function messageOf(call: Promise<unknown>): Promise<string | undefined> {
  return ((await failureOf(call)) as Error | undefined)?.message;
}
