/**
 * The folder where the plugin keeps its compiled code from one run to the next.
 */
import { mkdirSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Creates it in the user's cache folder, according to the XDG base directories.
 *
 * @returns undefined if another user could put code there, which would run.
 */
export function compileCacheFolder(environment: NodeJS.ProcessEnv): string | undefined {
  const named = environment["XDG_CACHE_HOME"] ?? "";
  // An empty HOME, as in some containers, would be the folder of the program.
  const home = isAbsolute(homedir()) ? homedir() : userInfo().homedir;
  const caches = isAbsolute(named) ? named : join(home, ".cache");
  const folder = join(caches, "pulumi-compute-endpoint", "compiled");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(folder);
    // Windows does not have such owners.
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return isOwn ? folder : undefined;
  } catch {
    return undefined;
  }
}
