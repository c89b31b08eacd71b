/**
 * Measures, prints, and keeps: `reports/bench/<mode>.json` and `.svg`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { checkoutFolder } from "../tools/checkout";
import { passSignalsOn } from "../tools/children";
import { ensureEngine } from "../tools/engine/ensure";
import { addedToPreview } from "./added";
import { chartOf } from "./chart";
import { judge } from "./goals";
import { liveThrough, type Cell, type Life } from "./life";
import { readOptions, usage, type BenchOptions } from "./options";
import { shareLimit } from "./sharing";
import { startUp } from "./start";
import { summarise } from "./summary";
import { tableOf, verdictTableOf } from "./table";
import { timelineOfUp } from "./timeline";

/** Processes of each kind: loading is short, and varies. */
const startRuns = 11;

const reports = path.join(checkoutFolder, "reports", "bench");

export async function run(words: readonly string[]): Promise<number> {
  const options = readOptions(words);
  if (options === undefined) {
    process.stdout.write(usage);
    return 0;
  }
  if (options.start) {
    console.log(startUp(startRuns));
    return 0;
  }
  passSignalsOn();
  const engine = await ensureEngine();
  if (options.timeline) {
    console.log(await timelineOfUp());
    return 0;
  }
  if (options.added) {
    console.log(await addedToPreview(options.contenders, startRuns));
    return 0;
  }
  if (options.sharing !== undefined) {
    const { sharing: processes, perMinute } = options;
    console.log(await shareLimit({ processes, each: 20, perMinute }));
    return 0;
  }
  const machine = `Pulumi ${engine.version}, Node ${process.versions.node}, ${availableParallelism()} cores`;
  const lives: Life[] = [];
  for (const cell of cellsOf(options)) {
    const life = await liveThrough(cell, options);
    lives.push(life);
    tell(life);
    // After each, so that a run that is stopped leaves what it has measured.
    report(lives, options, machine);
  }
  const rows = summarise(lives, options);
  console.log(`${machine}, mode ${options.mode}\n\n${tableOf(rows)}\n`);
  console.log(verdictTableOf(judge(rows, options)));
  return 0;
}

/** Contenders take turns within each run, so that what else the machine does meets them alike. */
function cellsOf({ counts, parallels, runs, contenders }: BenchOptions): readonly Cell[] {
  return counts.flatMap((count) =>
    Array.from({ length: runs }).flatMap(() =>
      parallels.flatMap((parallel) => contenders.map((contender) => ({ contender, count, parallel }))),
    ),
  );
}

function tell({ contender, count, parallel, load, steps }: Life): void {
  const times = Object.entries(steps).map(([name, { wallMs }]) => `${name} ${(wallMs / 1000).toFixed(1)} s`);
  const what = `${contender}, N = ${count}, --parallel ${parallel ?? "default"}, load ${load.toFixed(1)}`;
  console.error(`${what}: ${times.join(", ")}`);
}

function report(lives: readonly Life[], options: BenchOptions, machine: string): void {
  mkdirSync(reports, { recursive: true });
  const rows = summarise(lives, options);
  const verdicts = judge(rows, options);
  const file = (ending: string): string => path.join(reports, `${options.mode}.${ending}`);
  writeFileSync(file("json"), JSON.stringify({ machine, options, rows, verdicts, lives }, undefined, 2));
  const widest = options.parallels.at(-1);
  const shown = rows.filter(({ parallel }) => parallel === widest);
  const title = `Wall time by number of computes, --parallel ${widest ?? "default"}, mode ${options.mode}`;
  writeFileSync(file("svg"), chartOf(shown, title));
}
