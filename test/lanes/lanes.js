"use strict";

const { readdirSync, readFileSync } = require("node:fs");
const path = require("node:path");
const fullOnly = require("./fullOnly");

/**
 * The lanes, in the order in which they run, with the seconds that one test may take. They end what hangs, and nothing
 * else: each is many times what its slowest test needs, since the machine may have other work.
 */
const lanes = { engine: 900, reliability: 600, contract: 300, emulator: 180, scenarios: 120, unit: 120 };

/** Jest by itself runs both parts, `npm test` the `quick` one, `npm run test:full` the `rest`. test/support/extent.ts says more. */
const { TEST_EXTENT: extent = "all" } = process.env;

/** The files of a lane that this part has: whoever asks which part it is has tests in both. */
function testMatchOf(lane, root) {
  const all = `<rootDir>/test/${lane}/**/*.test.ts`;
  if (extent === "all") return [all];
  const rest = fullOnly.map(({ file }) => file).filter((file) => file.startsWith(`test/${lane}/`));
  // Where a lane has none, jest must not take its own patterns.
  if (extent === "rest")
    return [...rest, ...inBothParts(lane, root), "no/other"].map((file) => `<rootDir>/${file}`);
  return [all, ...rest.map((file) => `!**/${file}`)];
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
