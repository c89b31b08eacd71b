/**
 * `npm run test:nodes`: runs the tests that depend on Node's version with every tested version except the version that
 * runs this command, which `npm test` covers.
 *
 * If npm does not provide a version, that version was not checked, so the command fails.
 */
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { exitCodeOf, passSignalsOn, runChild, throwIfStopped } from "../children";
import { ensureEngine } from "../engine/ensure";
import { firstOnPath } from "../engine/environment";
import { executableName } from "../engine/platform";
import { nodeFolder } from "../nodes";
import { testedNodes } from "../tested";

/** Tests of processes that are started, of streams and sockets, and of a stack of each variant. */
const files = [
  "emulator/test/main",
  "test/contract/(commands|plugin|process|start)",
  "test/engine/life",
  "test/unit/action/action",
  "test/unit/preview/input",
  "test/unit/provider/lookups",
  "test/unit/provider/service/(bundled|proxies|transport)",
];

export async function run(): Promise<number> {
  passSignalsOn();
  await ensureEngine();
  const results: string[] = [];
  let code = 0;
  for (const version of testedNodes) {
    const ended = version === process.versions.node ? own : await testWith(version);
    throwIfStopped();
    results.push(`Node ${version.padEnd(9)} ${ended.result}`);
    code ||= ended.code;
  }
  console.error(`\n${results.join("\n")}`);
  return code;
}

interface Result {
  readonly code: number;
  readonly result: string;
}

const own: Result = { code: 0, result: "not run here: npm test covers this version" };

async function testWith(version: string): Promise<Result> {
  let folder;
  try {
    folder = await nodeFolder(version);
  } catch (error) {
    return { code: 1, result: `not checked: ${error instanceof Error ? error.message : String(error)}` };
  }
  console.error(`\njest, with Node ${version} (${folder}) …`);
  const startedMs = Date.now();
  // With CI set, the emulator's tests run even if the emulator has not changed.
  const env = { ...firstOnPath(folder, process.env), TEST_EXTENT: "quick", CI: "true" };
  const node = path.join(folder, executableName("node"));
  const jest = [require.resolve("jest/bin/jest"), "--testPathPatterns", ...files];
  const code = exitCodeOf(await runChild(node, jest, { cwd: checkoutFolder, detached: true, env }));
  const seconds = Math.round((Date.now() - startedMs) / 1000);
  return { code, result: `${code === 0 ? "passed" : "failed"}, ${seconds} s` };
}
