import type { Server } from "node:http";
import { Clock } from "./model/clock";
import { Controls } from "./controls/controls";
import type { ControlsOptions } from "./controls/controls";
import { Faults } from "./faults/rules";
import { RequestLog } from "./http/requestLog";
import type { LoggedRequest } from "./http/requestLog";
import { closeServer, listen, newServer } from "./http/server";
import { Service } from "./http/service";
import { restoreSnapshot, takeSnapshot } from "./persistence/snapshot";
import { StateFile } from "./persistence/stateFile";
import { defaultSwitches, withSwitches } from "./switches";
import type { Switches } from "./switches";
import { World } from "./model/store";

export interface EmulatorOptions {
  /** Default 0: any that is free. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** The one key that is right. Default `local-key`. */
  readonly apiKey?: string;
  /** Ids are the same ones in the same order for the same seed. Default 1. */
  readonly seed?: number;
  /** Default a real clock; `new Clock("manual")` stands still until `advance`. */
  readonly clock?: Clock;
  /** How long an operation runs, in milliseconds of the clock. Default 400. */
  readonly operationMs?: number;
  /** Kept over restarts in this file; without it, in memory only. */
  readonly stateFile?: string;
  /** What the interface leaves open; see `switchTable`. */
  readonly switches?: Partial<Switches>;
  /** Called when a request to the API has ended. */
  readonly onRequest?: (request: LoggedRequest) => void;
}

/** A running emulator: the service on a socket of this machine, and its controls. */
export class Emulator extends Controls {
  /** Base URL without `/api/v2`, for example `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly port: number;
  readonly apiKey: string;
  readonly #server: Server;
  readonly #stateFile: StateFile | undefined;

  constructor(controls: ControlsOptions, socket: { server: Server; url: string; port: number }, kept: Kept) {
    super(controls);
    this.url = socket.url;
    this.port = socket.port;
    this.apiKey = kept.apiKey;
    this.#server = socket.server;
    this.#stateFile = kept.stateFile;
  }

  /** Ends every connection, frees the port, and writes what the state file lacks. */
  async close(): Promise<void> {
    await closeServer(this.#server);
    await this.#stateFile?.flush();
  }
}

interface Kept {
  readonly apiKey: string;
  readonly stateFile: StateFile | undefined;
}

/**
 * Starts the service on this machine.
 *
 * @throws Error where the port is taken or the state file can't be read.
 * @throws RangeError where a switch is unknown or its value is.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { clock = new Clock(), seed = 1, operationMs = 400, apiKey = "local-key" } = options;
  const { host = "127.0.0.1", port = 0, onRequest } = options;
  const switches = withSwitches(defaultSwitches, options.switches ?? {});
  const world = new World({ clock, seed, operationMs, switches });
  const stateFile =
    options.stateFile === undefined ? undefined : openStateFile(options.stateFile, world, clock);
  const onChange = (): void => stateFile?.changed();

  const parts = { world, faults: new Faults(), log: new RequestLog() };
  const controls = { ...parts, clock, onChange };
  const service = new Service({
    ...parts,
    apiKey,
    onRequest: (request) => {
      onRequest?.(request);
      if (request.method !== "GET") onChange();
    },
  });
  const server = newServer(service, new Controls(controls));
  const boundPort = await listen(server, { host, port });
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`;
  return new Emulator(controls, { server, url, port: boundPort }, { apiKey, stateFile });
}

function openStateFile(path: string, world: World, clock: Clock): StateFile {
  const file = new StateFile(path, () => takeSnapshot(world));
  const text = file.read();
  if (text === undefined) return file;
  try {
    // The clock may have been advanced by hand before: time never runs backwards for what was recorded.
    clock.advance(Math.max(0, restoreSnapshot(world, text) - clock.now()));
    return file;
  } catch (cause) {
    throw new Error(`The state file ${path} can't be read. Move it away to start anew.`, { cause });
  }
}
