/**
 * Starts the plugin: `pulumi-resource-compute` runs this file. It is apart from the plugin's code, because Node compiles
 * a file before it runs the first line of it.
 */
import { mkdirSync, statSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { cacheHome, whyNotOwn } from "./settings/userFolders";

// Node 22.1 and later can keep compiled code from one run to the next. Its own default is a folder that all users share.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => unknown };
// eslint-disable-next-line no-restricted-properties -- names the user's cache folder, and is no setting.
const compiled = join(cacheHome(process.env), "pulumi-compute-endpoint", "compiled");
if (enableCompileCache !== undefined && isOwnAlone(compiled)) enableCompileCache(compiled);

// Bundled by itself, beside this file.
nodeModule.createRequire(__filename)("./program.js");

/** Code that another user could have put there would run. */
function isOwnAlone(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return whyNotOwn(statSync(folder)) === undefined;
  } catch {
    return false;
  }
}
