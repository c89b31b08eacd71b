/**
 * Finds the user's folders, for defaults. `config.ts` passes the environment.
 */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The user's state folder, according to the XDG base directories. */
export function stateHome(environment: NodeJS.ProcessEnv): string {
  const named = environment["XDG_STATE_HOME"] ?? "";
  return isAbsolute(named) ? named : join(homedir(), ".local", "state");
}

/** The user's cache folder, according to the XDG base directories. */
export function cacheHome(environment: NodeJS.ProcessEnv): string {
  const named = environment["XDG_CACHE_HOME"] ?? "";
  return isAbsolute(named) ? named : join(homedir(), ".cache");
}
