/**
 * The lifecycle over real sockets: the provider's handlers against an emulator in this process, in time that costs
 * nothing.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Clock, startEmulator, type Emulator, type EmulatorOptions } from "../../../../emulator";
import type { EndpointHandlers } from "../../../../provider/host/dynamic/handlers";
import { createFakeClock, type FakeClock } from "../../../support/fakeClock";
import { keepIn, keptOf, openHandlers, type Values } from "../../../support/providerHandlers";

export const urn = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::db";

export interface Bench {
  readonly emulator: Emulator;
  readonly clock: FakeClock;
  readonly projectId: string;
  readonly defaultBranchId: string;
  /** The primary that came with the default branch. */
  readonly defaultPrimaryId: string;
  /** A branch without a compute. */
  readonly branchId: string;
  readonly journalFolder: string;
  /** Warnings and errors on rows, with their severity. */
  readonly said: string[];
  /** All of them, information too. */
  readonly rows: string[];
  /** What was shown while steps ran. */
  readonly progress: string[];
  /** What Pulumi's backend has of the stack; each name that it was asked for is in `asked`. */
  readonly backend: { exported: string; readonly asked: string[] };
  /** The provider in a process of its own; the journal is the same for all of them. */
  process(environment?: NodeJS.ProcessEnv): Lifecycle;
  /** Inputs after `check`, for a primary on the branch without a compute. */
  declared(more?: Readonly<Record<string, unknown>>): Record<string, unknown>;
  emptyBranch(): string;
  loseJournal(): void;
  /** Routes of the requests so far, in order, and forgets them. */
  takeRoutes(): readonly string[];
  /** Bodies of the requests to a route so far. */
  bodiesOf(route: string): readonly unknown[];
  /** Ids of the computes that the service has besides the default primary. */
  computes(): readonly string[];
}

const open: { emulator: Emulator; folder: string }[] = [];

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
  /** The engine ends it in good order, at the end of a run. */
  end(): void;
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
  const folder = mkdtempSync(path.join(tmpdir(), "compute-lifecycle-"));
  open.push({ emulator, folder });
  const journalFolder = path.join(folder, "journal");
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
  const backend: Bench["backend"] = { exported: exportOf({}), asked: [] };
  const routesOf = (): readonly string[] => emulator.requests().map(({ route }) => route ?? "none");
  return {
    emulator,
    clock,
    projectId,
    defaultBranchId: made.branch.id,
    defaultPrimaryId: made.endpoint.id,
    branchId,
    journalFolder,
    said,
    rows,
    progress,
    backend,
    process: (environment = {}) => {
      let end = (): void => undefined;
      const handlers = openHandlers({
        clock,
        stack: {
          "compute:apiKey": emulator.apiKey,
          "compute:baseUrl": emulator.url,
          "compute:journalFolder": journalFolder,
          ...stackOf(environment),
        },
        onSaid: keepIn(said, rows),
        onProgress: (message) => progress.push(message),
        onEnd: (act) => (end = act),
        exportStack: (stackName) => {
          backend.asked.push(stackName);
          return Promise.resolve(backend.exported);
        },
      });
      return {
        create: async (declared) => (await handlers.create(declared)) as { id: string; outs: StateValues },
        read: (id, state) => handlers.read(id, { ...state }),
        update: async (state, declared) =>
          (await handlers.update(state.endpointId, { ...state }, declared)).outs as StateValues,
        delete: (id, state) => handlers.delete(id, { ...state }),
        end: () => {
          end();
        },
        handlers,
      };
    },
    declared: (more = {}) => ({
      __provider: "text",
      __urn: urn,
      projectId,
      branchId,
      type: "read_write",
      ...more,
    }),
    emptyBranch,
    loseJournal: () => {
      rmSync(journalFolder, { recursive: true, force: true });
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
  };
}

/** What `pulumi stack export` prints: resources with their ids, and creates that a killed run has left. */
export function exportOf({
  ids = [],
  begun = {},
}: {
  readonly ids?: readonly string[];
  /** Inputs by URN. */
  readonly begun?: Readonly<Record<string, object>>;
}): string {
  const resources = ids.map((id) => ({ urn: `urn:${id}`, id }));
  const pending = Object.entries(begun).map(([urn, inputs]) => ({
    type: "creating",
    resource: { urn, inputs },
  }));
  return JSON.stringify({ version: 3, deployment: { resources, pending_operations: pending } });
}

export const size = (cu: number): Record<string, number> => ({
  autoscalingLimitMinCu: cu,
  autoscalingLimitMaxCu: cu,
});

/** State of a compute of one CU, active, and nothing in the log. */
export async function created(bench: Bench, more: object = {}): Promise<StateValues> {
  const { outs } = await bench.process().create(bench.declared({ ...size(1), ...more }));
  bench.takeRoutes();
  bench.clock.clearSleeps();
  return outs;
}

/** What a diff refuses after its check. */
export async function refusalOf(
  bench: Bench,
  { state, old, args }: { readonly state: StateValues; readonly old: Values; readonly args: Values },
): Promise<string> {
  const { handlers } = bench.process();
  const { inputs, failures } = await handlers.check(old, args);
  expect(failures).toEqual([]);
  return (await failureOf(handlers.diff(state.endpointId, { ...state }, inputs))).message;
}

/** For `afterEach`. */
export async function closeBenches(): Promise<void> {
  for (const { emulator, folder } of open.splice(0)) {
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
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

/**
 * A create whose process is killed once its POST is out: the service makes the compute, and nobody learns its id.
 *
 * @returns the compute.
 */
export async function cutOff(
  bench: Bench,
  declared: Values,
  environment?: NodeJS.ProcessEnv,
): Promise<string> {
  const before = bench.computes();
  bench.emulator.addFault({ kind: "cut", when: "after", route: "createEndpoint" });
  bench.emulator.addFault({ kind: "status", status: 500, after: 1, times: 1_000 });
  await failureOf(bench.process(environment).create(declared));
  bench.emulator.clearFaults();
  bench.takeRoutes();
  bench.said.length = 0;
  const [made = ""] = bench.computes().filter((id) => !before.includes(id));
  return made;
}

/**
 * A create whose run is killed once its answer has arrived: the journal has the id, and the backend the pending create.
 *
 * @returns the compute.
 */
export async function killedAfterAnswer(
  bench: Bench,
  declared: Values,
  environment?: NodeJS.ProcessEnv,
): Promise<string> {
  const before = bench.computes();
  await bench
    .process(environment)
    .create(declared)
    .catch(() => undefined);
  bench.takeRoutes();
  bench.said.length = 0;
  const [made = ""] = bench.computes().filter((id) => !before.includes(id));
  const { __urn: itsUrn = urn } = declared;
  bench.backend.exported = exportOf({ begun: { [String(itsUrn)]: declared } });
  return made;
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
