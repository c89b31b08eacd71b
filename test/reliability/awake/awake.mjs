/**
 * A bed that sleeps proves nothing: old defects are put back into a copy of this repository, one at a time, and the bed
 * that should find each is run. Fails where one is not found, or where its place in the code has changed.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
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
  "jest.config.js",
  "package.json",
  "tsconfig.json",
];
const wanted = process.argv[2];
const defects = JSON.parse(readFileSync(join(here, "defects.json"), "utf8")).filter(
  ({ defect }) => wanted === undefined || defect.includes(wanted),
);
const folder = mkdtempSync(join(tmpdir(), "compute-awake-"));
const results = [];
try {
  for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(realpathSync(join(root, "node_modules")), join(folder, "node_modules"));
  // A bed that fails by itself finds everything, and so nothing.
  const beds = [...new Set(defects.flatMap((one) => one.beds))];
  const restless = beds.filter((bed) => run(bed) !== "quiet");
  if (restless.length > 0) throw new Error(`Without any defect, these do not pass: ${restless.join(", ")}`);
  console.log(`${beds.length} beds pass without a defect.\n\n| defect | found by |\n| --- | --- |`);
  for (const one of defects) {
    const result = look(one);
    results.push(result);
    console.log(`| ${one.defect} | ${result.by} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = results.every(({ isFound }) => isFound) ? 0 : 1;

/** Puts one defect back, runs its beds until one finds it, and takes it out again. */
function look({ file, from, to, beds }) {
  const target = join(folder, file);
  const code = readFileSync(target, "utf8");
  if (code.split(from).length !== 2) return { isFound: false, by: "NOT APPLICABLE: its place has changed" };
  writeFileSync(
    target,
    code.replace(from, () => to),
  );
  const by = beds.filter((bed) => run(bed) === "found");
  writeFileSync(target, code);
  return by.length === 0 ? { isFound: false, by: "NOBODY" } : { isFound: true, by: by.join(", ") };
}

/** Runs one bed: `quiet` where all its tests pass, `found` where one fails. */
function run(bed) {
  const jest = join(root, "node_modules", "jest", "bin", "jest.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [jest, `${bed}.test.ts`], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, MODEL_QUICK: "1" },
    timeout: 200_000,
  });
  if (!/^Tests: /m.test(`${stdout}${stderr}`)) return "not run";
  return status === 0 ? "quiet" : "found";
}
