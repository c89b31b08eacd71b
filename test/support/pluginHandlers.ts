/**
 * The native variant in the shape of the dynamic one, so that one test can call either. This file does the engine's part for a
 * plugin: it passes the URN, marks secrets, and refuses unknown values outside a preview.
 *
 * In the shape of the dynamic provider, `__urn` names the resource of a declaration, and `__secrets` names its secret members.
 * The plugin gets neither of these members.
 */
import { settings } from "../../provider/settings/table";
import { unknownValues } from "../../provider/model/unknown";
import type { EndpointHandlers } from "../../provider/host/dynamic/handlers";
import { markSecret, secretMembers, withoutMarks } from "../../provider/host/plugin/propertyValues";
import type { PluginDiff, PluginHandlers } from "../../provider/host/plugin/handlers";

export type Values = Record<string, unknown>;

/** The resource of a call: the plugin gets its URN, and for a read also its inputs. */
export interface Of {
  readonly urn: string;
  readonly inputs?: Values;
}

/** What tests call on a provider, with either variant. */
export interface Handlers extends EndpointHandlers {
  diff(
    id: string,
    olds: Values,
    news: Values,
  ): Promise<{
    changes: boolean;
    replaces: string[];
    deleteBeforeReplace: boolean;
    /** What the plugin says in addition. */
    readonly told?: Pick<PluginDiff, "detailed" | "verdict">;
  }>;
  read(id: string, props: Values, of?: Of): ReturnType<EndpointHandlers["read"]>;
  delete(id: string, props: Values, of?: Of): Promise<void>;
  /** The calls that a preview makes to the plugin in addition. */
  readonly foresee?: {
    create(inputs: Values): Promise<Values>;
    update(id: string, olds: Values, news: Values): Promise<Values>;
  };
  /** Whether the engine is to read a compute before it plans; the dynamic provider cannot ask for this. */
  readonly refreshesBeforeUpdate?: () => boolean;
}

export function asHandlers(plugin: PluginHandlers): Handlers {
  const create = async (inputs: Values, preview: boolean): ReturnType<Handlers["create"]> => {
    const request = { urn: urnIn(inputs), properties: declared(inputs), preview, timeout: 0 };
    const { id, properties } = await kept(plugin.create(request));
    if (!preview && id === "") throw new Error("the engine was told no id");
    return { id, outs: preview ? shown(properties) : stored(properties) };
  };
  const update = async (olds: Values, news: Values, preview: boolean): ReturnType<Handlers["update"]> => {
    const sides = {
      urn: urnIn(news),
      olds: held(olds),
      news: declared(news),
      ignoreChanges: ignoresIn(news),
    };
    const request = { ...sides, preview, timeout: 0 };
    const { properties } = await kept(plugin.update(request));
    return { outs: preview ? shown(properties) : stored(properties) };
  };
  return {
    configure: ({ config }) => {
      plugin.configure(argumentsOf(config));
    },
    check: async (olds, news) => {
      const urn = urnIn(news);
      const { inputs, failures } = await plugin.check({ urn, olds: declared(olds), news: declared(news) });
      const { __ignores: ignores } = news;
      const hidden = { __urn: urn, ...(ignores === undefined ? {} : { __ignores: ignores }) };
      return { inputs: { ...shown(inputs), ...hidden }, failures: [...failures] };
    },
    diff: async (_id, olds, news) => {
      const sides = { olds: held(olds), news: declared(news) };
      const request = { urn: urnIn(news), ...sides, ignoreChanges: ignoresIn(news) };
      const { changes, replaces, deleteBeforeReplace, detailed, verdict } = await plugin.diff(request);
      return { changes, replaces: [...replaces], deleteBeforeReplace, told: { detailed, verdict } };
    },
    create: (inputs) => create(inputs, false),
    read: async (id, props, of) => {
      const { urn, inputs: old = {} } = of ?? { urn: urnIn(props) };
      const request = { urn, id, properties: held(props), inputs: declared(old) };
      const { id: found, properties, inputs } = await plugin.read(request);
      if (found === "") return { id: "", props: {} };
      return { id: found, props: stored(properties), inputs: { ...stored(inputs), __urn: urn } };
    },
    update: (_id, olds, news) => update(olds, news, false),
    delete: (_id, props, of) =>
      plugin.delete({ urn: of?.urn ?? urnIn(props), properties: held(props), timeout: 0 }),
    foresee: {
      create: async (inputs) => (await create(inputs, true)).outs,
      update: async (_id, olds, news) => (await update(olds, news, true)).outs,
    },
    refreshesBeforeUpdate: plugin.refreshesBeforeUpdate,
  };
}

/** A provider's inputs, from a stack's configuration: the keys without the package's name. */
function argumentsOf(config: { get(key: string): string | undefined }): Values {
  const given = Object.values(settings).map(({ key }) => [key.replace("compute:", ""), config.get(key)]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Values;
}

function urnIn(values: Values): string {
  const { __urn: urn } = values;
  if (typeof urn !== "string") throw new Error("the engine always tells a plugin the URN: pass __urn");
  return urn;
}

/** A declaration, as the engine passes it to a plugin. */
function declared(values: Values): Values {
  const { __urn: _, __ignores: __, ...rest } = held(values);
  return rest;
}

function ignoresIn({ __ignores: ignores = [] }: Values): readonly string[] {
  return ignores as readonly string[];
}

/** A state, as the engine passes it to a plugin. The plugin itself has put the URN into it. */
function held({ __provider: _, __dryRun: __, __secrets: secrets = [], ...values }: Values): Values {
  const isSecret = (name: string): boolean => (secrets as readonly string[]).includes(name);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isSecret(name) ? markSecret(value) : value]),
  );
}

function shown(values: Values): Values {
  const secrets = secretMembers(values);
  return { ...withoutMarks(values), ...(secrets.length === 0 ? {} : { __secrets: secrets }) };
}

/** Takes a result as the engine does: an unknown value in it makes the run fail, after the compute was made. */
function stored(values: Values): Values {
  const text = JSON.stringify(values);
  const unknown = [...unknownValues].find((value) => text.includes(value as string));
  if (unknown !== undefined) throw new Error(`an unknown value on its way into the state: ${text}`);
  return shown(values);
}

/** What the engine stores of a partial failure. */
async function kept<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const { properties } = error as { readonly properties?: Values };
    if (properties !== undefined) Object.assign(error as object, { properties: stored(properties) });
    throw error;
  }
}
