/**
 * Finds the user's folders, for defaults, and tells whether they are the user's alone. `config.ts` passes the environment.
 */
import type { Stats } from "node:fs";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

/** The user's cache folder, according to the XDG base directories. */
export function cacheHome(environment: NodeJS.ProcessEnv): string {
  const named = environment["XDG_CACHE_HOME"] ?? "";
  return isAbsolute(named) ? named : join(home(), ".cache");
}

/** Why a file or folder is not this user's alone; undefined if it is. Windows does not have such owners. */
export function whyNotOwn({ uid, mode }: Pick<Stats, "uid" | "mode">): string | undefined {
  if (process.getuid === undefined) return undefined;
  if (uid !== process.getuid()) return "belongs to another user";
  return (mode & 0o022) === 0 ? undefined : "can be written by other users (chmod go-w)";
}

/** An empty HOME, as in some containers, would be the folder of the program. */
function home(): string {
  const named = homedir();
  return isAbsolute(named) ? named : userInfo().homedir;
}
