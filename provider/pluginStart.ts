/**
 * Starts the plugin: `pulumi-resource-compute` runs this file. It is apart from the plugin's code, because Node compiles
 * a file before it runs the first line of it.
 */
import { createRequire } from "node:module";
import { keepCompiledCode } from "./host/compileCache";

// eslint-disable-next-line no-restricted-properties -- names the user's cache folder, and is no setting.
keepCompiledCode(process.env);
// Bundled by itself, beside this file.
createRequire(__filename)("./program.js");
