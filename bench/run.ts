/**
 * Measures, prints and stores the results: `reports/bench/<mode>.json` and `.svg`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import path from "node:path";
import { checkoutFolder } from "../tools/checkout";
import { passSignalsOn } from "../tools/children";
import { ensureEngine } from "../tools/engine/ensure";
import { chartOf } from "./chart";
import { measureGrowth, tableOf, type Row } from "./growth";
import { readOptions, usage, type BenchOptions } from "./options";
import { operationMs } from "./stack";
import { tableOfPreviews } from "./previews";
import { timelineOfUp } from "./timeline";

const reports = path.join(checkoutFolder, "reports", "bench");

export async function run(words: readonly string[]): Promise<number> {
  const options = readOptions(words);
  if (options === undefined) {
    process.stdout.write(usage);
    return 0;
  }
  passSignalsOn();
  if (options.previews) {
    console.log(tableOfPreviews());
    return 0;
  }
  const engine = await ensureEngine();
  if (options.timeline) {
    console.log(await timelineOfUp());
    return 0;
  }
  const machine = `Pulumi ${engine.version}, Node ${process.versions.node}, ${availableParallelism()} cores`;
  const rows: Row[] = [];
  await measureGrowth(options, (row) => {
    rows.push(row);
    const { contender, count, step, wallMs } = row;
    console.error(`${contender}, N = ${count}: ${step} ${(wallMs / 1000).toFixed(1)} s, load ${loadText()}`);
    // Writes after each row, so that a run that is stopped keeps what it has measured.
    report(rows, options, machine);
  });
  console.log(`${machine}, mode ${options.mode}, operations of ${operationMs} ms\n\n${tableOf(rows)}`);
  return 0;
}

/** The load of the machine in the last minute. */
function loadText(): string {
  return (loadavg()[0] ?? 0).toFixed(0);
}

function report(rows: readonly Row[], { mode, ...options }: BenchOptions, machine: string): void {
  mkdirSync(reports, { recursive: true });
  const file = (ending: string): string => path.join(reports, `${mode}.${ending}`);
  writeFileSync(file("json"), JSON.stringify({ machine, mode, options, rows }, undefined, 2));
  writeFileSync(
    file("svg"),
    chartOf(rows, `Wall time by number of computes, --parallel ${options.parallel}, mode ${mode}`),
  );
}
