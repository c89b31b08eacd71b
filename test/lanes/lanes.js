"use strict";

const { spawnSync } = require("node:child_process");
const { readdirSync, readFileSync } = require("node:fs");
const path = require("node:path");
const fullOnly = require("./fullOnly");

/**
 * The lanes, in the order in which they run, with the time limit of one test in seconds. The limits are only for tests that
 * hang: each is many times what the slowest test needs, since the machine can be busy with other work.
 */
const lanes = { engine: 900, reliability: 600, contract: 300, emulator: 180, scenarios: 120, unit: 120 };

/** Plain Jest runs both parts, `npm test` runs `quick`, and `npm run test:full` runs `rest`. test/support/extent.ts says more. */
const { TEST_EXTENT: extent = "all", CI: ci } = process.env;

/** The files of a lane in this part; a file that asks which part is running has tests in both. */
function testMatchOf(lane, root) {
  if (lane === "emulator") return emulatorTests(root);
  const all = `<rootDir>/test/${lane}/**/*.test.ts`;
  if (extent === "all") return [all];
  const rest = fullOnly.map(({ file }) => file).filter((file) => file.startsWith(`test/${lane}/`));
  // If a lane has no files, Jest must not use its default patterns.
  if (extent === "rest")
    return [...rest, ...inBothParts(lane, root), "no/other"].map((file) => `<rootDir>/${file}`);
  return [all, ...rest.map((file) => `!**/${file}`)];
}

/** The emulator imports nothing from other folders, so `npm test` runs its tests only in CI, or if the emulator has changed. */
function emulatorTests(root) {
  const isRun = extent === "all" || (extent === "quick" && (ci !== undefined || isEmulatorChanged(root)));
  return [`<rootDir>/${isRun ? "emulator/test/**/*.test.ts" : "no/other"}`];
}

/** Whether the emulator has changed since this branch left the main branch, or in the main branch's last commit. Without git: yes. */
function isEmulatorChanged(root) {
  const git = (...words) => spawnSync("git", words, { cwd: root, encoding: "utf8" });
  const { stdout } = git("merge-base", "HEAD", "origin/HEAD");
  const base = stdout.trim() === git("rev-parse", "HEAD").stdout.trim() ? "HEAD~1" : stdout.trim();
  const watched = ["--", "emulator", "docs/contributing/interface.md"];
  const isSame = base !== "" && git("diff", "--quiet", base, ...watched).status === 0;
  return !isSame || git("status", "--porcelain", ...watched).stdout !== "";
}

/** A file asks by importing extent.ts, or by having a table of scenarios. */
const asksForItsPart = /"(\.\.\/.*\/extent|\.\/scenarios)"/;

function inBothParts(lane, root) {
  return readdirSync(path.join(root, "test", lane), { recursive: true })
    .map((file) => `test/${lane}/${file.replaceAll(path.sep, "/")}`)
    .filter((file) => file.endsWith(".test.ts"))
    .filter((file) => asksForItsPart.test(readFileSync(path.join(root, file), "utf8")));
}

module.exports = { lanes, testMatchOf };
