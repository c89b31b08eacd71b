import type { Server } from "node:http";
import { Controls, type ControlsOptions } from "./controls/controls";
import { Faults } from "./faults/rules";
import { RequestLog, type LoggedRequest } from "./http/requestLog";
import { closeServer, listen, newServer } from "./http/server";
import { Service } from "./http/service";
import { Clock } from "./model/clock";
import { Store } from "./model/store";
import { restoreSnapshot, takeSnapshot } from "./persistence/snapshot";
import { StateFile } from "./persistence/stateFile";
import { defaultSwitches, withSwitches, type Switches } from "./switches";

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
  /** How long an operation runs, in milliseconds of the clock. Default 400. */
  readonly operationMs?: number;
  /** Keeps the state over restarts. Default: the state is in memory only. */
  readonly stateFile?: string;
  /** Choices that the interface leaves open; see `switchTable`. */
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

  /** Ends every connection, frees the port, and brings the state file up to date. */
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
  const store = new Store({ clock, seed, operationMs, switches });
  const stateFile =
    options.stateFile === undefined ? undefined : openStateFile(options.stateFile, store, clock);
  const onChange = (): void => stateFile?.changed();

  const parts = { store, faults: new Faults(), log: new RequestLog() };
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

function openStateFile(path: string, store: Store, clock: Clock): StateFile {
  const file = new StateFile(path, () => takeSnapshot(store));
  const text = file.read();
  if (text === undefined) return file;
  try {
    // The clock may have been advanced by hand in the earlier run; it must not be behind the records.
    clock.advance(Math.max(0, restoreSnapshot(store, text) - clock.now()));
    return file;
  } catch (cause) {
    throw new Error(`The state file ${path} can't be read. Move it away to start anew.`, { cause });
  }
}
