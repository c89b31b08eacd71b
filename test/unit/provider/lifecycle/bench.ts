/**
 * The lifecycle over real sockets: the provider's handlers against an emulator in this process, in time that costs
 * nothing.
 */
import {
  Clock,
  startEmulator,
  type Emulator,
  type EmulatorOptions,
  type FaultRule,
  type WireEndpoint,
} from "../../../../emulator";
import type { EndpointHandlers } from "../../../../provider/host/dynamic/handlers";
import { createFakeClock, type FakeClock } from "../../../support/fakeClock";
import { keepIn, keptOf, openHandlers, type Values } from "../../../support/providerHandlers";
import { urnOf as variantUrnOf } from "../../../support/variants";

export const urnOf = (name: string, stack = "dev"): string => variantUrnOf("dynamic", name, stack);
export const urn = urnOf("db");

export interface Bench {
  readonly emulator: Emulator;
  readonly clock: FakeClock;
  readonly projectId: string;
  readonly defaultBranchId: string;
  /** The primary that came with the default branch. */
  readonly defaultPrimaryId: string;
  /** A branch without a compute. */
  readonly branchId: string;
  /** Warnings and errors on rows, with their severity. */
  readonly said: string[];
  /** All of them, information too. */
  readonly rows: string[];
  /** What was shown while steps ran. */
  readonly progress: string[];
  /** What Pulumi's backend has of the stack; each name that it was asked for is in `asked`. */
  readonly backend: { exported: string; readonly asked: string[] };
  /** The provider in a process of its own. */
  process(environment?: NodeJS.ProcessEnv): Lifecycle;
  /** Inputs after `check`, for a primary on the branch without a compute. */
  declared(more?: Values): Record<string, unknown>;
  /** Steps with `declared(more)`, each in a process of its own. */
  create(more?: Values, environment?: NodeJS.ProcessEnv): ReturnType<Lifecycle["create"]>;
  destroy(state: StateValues, environment?: NodeJS.ProcessEnv): Promise<void>;
  /** Inputs after `check` of a replica there, by its name. */
  replica(name?: string, more?: Values): Record<string, unknown>;
  /** An update of a resource that is not in the state: check, then create. */
  up(declared: Values): ReturnType<Lifecycle["create"]>;
  /** Why a preview of a resource that is not in the state fails. */
  preview(declared: Values, environment?: NodeJS.ProcessEnv): Promise<readonly string[]>;
  /** Another team makes a compute, a primary on the branch without one unless `body` has it otherwise. @returns its id */
  madeByOthers(body?: object): string;
  emptyBranch(): string;
  /** A project besides this one, and its branch. */
  otherProject(): { readonly projectId: string; readonly branchId: string };
  /** The next requests to a route meet these faults, in order. */
  spoil(route: NonNullable<FaultRule["route"]>, ...faults: readonly FaultRule[]): void;
  /** Routes of the requests so far, in order, and forgets them. */
  takeRoutes(): readonly string[];
  /** Until a request to a route has arrived. */
  untilSent(route: string): Promise<void>;
  /** How many requests to a route there were so far. */
  sent(route: string): number;
  /** Bodies of the requests to a route so far. */
  bodiesOf(route: string): readonly unknown[];
  /** Ids of the computes that the service has besides the default primary. */
  computes(): readonly string[];
  /** A compute as the service has it. */
  live(id: string): WireEndpoint;
}

const open: Emulator[] = [];

/** A state as the engine stores it: what tests read of it. */
export interface StateValues {
  readonly [member: string]: unknown;
  readonly endpointId: string;
  readonly type?: string;
  readonly branchId?: string;
  readonly suspendTimeoutSeconds?: number;
  readonly settings?: { readonly pgSettings: Readonly<Record<string, unknown>> };
  readonly __operations?: readonly string[];
}

/** One provider process, without the checks and diffs before its steps. */
export interface Lifecycle {
  create(declared: Values): Promise<{ readonly id: string; readonly outs: StateValues }>;
  /** Check, then create. */
  up(declared: Values): ReturnType<Lifecycle["create"]>;
  read(id: string, state: Partial<StateValues>): Promise<{ id: string; props: Values; inputs?: Values }>;
  update(state: StateValues, declared: Values): Promise<StateValues>;
  delete(id: string, state: StateValues): Promise<void>;
  readonly handlers: EndpointHandlers;
}

/** Settings by their stack configuration keys, from the names of their variables. */
function stackOf(environment: NodeJS.ProcessEnv): Record<string, string> {
  const key = (variable: string): string =>
    variable
      .toLowerCase()
      .replace("compute_", "compute:")
      .replaceAll(/_(.)/g, (_, first: string) => first.toUpperCase());
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [key(name), value ?? ""]));
}

/** Operations take one second of the fake clock. */
export async function openBench(options: EmulatorOptions = {}): Promise<Bench> {
  const emulatorClock = new Clock("manual");
  const emulator = await startEmulator({ clock: emulatorClock, operationMs: 1_000, ...options });
  open.push(emulator);
  const clock = createFakeClock(emulatorClock);
  const made = emulator.createProject();
  const projectId = made.project.id;
  const emptyBranch = (): string => {
    const { branch } = emulator.createBranch(projectId, { compute: false });
    clock.advance(5_000);
    return branch.id;
  };
  const branchId = emptyBranch();
  const said: string[] = [];
  const rows: string[] = [];
  const progress: string[] = [];
  const backend: Bench["backend"] = { exported: JSON.stringify({ version: 3, deployment: {} }), asked: [] };
  const routesOf = (): readonly string[] => emulator.requests().map(({ route }) => route ?? "none");
  const process = (environment: NodeJS.ProcessEnv = {}): Lifecycle => {
    const handlers = openHandlers({
      clock,
      stack: {
        "compute:apiKey": emulator.apiKey,
        "compute:baseUrl": emulator.url,
        ...stackOf(environment),
      },
      onSaid: keepIn(said, rows),
      onProgress: (message) => progress.push(message),
      exportStack: ([stackName = ""]) => {
        backend.asked.push(stackName);
        return Promise.resolve(backend.exported);
      },
    });
    const create: Lifecycle["create"] = async (declared) =>
      (await handlers.create(declared)) as { id: string; outs: StateValues };
    return {
      create,
      up: async (declared) => {
        await handlers.check({}, declared);
        return create(declared);
      },
      read: (id, state) => handlers.read(id, { ...state }),
      update: async (state, declared) =>
        (await handlers.update(state.endpointId, { ...state }, declared)).outs as StateValues,
      delete: (id, state) => handlers.delete(id, { ...state }),
      handlers,
    };
  };
  const declared: Bench["declared"] = (more = {}) => ({
    __provider: "text",
    __urn: urn,
    projectId,
    branchId,
    type: "read_write",
    ...more,
  });
  return {
    emulator,
    clock,
    projectId,
    defaultBranchId: made.branch.id,
    defaultPrimaryId: made.endpoint.id,
    branchId,
    said,
    rows,
    progress,
    backend,
    process,
    declared,
    create: (more, environment) => process(environment).create(declared(more)),
    destroy: (state, environment) => process(environment).delete(state.endpointId, state),
    replica: (name = "db", more = {}) => declared({ type: "read_only", __urn: urnOf(name), ...more }),
    up: (inputs) => process().up(inputs),
    preview: async (inputs, environment) => {
      const { failures } = await process(environment).handlers.check({}, { ...inputs, __dryRun: true });
      return failures.map(({ reason }) => reason);
    },
    madeByOthers: (body = {}) =>
      emulator.createEndpoint(projectId, { branch_id: branchId, type: "read_write", ...body }).endpoint.id,
    emptyBranch,
    otherProject: () => {
      const { project, branch } = emulator.createProject();
      return { projectId: project.id, branchId: branch.id };
    },
    spoil: (route, ...faults) => {
      for (const fault of faults) emulator.addFault({ ...fault, route });
    },
    takeRoutes: () => {
      const routes = routesOf();
      emulator.clearRequests();
      return routes;
    },
    untilSent: async (route) => {
      while (!routesOf().includes(route)) await new Promise((resolve) => setImmediate(resolve));
    },
    sent: (route) => routesOf().filter((other) => other === route).length,
    bodiesOf: (route) =>
      emulator
        .requests()
        .filter((request) => request.route === route)
        .map(({ body }) => body),
    computes: () =>
      emulator
        .endpoints(projectId)
        .map(({ endpoint }) => endpoint.id)
        .filter((id) => id !== made.endpoint.id),
    live: (id) => emulator.endpoint(id).endpoint,
  };
}

type StatusFault = Extract<FaultRule, { readonly kind: "status" }>;

/** An answer with this status in place of the service's own. */
export function answers(status: number, more: Partial<StatusFault> = {}): StatusFault {
  return { ...more, kind: "status", status };
}

/** An answer that is lost once the request was carried out. */
export const lost = { kind: "cut", when: "after" } as const;

/** A page that something between writes. */
export const page = "<html><body>forbidden</body></html>";

export const size = (cu: number): Record<string, number> => ({
  autoscalingLimitMinCu: cu,
  autoscalingLimitMaxCu: cu,
});

/** State of a compute of one CU, active, and nothing in the log. */
export async function created(bench: Bench, more: object = {}): Promise<StateValues> {
  const { outs } = await bench.create({ ...size(1), ...more });
  bench.takeRoutes();
  bench.clock.clearSleeps();
  return outs;
}

/** A bench with such a compute. */
export async function withCompute(
  more: object = {},
  options: EmulatorOptions = {},
): Promise<{ readonly bench: Bench; readonly state: StateValues }> {
  const bench = await openBench(options);
  return { bench, state: await created(bench, more) };
}

/** Every test's benches end with it: whoever imports this file has that done. */
afterEach(closeBenches);

export async function closeBenches(): Promise<void> {
  for (const emulator of open.splice(0)) await emulator.close();
}

/** What a failed step leaves in the state. */
export async function partialFailureOf(step: Promise<unknown>): Promise<{
  readonly id: string;
  readonly state: StateValues;
  readonly reason: string;
}> {
  const error = await failureOf(step);
  const kept = keptOf(error);
  if (kept === undefined) throw error;
  return { id: kept.id, state: { ...kept.properties, endpointId: kept.id }, reason: error.message };
}

/** How a step that must fail does. */
export async function failureOf(step: Promise<unknown>): Promise<Error> {
  try {
    await step;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("it did not fail");
}
