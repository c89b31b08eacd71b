/**
 * Keeps compiled code from one run to the next: compiling takes half of the plugin's start.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { cacheHome } from "../settings/userFolders";
import { readOwnBytes, writeNow } from "../writes/flushedFile";

/** What Node offers for this; Node 20 has no `enableCompileCache`. */
interface Runtime {
  readonly enableCompileCache?: (folder: string) => unknown;
  /** Calls back when the process ends in good order. */
  readonly onExit: (act: () => void) => unknown;
}

const thisRuntime: Runtime = {
  ...(nodeModule as Pick<Runtime, "enableCompileCache">),
  onExit: (act) => process.once("exit", act),
};

/**
 * Loads a CommonJS file with the compiled code of an earlier run, which is in the user's cache folder. Node 22.1 and later
 * keep that code themselves; before, this file does. Without a folder to write to, the code is compiled in each run.
 *
 * @param environment - `NODE_DISABLE_COMPILE_CACHE` turns it off, as in Node itself.
 */
export function loadCompiled(
  file: string,
  environment: NodeJS.ProcessEnv,
  { enableCompileCache, onExit }: Runtime = thisRuntime,
): void {
  const folder = join(cacheHome(environment), "pulumi-compute-endpoint", "compiled");
  const load = nodeModule.createRequire(file);
  const isOff = (environment["NODE_DISABLE_COMPILE_CACHE"] ?? "") !== "";
  if (isOff || enableCompileCache !== undefined) {
    enableCompileCache?.(folder);
    load(file);
    return;
  }
  const source = readFileSync(file);
  // Of the source, V8 compares nothing but the length.
  const name = `${process.version}-${process.arch}-${digest(source).toString("hex").slice(0, 32)}`;
  const kept = keptCode(folder, name);
  const script = new Script(asFunction(source.toString("utf8")), {
    filename: file,
    ...(kept && { cachedData: kept }),
  });
  // At the end, when most of the functions that a run needs have been compiled.
  if (kept === undefined || script.cachedDataRejected === true)
    onExit(() => {
      keep(folder, name, script.createCachedData());
    });
  const module = { exports: {} };
  const run = script.runInThisContext() as (...args: unknown[]) => void;
  run.call(module.exports, module.exports, load, module, file, dirname(file));
}

/** As Node wraps a CommonJS file, so that lines keep their numbers. */
function asFunction(source: string): string {
  return `(function (exports, require, module, __filename, __dirname) { ${source}\n});`;
}

const digestBytes = 32;

function digest(content: Buffer): Buffer {
  return createHash("sha256").update(content).digest();
}

/** V8 trusts the code that it is given: a file that a power cut has damaged must not reach it. */
function keptCode(folder: string, name: string): Buffer | undefined {
  try {
    const content = readOwnBytes(folder, name);
    const code = content?.subarray(digestBytes);
    return code && content && digest(code).equals(content.subarray(0, digestBytes)) ? code : undefined;
  } catch {
    return undefined;
  }
}

function keep(folder: string, name: string, code: Buffer): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeNow(folder, name, Buffer.concat([digest(code), code]));
  } catch {
    // The next run compiles again.
  }
}
