/**
 * The files of the local control plane, and what they contain.
 */
import path from "node:path";

import type { ComputesFacts } from "../../emulator/index";
import { localFolder } from "../checkout";

export const controlPlaneFolder: string = path.join(localFolder, "control-plane");

/** What the control plane remembers between commands. */
export const stateFile: string = path.join(controlPlaneFolder, "state.json");

/** Where the running daemon can be reached; absent if none runs. */
export const daemonFile: string = path.join(controlPlaneFolder, "daemon.json");

export const logFile: string = path.join(controlPlaneFolder, "log.txt");

export interface DaemonFacts {
  readonly pid: number;
  /** The loopback port that users connect to, not the control plane's own. */
  readonly port: number;
}

/** What the daemon first tells each user. */
export interface Welcome {
  readonly url: string;
  readonly apiKey: string;
  /** Whether computes are real, and why. */
  readonly computes: ComputesFacts;
}
