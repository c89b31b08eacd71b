"use strict";

const { spawnSync } = require("node:child_process");
const { readdirSync, readFileSync } = require("node:fs");
const path = require("node:path");
const fullOnly = require("./fullOnly");

/**
 * The lanes, in the order in which they run, with the seconds that one test may take. They end what hangs, and nothing
 * else: each is many times what its slowest test needs, since the machine may have other work.
 */
const lanes = { engine: 900, reliability: 600, contract: 300, emulator: 180, scenarios: 120, unit: 120 };

/** Jest by itself runs both parts, `npm test` the `quick` one, `npm run test:full` the `rest`. test/support/extent.ts says more. */
const { TEST_EXTENT: extent = "all", CI: ci } = process.env;

/** The files of a lane that this part has: whoever asks which part it is has tests in both. */
function testMatchOf(lane, root) {
  if (lane === "emulator") return emulatorTests(root);
  const all = `<rootDir>/test/${lane}/**/*.test.ts`;
  if (extent === "all") return [all];
  const rest = fullOnly.map(({ file }) => file).filter((file) => file.startsWith(`test/${lane}/`));
  // Where a lane has none, jest must not take its own patterns.
  if (extent === "rest")
    return [...rest, ...inBothParts(lane, root), "no/other"].map((file) => `<rootDir>/${file}`);
  return [all, ...rest.map((file) => `!**/${file}`)];
}

/** The emulator imports nothing: `npm test` runs its tests in CI, and where it was changed. */
function emulatorTests(root) {
  const isRun = extent === "all" || (extent === "quick" && (ci !== undefined || isEmulatorChanged(root)));
  return [`<rootDir>/${isRun ? "emulator/test/**/*.test.ts" : "no/other"}`];
}

/** Since this branch left the main one, or since the last commit of the main one. Where git does not say: yes. */
function isEmulatorChanged(root) {
  const git = (...words) => spawnSync("git", words, { cwd: root, encoding: "utf8" });
  const { stdout } = git("merge-base", "HEAD", "origin/HEAD");
  const base = stdout.trim() === git("rev-parse", "HEAD").stdout.trim() ? "HEAD~1" : stdout.trim();
  const watched = ["--", "emulator", "docs/contributing/interface.md"];
  const isSame = base !== "" && git("diff", "--quiet", base, ...watched).status === 0;
  return !isSame || git("status", "--porcelain", ...watched).stdout !== "";
}

/** By itself, or as a table of scenarios. */
const asksForItsPart = /"(\.\.\/.*\/extent|\.\/scenarios)"/;

function inBothParts(lane, root) {
  return readdirSync(path.join(root, "test", lane), { recursive: true })
    .map((file) => `test/${lane}/${file.replaceAll(path.sep, "/")}`)
    .filter((file) => file.endsWith(".test.ts"))
    .filter((file) => asksForItsPart.test(readFileSync(path.join(root, file), "utf8")));
}

module.exports = { lanes, testMatchOf };
