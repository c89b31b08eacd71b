"use strict";

/**
 * Bundles the Action into one file. The file is committed, since a runner takes the repository as it is and builds
 * nothing.
 *
 * `npm run action`. With `-- --check` it writes nothing, and fails if the file does not match the present source.
 */
const fs = require("node:fs");
const path = require("node:path");
const esbuild = require("esbuild");
const { noticesOf, packagesIn } = require("../plugin/bundled");

const root = path.join(__dirname, "..", "..");
const file = path.join(root, "action", "bundle.js");

/** @returns the bundle's text, and the packages in it. */
function bundleAction() {
  const { outputFiles, metafile } = esbuild.buildSync({
    absWorkingDir: root,
    entryPoints: [path.join("action", "main.ts")],
    bundle: true,
    platform: "node",
    target: "node20",
    minify: true,
    write: false,
    // pg loads it only if a program asks for it.
    external: ["pg-native"],
    metafile: true,
    legalComments: "eof",
    logLevel: "warning",
    banner: { js: "// Made by `npm run action` of action/ and preview/: change those." },
  });
  const packages = packagesIn(metafile);
  return { text: `${outputFiles[0].text}${noticesOf(packages)}`, packages };
}

module.exports = { bundleAction };

if (require.main === module) {
  const { text } = bundleAction();
  if (!process.argv.includes("--check")) fs.writeFileSync(file, text);
  else if (fs.readFileSync(file, "utf8") !== text) {
    process.stderr.write("action/bundle.js does not match the source: run npm run action\n");
    process.exitCode = 1;
  }
}
