"use strict";

/**
 * `npm run bench -- [options]`: needs nothing but Node and npm, as every tool here.
 *
 * The tools' own way in installs and compiles; asking the control plane for its help is the cheapest command behind it.
 * The benchmark's files are no part of dist/, and run from their sources.
 */
const { spawnSync } = require("node:child_process");
const path = require("node:path");

const root = path.dirname(__dirname);

const bootstrap = path.join(root, "tools", "bootstrap.js");
const prepared = spawnSync(process.execPath, [bootstrap, "node", "dist/emulator/main.js", "--help"], {
  stdio: ["ignore", "ignore", "inherit"],
});
if (prepared.status !== 0) process.exit(prepared.status ?? 1);

// Only now: the installation brings what it needs.
require("ts-node").register({ cwd: root });

require("./run.ts")
  .run(process.argv.slice(2))
  .then(
    (code) => {
      process.exitCode = code;
    },
    (error) => {
      console.error(error.isExpected ? error.message : error);
      process.exitCode = error.exitCode ?? 1;
    },
  );
