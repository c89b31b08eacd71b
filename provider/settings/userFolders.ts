/**
 * Finds the user's folders, for defaults. `config.ts` passes the environment.
 */
import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

/** The user's state folder, according to the XDG base directories. */
export function stateHome(environment: NodeJS.ProcessEnv): string {
  const named = environment["XDG_STATE_HOME"] ?? "";
  return isAbsolute(named) ? named : join(home(), ".local", "state");
}

/** The user's cache folder, according to the XDG base directories. */
export function cacheHome(environment: NodeJS.ProcessEnv): string {
  const named = environment["XDG_CACHE_HOME"] ?? "";
  return isAbsolute(named) ? named : join(home(), ".cache");
}

/** An empty HOME, as in some containers, would be the folder of the program. */
function home(): string {
  const named = homedir();
  return isAbsolute(named) ? named : userInfo().homedir;
}
