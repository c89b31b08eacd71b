"use strict";

/**
 * Bundles the action: one file, committed, since a runner takes the repository as it is and builds nothing.
 *
 * `npm run action`; with `-- --check` it writes nothing, and fails where the file is not that of today's source.
 */
const fs = require("node:fs");
const path = require("node:path");
const esbuild = require("esbuild");

const root = path.join(__dirname, "..", "..");
const file = path.join(root, "action", "bundle.js");

const { outputFiles } = esbuild.buildSync({
  absWorkingDir: root,
  entryPoints: [path.join("action", "main.ts")],
  bundle: true,
  platform: "node",
  target: "node20",
  minify: true,
  write: false,
  legalComments: "none",
  logLevel: "warning",
  banner: { js: "// Made by `npm run action` of action/ and preview/: change those." },
});
const [{ text }] = outputFiles;

if (!process.argv.includes("--check")) fs.writeFileSync(file, text);
else if (fs.readFileSync(file, "utf8") !== text) {
  process.stderr.write("action/bundle.js is not that of today's source: npm run action\n");
  process.exitCode = 1;
}
