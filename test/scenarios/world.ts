/**
 * One row's world: a service, an engine with a stack, others who use the service too, and time that costs nothing.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Clock, startEmulator, type Emulator, type FaultRule, type Switches } from "../../emulator";
import { hasEnded } from "../../provider/service/observation";
import { endHungRequests } from "./hung";
import { createFakeClock, type FakeClock } from "../support/fakeClock";
import { createMiniEngine, type MiniEngine, type MiniEngineOptions } from "../support/miniEngine";
import { openLine, type Line } from "./line";
import type { Values } from "../support/providerHandlers";
import type { Variant } from "../support/variants";

/** The requests that the provider sends, as rows name them. */
export const routes = {
  POST: "createEndpoint",
  PATCH: "updateEndpoint",
  DELETE: "deleteEndpoint",
  RESTART: "restartEndpoint",
  LIST: "listEndpoints",
  OPERATIONS: "listOperations",
  OPERATION: "getOperation",
} as const satisfies Readonly<Record<string, FaultRule["route"]>>;

export type Route = keyof typeof routes;

export interface WorldOptions {
  readonly variant: Variant;
  readonly switches?: Partial<Switches> | undefined;
  /** How long an operation takes, in milliseconds; default a second. */
  readonly operationMs?: number | undefined;
  readonly engine?: Partial<MiniEngineOptions> | undefined;
  /** Requests go over a line that can fail below HTTP, and a missing answer costs no time. */
  readonly hasLine?: true;
}

export interface World {
  readonly variant: Variant;
  readonly emulator: Emulator;
  readonly clock: FakeClock;
  readonly engine: MiniEngine;
  readonly line: Line | undefined;
  /** Ids by the names that rows use, in angle brackets: `branch`, `default primary`, `db` … */
  readonly ids: ReadonlyMap<string, string>;
  /** Ids of computes that others have made. */
  readonly others: Set<string>;
  /** @throws Error if nothing has this name. */
  readonly idOf: (name: string) => string;
  /** Gives an id the name that rows use for it. */
  readonly name: (name: string, id: string) => void;
  /** Values with ids in place of names. */
  readonly resolved: <T>(value: T) => T;
  /** A text with names in place of ids. */
  readonly named: (text: string) => string;
  /** Creates a branch without a compute. @returns its id. */
  readonly emptyBranch: () => string;
  /** Acts just before a request to a route reaches the service: the next request, or the one that follows `after` others. */
  readonly before: (route: Route, act: () => void, after?: number) => void;
  /** Ends operations that would never end. */
  readonly endOperations: () => void;
  /** Ends all faults, and repairs what they broke at the service. */
  readonly heal: () => void;
  /** What the last `get` found. */
  found?: Values;
  readonly close: () => Promise<void>;
}

const named = /<([a-z][\w ]*)>/g;

/** Opens a service with one project and its branches, and an engine. Operations take one second of the fake clock. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const { variant, switches = {}, operationMs = 1_000 } = options;
  const emulatorClock = new Clock("manual");
  const emulator = await startEmulator({ clock: emulatorClock, operationMs, switches });
  const clock = createFakeClock(emulatorClock);
  const line = options.hasLine && (await openLine());
  const stopEnding = options.hasLine && endHungRequests(emulator);
  const made = emulator.createProject();
  const engine = createMiniEngine({
    variant,
    baseUrl: emulator.url,
    apiKey: emulator.apiKey,
    clock,
    ...options.engine,
  });
  const emptyBranch = (): string => emulator.createBranch(made.project.id, { compute: false }).branch.id;
  const ids = new Map([
    ["service", emulator.url],
    ["project", made.project.id],
    ["default branch", made.branch.id],
    ["default primary", made.endpoint.id],
    ["branch", emptyBranch()],
    ["other branch", emptyBranch()],
    ["third branch", emptyBranch()],
  ]);
  clock.advance(5_000);
  const known = (name: string): string | undefined => engine.stored(name)?.id ?? ids.get(name);
  const idOf = (name: string): string => {
    const id = known(name);
    if (id === undefined) throw new Error(`Nothing here is called <${name}>.`);
    return id;
  };
  const watch = watchRequests();
  const others = new Set([made.endpoint.id]);
  const endOperations = (): void => {
    for (const { id, status } of emulator.operations(made.project.id))
      if (!hasEnded(status)) emulator.endOperation(id);
  };
  return {
    variant,
    emulator,
    clock,
    engine,
    ids,
    line,
    others,
    endOperations,
    heal: () => {
      line?.heal();
      emulator.clearFaults();
      emulator.clearTimelines();
      endOperations();
      // A compute that failed to start comes up when somebody connects; nobody can connect to a disabled one.
      for (const { endpoint } of emulator.endpoints(made.project.id)) {
        const hasFailed = emulator
          .operations(made.project.id)
          .some(({ endpoint_id, status }) => endpoint_id === endpoint.id && status === "failed");
        const isDown = (endpoint.current_state === "init" || hasFailed) && !endpoint.disabled;
        if (isDown && !others.has(endpoint.id)) emulator.connect(endpoint.id);
      }
      clock.advance(5_000);
    },
    idOf,
    name: (name, id) => void ids.set(name, id),
    resolved: (value) => resolvedBy(value, known),
    named: (text) => [...ids].reduce((all, [name, id]) => all.replaceAll(id, `<${name}>`), text),
    emptyBranch,
    before: watch.before,
    close: async () => {
      watch.stop();
      stopEnding?.();
      line?.close();
      await emulator.close();
    },
  };
}

function resolvedBy<T>(value: T, idOf: (name: string) => string | undefined): T {
  if (typeof value === "string")
    return value.replaceAll(named, (text, name: string) => idOf(name) ?? text) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => resolvedBy(each, idOf)) as T;
  if (typeof value !== "object" || value === null || value instanceof RegExp) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, resolvedBy<unknown>(member, idOf)]),
  ) as T;
}

/** The route of one of the provider's requests. */
export function routeOf(method: string, path: string): Route {
  if (method === "POST") return path.endsWith("/restart") ? "RESTART" : "POST";
  if (method !== "GET") return method as "PATCH" | "DELETE";
  if (/\/operations\/[^/]+$/.test(path)) return "OPERATION";
  return path.endsWith("/operations") ? "OPERATIONS" : "LIST";
}

/** Sees a request when undici makes it, before it reaches the service. */
function watchRequests(): Pick<World, "before"> & { readonly stop: () => void } {
  let waiting: { readonly route: Route; readonly act: () => void; after: number }[] = [];
  const onRequest = (message: unknown): void => {
    const { request } = message as { readonly request: { readonly method: string; readonly path: string } };
    const route = routeOf(request.method, request.path.replace(/\?.*$/, ""));
    const due = waiting.filter((one) => one.route === route && one.after-- === 0);
    waiting = waiting.filter((one) => !due.includes(one));
    for (const { act } of due) act();
  };
  subscribe("undici:request:create", onRequest);
  return {
    before: (route, act, after = 0) => void waiting.push({ route, act, after }),
    stop: () => void unsubscribe("undici:request:create", onRequest),
  };
}
