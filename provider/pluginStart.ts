/**
 * Starts the plugin: `pulumi-resource-compute` runs this file. It is apart from the plugin's code, because Node compiles
 * a file before it runs the first line of it.
 */
import { join } from "node:path";
import { loadCompiled } from "./host/compileCache";

// Bundled by itself, beside this file.
// eslint-disable-next-line no-restricted-properties -- names the user's cache folder, and is no setting.
loadCompiled(join(__dirname, "program.js"), process.env);
