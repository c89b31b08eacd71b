"use strict";

const { readdirSync, readFileSync } = require("node:fs");
const path = require("node:path");

/**
 * The lanes, in the order in which they run, with the seconds that one test may take. They end what hangs, and nothing
 * else: each is many times what its slowest test needs, since the machine may have other work.
 */
const lanes = { engine: 600, reliability: 600, contract: 300, emulator: 180, unit: 120 };

/** `npm test` is the `quick` part, `npm run test:full` the `rest`; `all` is both. test/support/extent.ts says more. */
const extent = process.env.TEST_EXTENT ?? "quick";

/** Files of a lane that the part of the suite has: `*.full.test.ts` are in the rest, and so is whoever asks which part it is. */
function testMatchOf(lane, root) {
  const folder = `<rootDir>/test/${lane}`;
  if (extent === "quick") return [`${folder}/**/!(*.full).test.ts`];
  if (extent === "all") return [`${folder}/**/*.test.ts`];
  const shared = readdirSync(path.join(root, "test", lane), { recursive: true })
    .filter((file) => file.endsWith(".test.ts"))
    .filter((file) => readFileSync(path.join(root, "test", lane, file), "utf8").includes('/support/extent"'))
    .map((file) => `${folder}/${file.replaceAll(path.sep, "/")}`);
  return [`${folder}/**/*.full.test.ts`, ...shared];
}

module.exports = { lanes, testMatchOf };
