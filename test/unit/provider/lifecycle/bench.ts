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
import { keepIn, openHandlers, type Values } from "../../../support/providerHandlers";
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
  /** A create with `declared(more)`, in a process of its own. */
  create(more?: Values, environment?: NodeJS.ProcessEnv): ReturnType<Lifecycle["create"]>;
  /** Another team makes a compute, a primary on the branch without one unless `body` has it otherwise. @returns its id */
  madeByOthers(body?: object): string;
  emptyBranch(): string;
  /** The next requests to a route meet these faults, in order. */
  spoil(route: NonNullable<FaultRule["route"]>, ...faults: readonly FaultRule[]): void;
  /** Routes of the requests so far, in order, and forgets them. */
  takeRoutes(): readonly string[];
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
    madeByOthers: (body = {}) =>
      emulator.createEndpoint(projectId, { branch_id: branchId, type: "read_write", ...body }).endpoint.id,
    emptyBranch,
    spoil: (route, ...faults) => {
      for (const fault of faults) emulator.addFault({ ...fault, route });
    },
    takeRoutes: () => {
      const routes = routesOf();
      emulator.clearRequests();
      return routes;
    },
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

export const size = (cu: number): Record<string, number> => ({
  autoscalingLimitMinCu: cu,
  autoscalingLimitMaxCu: cu,
});

/** Every test's benches end with it: whoever imports this file has that done. */
afterEach(async () => {
  for (const emulator of open.splice(0)) await emulator.close();
});

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
