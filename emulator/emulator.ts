/**
 * Starts an emulator: the service on a socket of this machine, and its controls.
 */
import type { Server } from "node:http";
import type { Hono } from "hono";
import type { ComputeDriver } from "./extras/computes/driver";
import type { HostedComputes } from "./extras/computes/open";
import type { OpenHost } from "./service/host";
import { isLoopback } from "./service/controls/access";
import { Controls, type ControlsOptions } from "./service/controls/controls";
import type { Bindings } from "./service/controls/routes";
import { Faults } from "./service/faults/rules";
import { RequestLog, type LoggedRequest } from "./service/http/requestLog";
import { closeServer, listen, newServer, type ServerFacts } from "./service/http/server";
import { Service } from "./service/http/service";
import { Clock } from "./service/model/clock";
import { releaseHeld } from "./service/model/operations";
import { Store } from "./service/model/store";
import { restoreSnapshot, takeSnapshot } from "./service/persistence/snapshot";
import { StateFile } from "./service/persistence/stateFile";
import { defaultSwitches, withSwitches, type Switches } from "./service/switches";

/** How the emulator starts. Whatever is left out has a default. */
export interface EmulatorOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** The only valid API key. Default `local-key`. */
  readonly apiKey?: string;
  /** The same seed gives the same ids in the same order. Default 1. */
  readonly seed?: number;
  /** Default: a real clock. `new Clock("manual")` moves only by `advance`. */
  readonly clock?: Clock;
  /** The shortest time that an operation runs, in milliseconds of the clock. Default 400, or 0 if computes are real. */
  readonly operationMs?: number;
  /** Keeps the state across restarts. Default: the state is in memory only. */
  readonly stateFile?: string;
  /** What the service may do differently where its API is not specified; see `switchTable`. */
  readonly switches?: Partial<Switches>;
  /**
   * Whether computes are real. `simulated` (default): they are only records. `postgres`: each is a Postgres server on
   * this machine. If there is no Postgres, computes are simulated, and `Emulator.computes` says why. To run computes on
   * a host of your own, pass a function that opens it.
   */
  readonly computes?: "simulated" | "postgres" | OpenHost;
  /** Called with notices for the user that are in no API answer, such as why a real compute did not do what was asked. */
  readonly onNotice?: (text: string) => void;
  /** Called when a request to the API has ended. */
  readonly onRequest?: (request: LoggedRequest) => void;
}

/**
 * A running emulator: the service on a socket of this machine, and its controls.
 *
 * Changes made by the controls are not in the request log, meet no fault, and need no key.
 */
export class Emulator extends Controls {
  /** Base URL without `/api/v2`, for example `http://127.0.0.1:8787`. */
  readonly url: string;
  /** The TCP port that it listens on. */
  readonly port: number;
  /** The only valid API key. */
  readonly apiKey: string;
  readonly #server: Server;
  /** Whether computes are real, and why. */
  readonly computes: ComputesFacts;
  readonly #stateFile: StateFile | undefined;
  readonly #driver: ComputeDriver | undefined;

  /** @internal Made by `startEmulator`. */
  constructor(controls: ControlsOptions, socket: { server: Server; url: string; port: number }, kept: Kept) {
    super(controls);
    this.url = socket.url;
    this.port = socket.port;
    this.apiKey = kept.apiKey;
    this.#server = socket.server;
    this.computes = kept.computes;
    this.#stateFile = kept.stateFile;
    this.#driver = kept.driver;
  }

  /** Returns once every real compute has its address: until then, the controls show it without a `place`. */
  async addressed(): Promise<void> {
    await this.#driver?.admitAll();
  }

  /** Ends every connection, frees the ports, stops real computes, and brings the state file up to date. */
  async close(): Promise<void> {
    await closeServer(this.#server);
    await this.#driver?.close();
    await this.#stateFile?.flush();
  }
}

interface Kept {
  readonly apiKey: string;
  readonly stateFile: StateFile | undefined;
  readonly computes: ComputesFacts;
  readonly driver: ComputeDriver | undefined;
}

/** Whether computes are real, and why. */
export interface ComputesFacts {
  /** `simulated`: they are records. `hosted`: each is a server that clients reach. */
  readonly kind: "simulated" | "hosted";
  /** Which host is used and why, or why there is none. */
  readonly reason: string;
}

/**
 * Starts the service on this machine.
 *
 * @example
 * ```ts
 * import { startEmulator } from "pulumi-compute-endpoint/emulator";
 *
 * const emulator = await startEmulator({ operationMs: 20 });
 * const { project } = emulator.createProject();
 * const { branch } = emulator.createBranch(project.id, { compute: false });
 * // COMPUTE_BASE_URL=emulator.url, COMPUTE_API_KEY=emulator.apiKey: run a program on that branch.
 * console.log(emulator.requests().map(({ method, path }) => `${method} ${path}`));
 * await emulator.close();
 * ```
 *
 * @throws Error if the port is taken or the state file can't be read.
 * @throws RangeError if a switch or its value is unknown.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { clock = new Clock(), apiKey = "local-key", host = "127.0.0.1", port = 0 } = options;
  const opened = await openComputes(options, clock);
  try {
    const { store, stateFile, driver } = openStore(options, clock, opened);
    const onChange = (): void => {
      stateFile?.changed();
      driver?.notice();
    };
    const parts = { store, faults: new Faults(), log: new RequestLog() };
    const controls = { ...parts, clock, onChange, ...(opened.hosted && { host: opened.hosted.host }) };
    const service = new Service({
      ...parts,
      apiKey,
      onRequest: (request) => {
        options.onRequest?.(request);
        if (request.method !== "GET") onChange();
      },
    });
    const { kind, reason } = opened.facts;
    const words = kind === "hosted" ? reason : `simulated, because ${reason}`;
    const isOpen = !isLoopback(host);
    if (isOpen) options.onNotice?.(openWarning(host, apiKey));
    const shown = new Controls(controls);
    const server = newServer(service, shown, { isOpen, addRoutes: consoleRoutes(shown, words) });
    await driver?.admitAll();
    const boundPort = await listen(server, { host, port });
    const url = `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`;
    const kept = { apiKey, stateFile, driver, computes: opened.facts };
    return new Emulator(controls, { server, url, port: boundPort }, kept);
  } catch (error) {
    await opened.hosted?.host.close();
    throw error;
  }
}

const consolePath = "/_emulator/console";

/** Loads the console only when somebody opens it: tests and CI never do. */
function consoleRoutes(controls: Controls, computes: string): ServerFacts["addRoutes"] {
  let opened: Promise<Hono<Bindings>> | undefined;
  return (app) => {
    for (const path of [consolePath, `${consolePath}/*`])
      app.get(path, async ({ req, env }) => {
        opened ??= import("./extras/console/routes.js").then(({ createConsole }) =>
          createConsole(controls, computes),
        );
        return (await opened).fetch(req.raw, env);
      });
    app.get("/", (context) => {
      const isBrowser = /\btext\/html\b/.test(context.req.header("accept") ?? "");
      return isBrowser ? context.redirect(consolePath) : context.notFound();
    });
  };
}

function openWarning(host: string, apiKey: string): string {
  const key = apiKey === "local-key" ? " the documented key, local-key" : " the key";
  return (
    `warning: --host ${host} lets other machines reach the API, over HTTP without encryption, with${key}. ` +
    "Leave --host out to allow only this machine, or choose a key with --api-key."
  );
}

function openStore(
  options: EmulatorOptions,
  clock: Clock,
  { hosted }: OpenedComputes,
): { store: Store; stateFile: StateFile | undefined; driver: ComputeDriver | undefined } {
  const switches = withSwitches(defaultSwitches, options.switches ?? {});
  // Only simulated operations need a delay: real computes take time anyway.
  const { seed = 1, operationMs = hosted ? 0 : 400 } = options;
  const store = new Store({ clock, seed, operationMs, switches, ...(hosted && { hosted: hosted.answers }) });
  const stateFile =
    options.stateFile === undefined ? undefined : openStateFile(options.stateFile, store, clock);
  const driver = hosted?.drive(store, () => stateFile?.changed());
  if (!driver) releaseHeld(store.projects.values(), store.now());
  return { store, stateFile, driver };
}

interface OpenedComputes {
  readonly facts: ComputesFacts;
  /** undefined if computes are simulated. */
  readonly hosted: HostedComputes | undefined;
}

/** Opens real computes. Their code is loaded only if they are asked for. */
async function openComputes(
  { computes = "simulated", stateFile, onNotice = () => undefined }: EmulatorOptions,
  clock: Clock,
): Promise<OpenedComputes> {
  if (computes === "simulated") return simulated("nothing else was requested");
  try {
    const { openHosted, postgresHost } = await import("./extras/computes/open.js");
    const open = computes === "postgres" ? await postgresHost(stateFile) : computes;
    const hosted = await openHosted(open, clock, onNotice);
    return { facts: { kind: "hosted", reason: hosted.host.description }, hosted };
  } catch (error) {
    return simulated(error instanceof Error ? error.message : String(error));
  }
}

function simulated(reason: string): OpenedComputes {
  return { facts: { kind: "simulated", reason }, hosted: undefined };
}

function openStateFile(path: string, store: Store, clock: Clock): StateFile {
  const file = new StateFile(path, () => takeSnapshot(store));
  const text = file.read();
  if (text === undefined) return file;
  try {
    // The earlier run may have advanced its clock by hand. The new clock must not be behind the records.
    clock.advance(Math.max(0, restoreSnapshot(store, text) - clock.now()));
    return file;
  } catch (cause) {
    throw new Error(`The state file ${path} can't be read. Move it away to start anew.`, { cause });
  }
}
