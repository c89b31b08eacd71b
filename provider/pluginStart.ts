/**
 * Starts the plugin: `pulumi-resource-compute` runs this file. It is apart from the plugin's code, because Node compiles
 * a file before it runs the first line of it.
 */
import * as nodeModule from "node:module";
import { compileCacheFolder } from "./compileCache";

// Node 22.1 and later can keep compiled code from one run to the next. Its own default is a folder that all users share.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => unknown };
// eslint-disable-next-line no-restricted-properties -- names the user's cache folder, and is no setting.
const folder = enableCompileCache && compileCacheFolder(process.env);
if (folder !== undefined) enableCompileCache?.(folder);

// Bundled by itself, beside this file.
nodeModule.createRequire(__filename)("./program.js");
