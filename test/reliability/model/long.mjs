/**
 * `npm run test:long -- model [LIVES] [FIRST SEED]`: random lives with seeds that nobody has tried, as many at a time as this
 * machine has processors. Ends at the first life that fails, with its shortest form and the line that runs it again.
 *
 * By default 1,000 lives; the first seed comes from the clock, and each batch of lives has the next one.
 */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const lives = wholeNumber(process.argv[2] ?? "1000", "LIVES");
const firstSeed = wholeNumber(process.argv[3] ?? String(Math.floor(Date.now() / 1000)), "FIRST SEED");
const batch = 50;
/** With this many lives, each rare event is met. */
const enoughForAll = 2_000;
const beganMs = Date.now();
const met = new Map();
const running = new Set();
let begun = 0;
let lived = 0;
let nextSeed = firstSeed;
let failure;

await Promise.all(Array.from({ length: availableParallelism() }, work));
if (failure === undefined) {
  const seeds = `seeds ${firstSeed} to ${nextSeed - 1}, ${batch} lives each`;
  console.log(`${lived} lives passed in ${minutes()} min: ${seeds}.`);
  const missing = [...met].filter(([, count]) => count === 0).map(([name]) => name);
  if (missing.length > 0) console.log(`No life has met: ${missing.join("; ")}.`);
  process.exitCode = lived >= enoughForAll && missing.length > 0 ? 1 : 0;
} else {
  console.log(failure);
  process.exitCode = 1;
}

/** Runs batches until all lives have begun, or one has failed. */
async function work() {
  while (begun < lives && failure === undefined) {
    const count = Math.min(batch, lives - begun);
    const seed = nextSeed++;
    begun += count;
    const { code, output } = await liveAll(seed, count);
    if (failure !== undefined) return;
    if (code !== 0) {
      failure = output;
      for (const child of running) child.kill();
      return;
    }
    lived += count;
    const [, events] = /^met: (\{.*\})$/m.exec(output) ?? [];
    for (const [name, times] of Object.entries(JSON.parse(events ?? "{}")))
      met.set(name, (met.get(name) ?? 0) + times);
    console.error(`${lived} of ${lives} lives, ${minutes()} min (seed ${seed})`);
  }
}

function liveAll(seed, count) {
  return new Promise((resolve) => {
    const jest = [join(root, "node_modules", "jest", "bin", "jest.js"), "reliability/model"];
    const child = spawn(process.execPath, jest, {
      cwd: root,
      env: { ...process.env, MODEL_SEED: String(seed), MODEL_COUNT: String(count) },
    });
    running.add(child);
    let output = "";
    child.stdout.on("data", (data) => (output += data));
    child.stderr.on("data", (data) => (output += data));
    child.on("close", (code) => {
      running.delete(child);
      resolve({ code, output });
    });
  });
}

function minutes() {
  return Math.round((Date.now() - beganMs) / 6_000) / 10;
}

function wholeNumber(text, name) {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  console.error(
    `Usage: npm run test:long -- model [LIVES] [FIRST SEED]. ${name} is "${text}", not a whole number from 1.`,
  );
  process.exit(2);
}
