/**
 * Keeps compiled code from one run to the next.
 */
import * as nodeModule from "node:module";
import { join } from "node:path";
import { cacheHome } from "../settings/userFolders";

/** The part of `node:module` that is used here; Node 20 does not have it. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/**
 * Lets Node write the compiled code of every file that is loaded from now on to the user's cache folder, and load it
 * from there in the next run: Node 22.1 and later. If the folder cannot be written, Node goes on without it.
 */
export function keepCompiledCode(
  environment: NodeJS.ProcessEnv,
  { enableCompileCache }: CompileCache = nodeModule as object,
): void {
  enableCompileCache?.(join(cacheHome(environment), "pulumi-compute-endpoint", "compiled"));
}
