/**
 * Shows that tests still find past bugs: puts each old defect back into a copy of this repository, one at a time, and runs the
 * tests that should find it. Fails if they do not find one, or if its place in the code has changed.
 *
 * A test is named `FILE` or, cheaper, `FILE > part of its name`. `npm run test:long -- awake WORDS` runs only the defects
 * whose description has these words.
 */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync, realpathSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..", "..");
const copied = [
  "docs",
  "provider",
  "emulator",
  "sdk",
  "test",
  "preview",
  "tools",
  "verify",
  "jest.config.js",
  "package.json",
  "tsconfig.json",
];
const wanted = process.argv[2];
const defects = JSON.parse(readFileSync(join(here, "defects.json"), "utf8")).filter(
  ({ defect }) => wanted === undefined || defect.includes(wanted),
);
const base = mkdtempSync(join(tmpdir(), "compute-awake-"));
/** One copy for each process that runs tests: a copy has one defect at a time. */
const copies = Array.from({ length: availableParallelism() }, (_, index) => copyTo(join(base, `${index}`)));
try {
  // A test that fails without a defect would seem to find every one.
  const beds = [...new Set(defects.flatMap((one) => one.beds))];
  const states = await sideBySide(beds, run);
  const restless = beds.flatMap((bed, index) =>
    states[index] === "quiet" ? [] : `${bed}: ${states[index]}`,
  );
  if (restless.length > 0) throw new Error(`Without any defect, these do not pass:\n${restless.join("\n")}`);
  console.log(`${beds.length} tests pass without a defect.\n\n| defect | found by |\n| --- | --- |`);
  const results = await sideBySide(defects, look);
  const found = results.filter(Boolean).length;
  console.log(`\n${found} of ${defects.length} found.`);
  process.exitCode = found === defects.length ? 0 : 1;
} finally {
  rmSync(base, { recursive: true, force: true });
}

function copyTo(folder) {
  for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(realpathSync(join(root, "node_modules")), join(folder, "node_modules"));
  return folder;
}

/** Works on every item, as many at a time as there are copies. @returns the results, in the same order. */
async function sideBySide(all, act) {
  const results = [];
  let next = 0;
  const work = async (folder) => {
    while (next < all.length) {
      const index = next++;
      results[index] = await act(all[index], folder);
    }
  };
  await Promise.all(copies.map(work));
  return results;
}

/** Puts one defect back, runs its tests until one finds it, and takes it out again. @returns whether one did. */
async function look({ defect, file, from, to, beds }, folder) {
  const target = join(folder, file);
  const code = readFileSync(target, "utf8");
  const isPlaced = code.split(from).length === 2;
  let by = isPlaced ? "NOBODY" : "NOT APPLICABLE: its place has changed";
  if (isPlaced) {
    writeFileSync(
      target,
      code.replace(from, () => to),
    );
    for (const bed of beds) if (by === "NOBODY" && (await run(bed, folder)) === "found") by = bed;
    writeFileSync(target, code);
  }
  console.log(`| ${defect} | ${by} |`);
  return isPlaced && by !== "NOBODY";
}

/** Runs one test or file. @returns `quiet` if all pass, `found` if one fails. */
async function run(bed, folder) {
  const [file, name] = bed.split(" > ");
  const jest = join(root, "node_modules", "jest", "bin", "jest.js");
  const chosen = name === undefined ? [] : ["-t", name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")];
  const { code, output } = await outcomeOf(
    [jest, `${file}.test.ts`, "--maxWorkers=1", "--forceExit", ...chosen],
    folder,
  );
  if (!/^Tests: .*(passed|failed)/m.test(output)) return "not run";
  return code === 0 ? "quiet" : "found";
}

function outcomeOf(args, cwd) {
  const env = { ...process.env, MODEL_QUICK: "1" };
  const child = spawn(process.execPath, args, { cwd, env, timeout: 200_000 });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output })));
}
