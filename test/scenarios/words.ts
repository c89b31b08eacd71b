/**
 * The words of rows: commands, faults, and what others do.
 */
import type { FaultEffect, TimelineRule } from "../../emulator";
import { deleteByHand } from "../support/byHand";
import type { Declared, Program, Stored } from "../support/miniEngine";
import { failureOf, keepIn, openHandlers, type Handlers, type Values } from "../support/providerHandlers";
import { urnOf } from "../support/variants";
import type { Command, Event, Fault, Given, Options } from "./row";
import type { Route, World } from "./world";

/** A fixed size. */
export const size = (cu: number): Record<string, number> => sizes(cu, cu);
export const sizes = (min: number, max: number): Record<string, number> => ({
  autoscalingLimitMinCu: min,
  autoscalingLimitMaxCu: max,
});
/** The same on the wire. */
export const wireSize = (cu: number): Record<string, number> => ({
  autoscaling_limit_min_cu: cu,
  autoscaling_limit_max_cu: cu,
});
export const pgSettings = (values: Values): Values => ({ settings: { pgSettings: values } });

/** Arguments that are no longer declared. */
export const without = (...names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, undefined]));

/** The plugin asks for no read before a change. */
export const unread = { readsFirst: false } as const;

// Commands.

/** `pulumi up` of a program whose "db" has these arguments besides those that it was created with. */
export function up(args: Values = {}, options: Options = {}): Command {
  return command("up", { args, options });
}

export function preview(args: Values = {}, options: Options = {}): Command {
  return command("preview", { args, options });
}

/** A program of several resources: each has its arguments besides the project and the branch. */
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

/** `Endpoint.get`: a read of what no state has; what it finds is printed. */
export const get = (id: string, args: Values): Command =>
  alone(`get ${id} ${JSON.stringify(args)}`, async (provider, world) => {
    const urn = urnOf(world.variant, "found");
    const found = await provider.read(world.resolved(id), world.resolved(args), { urn, inputs: {} });
    world.found = found.props;
  });

/** What one call of the provider does, with no engine around it. */
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
  /** Of "db". */
  readonly args?: Values;
  /** Of all, in place of "db". */
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

/** `$secrets` and `$aliases` are those of the resource, not arguments. */
export function programOf(
  world: World,
  declared: Readonly<Record<string, Values>>,
  besides: Program = {},
): Program {
  const place = { projectId: world.idOf("project"), branchId: world.idOf("branch") };
  const resources = Object.entries(declared).map(([name, all]): [string, Declared] => {
    const { $secrets: secrets = [], $aliases: aliases = [], ...args } = all;
    return [
      name,
      {
        args: { ...place, ...world.resolved(args) },
        secrets: secrets as readonly string[],
        aliases: aliases as readonly string[],
      },
    ];
  });
  return { ...Object.fromEntries(resources), ...besides };
}

// Faults.

/** An answer with this status in place of the service's own. */
export function answers(status: number, more: Partial<Extract<FaultEffect, { kind: "status" }>> = {}): Fault {
  return { kind: "status", status, ...more };
}
/** The same, once the request was carried out. */
export const done = (status: number): Fault => answers(status, { when: "after" });
/** No answer, and nothing was done. */
export const cut: Fault = { kind: "cut" };
/** The answer is lost, once the request was carried out. */
export const lost: Fault = { kind: "cut", when: "after" };
export const page = "<html><body>forbidden</body></html>";
/** Lists that are as old as the moment in which the fault begins. */
export const stale: Fault = { kind: "stale" };
/** Another body, with the right status. */
export const answersBody = (body: unknown): Fault => ({ kind: "wrongShape", body });
/** Lists that show no compute. */
export const unlisted: Fault = { ...answersBody({ endpoints: [] }), times: 1_000 };
/** The service answers as if it had taken a change, and does nothing. */
export const doesNothing = ({ emulator, idOf }: World): Fault =>
  answers(200, { body: { endpoint: emulator.endpoint(idOf("db")).endpoint, operations: [] } });
export const times = (count: number, fault: Fault): Fault => ({ ...fault, times: count });
export const always = (fault: Fault): Fault => times(10_000, fault);
export const after = (count: number, fault: Fault): Fault => ({ ...fault, after: count });
/** From the first request of another route on. */
export const since = (route: Route, fault: Fault): Fault => ({ ...fault, since: route });

/** Operations of an action that end so, or take so long. */
export const operation = (action: string, more: Omit<TimelineRule, "action">): TimelineRule => ({
  action,
  times: 1,
  ...more,
});

// What others do, and what time does.

export const seconds =
  (count: number): Event =>
  ({ clock }) => {
    clock.advance(count * 1_000);
  };
export const hours = (count: number): Event => seconds(count * 3_600);
/** Somebody changes the compute at the service. */
export const byHand =
  (changes: Values, name = "db"): Event =>
  (world) => {
    world.emulator.updateEndpoint(world.idOf(name), world.resolved(changes));
    world.clock.advance(10_000);
  };
/** Long enough after its creation that lists prove it. */
export const deleted =
  (name = "db"): Event =>
  (world) => {
    deleteByHand(world, world.idOf(name));
  };
/** A moment ago: lists may be late. */
export const justDeleted =
  (name = "db"): Event =>
  ({ emulator, idOf }) => {
    emulator.deleteEndpoint(idOf(name));
  };
/** A client keeps it active. */
export const connected =
  (name = "db"): Event =>
  ({ emulator, clock, idOf }) => {
    emulator.connect(idOf(name));
    clock.advance(5_000);
    expect(emulator.endpoint(idOf(name)).endpoint.current_state).toBe("active");
  };
/** Until the service has suspended it. */
export const idle =
  (name = "db"): Event =>
  ({ emulator, clock, idOf }) => {
    clock.advance(3_600_000);
    expect(emulator.endpoint(idOf(name)).endpoint.current_state).toBe("idle");
  };
/** What somebody does whose operations go so. */
export const goingSo =
  (rule: TimelineRule, event: Event): Event =>
  (world) => {
    world.emulator.setTimeline(rule);
    event(world);
  };
export const restarted =
  (name = "db"): Event =>
  ({ emulator, idOf }) => {
    emulator.restartEndpoint(idOf(name));
  };
export const suspended =
  (name = "db"): Event =>
  ({ emulator, clock, idOf }) => {
    emulator.suspendEndpoint(idOf(name));
    clock.advance(5_000);
  };
/** Another team makes a compute, a primary on the branch unless `body` has it otherwise. */
export const othersMake =
  (name: string, body: Values = {}): Event =>
  (world) => {
    const { emulator, idOf } = world;
    const wanted = { branch_id: idOf("branch"), type: "read_write", ...world.resolved(body) };
    const { id } = emulator.createEndpoint(idOf("project"), wanted).endpoint;
    world.name(name, id);
    world.others.add(id);
  };
/** This machine's clock is set. */
export const clockOff =
  (byHours: number): Event =>
  ({ clock }) => {
    clock.setWallClockOffBy(byHours * 3_600_000);
  };
/** Somebody edits the state, as `pulumi stack import` does. */
export const stateEdited =
  (edit: (stored: Stored) => readonly Stored[]): Event =>
  ({ engine }) => {
    engine.restore(engine.state().flatMap(edit));
  };
/** The state has these as what the program has declared. */
export const declared =
  (args: Values): Event =>
  (world) => {
    const inputs = world.resolved(args);
    stateEdited((stored) => [{ ...stored, inputs: { ...stored.inputs, ...inputs } }])(world);
  };
/** An operation of the project that never ends, and has nothing to do with the compute. */
export const neverEnding: Event = ({ emulator, idOf }) => {
  emulator.setTimeline({ stuck: "running", times: 1 });
  emulator.updateEndpoint(idOf("default primary"), { autoscaling_limit_max_cu: 4 });
};

// What must be true besides.

/** The operations of the compute have ended well. */
export const nothingRuns: Event = ({ emulator, idOf }) => {
  const all = emulator.operations(idOf("project")).filter(({ endpoint_id }) => endpoint_id === idOf("db"));
  expect(all.filter(({ status }) => status !== "finished")).toEqual([]);
};

/** No operation of an earlier run is left in the state. */
export const nothingPending: Event = ({ engine }) => {
  expect(engine.stored("db")?.outs).not.toHaveProperty("__operations");
};
