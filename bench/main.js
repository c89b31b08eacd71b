"use strict";

/**
 * `npm run bench -- [options]`: needs only Node and npm, like every tool here.
 *
 * It first runs the cheapest command of the tools, the help of the control plane, to install and compile. The
 * benchmark's files are not part of dist/, and run from their sources.
 */
const { spawnSync } = require("node:child_process");
const path = require("node:path");

const root = path.dirname(__dirname);

const bootstrap = path.join(root, "tools", "bootstrap.js");
const prepared = spawnSync(process.execPath, [bootstrap, "node", "dist/emulator/main.js", "--help"], {
  stdio: ["ignore", "ignore", "inherit"],
});
if (prepared.status !== 0) process.exit(prepared.status ?? 1);

// Required only now: the installation provides ts-node.
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
