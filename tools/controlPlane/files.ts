import path from "node:path";

import { localFolder } from "../checkout";

export const controlPlaneFolder: string = path.join(localFolder, "control-plane");

/** What the control plane remembers between commands. */
export const stateFile: string = path.join(controlPlaneFolder, "state.json");

/** Where the running keeper is; absent when there is none. */
export const keeperFile: string = path.join(controlPlaneFolder, "keeper.json");

export const logFile: string = path.join(controlPlaneFolder, "log.txt");

export interface KeeperFacts {
  readonly pid: number;
  /** Of the loopback port that users connect to; not the control plane's own. */
  readonly port: number;
}

/** What the keeper tells each user. */
export interface Welcome {
  readonly url: string;
  readonly apiKey: string;
}
