/** Words that rows use for arguments and commands. */
import type { Declared, Program } from "../support/miniEngine";
import { failureOf, keepIn, openHandlers, type Handlers, type Values } from "../support/providerHandlers";
import { urnOf } from "../support/variants";
import type { Command, Given, Options } from "./row";
import type { World } from "./world";

/** A fixed size. */
export const size = (cu: number): Record<string, number> => sizes(cu, cu);
export const sizes = (min: number, max: number): Record<string, number> => ({
  autoscalingLimitMinCu: min,
  autoscalingLimitMaxCu: max,
});
/** A fixed size, in the API's names. */
export const wireSize = (cu: number): Record<string, number> => ({
  autoscaling_limit_min_cu: cu,
  autoscaling_limit_max_cu: cu,
});
export const pgSettings = (values: Values): Values => ({ settings: { pgSettings: values } });

/** Arguments that are no longer declared. */
export const without = (...names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, undefined]));

/** The engine is killed before it stores anything: Pulumi's backend has only its pending creates. */
export const killed = { isKilled: true } as const;
/** `pulumi stack export` prints something that the provider cannot read. */
export const unasked = { exportStack: () => "a secret" } as const;
/** The plugin does not ask the engine to read the compute before a change. */
export const unread = { readsFirst: false } as const;

/** `pulumi up` of a program whose "db" has these arguments besides those that it was created with. */
export function up(args: Values = {}, options: Options = {}): Command {
  return command("up", { args, options });
}

export function preview(args: Values = {}, options: Options = {}): Command {
  return command("preview", { args, options });
}

/** `pulumi up` of a program of several resources, each with these arguments besides the project and the branch. */
export function upAll(more: Readonly<Record<string, Values>>, options: Options = {}): Command {
  return command("up", { more, options });
}

export function previewAll(more: Readonly<Record<string, Values>>, options: Options = {}): Command {
  return command("preview", { more, options });
}

export const refresh = (options: Options = {}): Command => ({
  words: "refresh",
  kind: "refresh",
  run: ({ engine }, given) => engine.refresh(withStack(options, given)),
});

export const destroy = (options: Options = {}): Command => ({
  words: "destroy",
  kind: "destroy",
  run: ({ engine }, given) => engine.destroy(withStack(options, given)),
});

/** `pulumi do update …`: the update alone, without check and diff. */
export const updateAlone = (args: Values): Command =>
  alone(`do update ${JSON.stringify(args)}`, (provider, world, given) => {
    const { urn, id, outs } = world.engine.stored("db")!;
    const { db } = programOf(world, { db: { ...given.db, ...args } });
    return provider.update(id, outs, { ...db?.args, __urn: urn });
  });

/** `Endpoint.get`: reads a compute that is not in the state, and stores the result in the world's `found`. */
export const get = (id: string, args: Values): Command =>
  alone(`get ${id} ${JSON.stringify(args)}`, async (provider, world) => {
    const urn = urnOf(world.variant, "found");
    const found = await provider.read(world.resolved(id), world.resolved(args), { urn, inputs: {} });
    world.found = found.props;
  });

/** A command that is one call of the provider, without an engine. */
function alone(
  words: string,
  call: (provider: Handlers, world: World, given: Given) => Promise<unknown>,
): Command {
  return {
    words,
    kind: "preview",
    run: async (world, given) => {
      const { clock, emulator, engine, variant } = world;
      const { apiKey, url: baseUrl } = emulator;
      const { stack = {} } = withStack({ stack: { apiKey, baseUrl } }, given);
      const onSaid = keepIn(engine.said, engine.rows);
      const provider = openHandlers({ clock, variant, stack, onSaid });
      const failure = await failureOf(call(provider, world, given));
      const failures = failure === undefined ? [] : [failure];
      return { steps: {}, failures, failed: {}, verdicts: {}, notices: {} };
    },
  };
}

interface Declaring {
  /** Arguments of "db". */
  readonly args?: Values;
  /** Arguments of all resources, instead of "db". */
  readonly more?: Readonly<Record<string, Values>>;
  readonly options: Options;
}

function command(kind: "up" | "preview", { args, more, options }: Declaring): Command {
  return {
    words: `${kind} ${JSON.stringify(more ?? args)}`,
    kind,
    isKilled: options.isKilled === true,
    run: (world, given) => {
      const declared = more ?? { db: { ...given.db, ...args } };
      const program = programOf(world, { ...declared }, given.more);
      return world.engine.up(program, { ...withStack(options, given), isPreview: kind === "preview" });
    },
  };
}

function withStack({ stack, ...options }: Options, given: Given): Options {
  const all = Object.entries({ ...given.stack, ...stack }).map(([key, value]) => [`compute:${key}`, value]);
  return { ...options, stack: Object.fromEntries(all) as Record<string, string> };
}

/** `$secrets`, `$aliases` and `$ignores` are options of the resource, not arguments. */
export function programOf(
  world: World,
  declared: Readonly<Record<string, Values>>,
  besides: Program = {},
): Program {
  const place = { projectId: world.idOf("project"), branchId: world.idOf("branch") };
  const resources = Object.entries(declared).map(([name, all]): [string, Declared] => {
    const { $secrets: secrets = [], $aliases: aliases = [], $ignores: ignores = [], ...args } = all;
    return [
      name,
      {
        args: { ...place, ...world.resolved(args) },
        secrets: secrets as readonly string[],
        aliases: aliases as readonly string[],
        ignores: ignores as readonly string[],
      },
    ];
  });
  return { ...Object.fromEntries(resources), ...besides };
}
