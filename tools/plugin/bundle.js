"use strict";

/**
 * Bundles the plugin: one file that runs where no node_modules are, with what starts it on each system.
 *
 * `node tools/plugin/bundle.js [dist]`
 */
const fs = require("node:fs");
const path = require("node:path");
const esbuild = require("esbuild");

const root = path.join(__dirname, "..", "..");
const dist = path.resolve(process.argv[2] ?? path.join(root, "dist"));
const folder = path.join(dist, "plugin");

fs.rmSync(folder, { recursive: true, force: true });
esbuild.buildSync({
  entryPoints: [path.join(root, "provider", "plugin.ts")],
  outfile: path.join(folder, "plugin.js"),
  bundle: true,
  platform: "node",
  target: "node20.18",
  minify: true,
  // The names of errors are shown.
  keepNames: true,
  legalComments: "linked",
  logLevel: "warning",
});

const { name, version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
// Says the version, and that the bundle is CommonJS whatever folder it is unpacked into.
write("package.json", `${JSON.stringify({ name, version, type: "commonjs" })}\n`);
write("pulumi-resource-compute", '#!/bin/sh\nexec node "$(dirname "$0")/plugin.js" "$@"\n');
write("pulumi-resource-compute.cmd", '@echo off\r\nnode "%~dp0plugin.js" %*\r\n');
fs.chmodSync(path.join(folder, "pulumi-resource-compute"), 0o755);
// Writes schema.json beside them, of the tables that were compiled just before.
require(path.join(dist, "tools", "schema", "main.js"));

function write(file, text) {
  fs.writeFileSync(path.join(folder, file), text);
}
