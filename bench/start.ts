/**
 * What this package adds to the start of a provider process, beside a provider that does nothing.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { checkoutFolder } from "../tools/checkout";
import { median } from "./median";

const program = path.join(checkoutFolder, "bench", "programs", "load.js");
/** Nobody listens there. */
const engineAddress = "127.0.0.1:1";

const providers = {
  "an empty provider": "bench/programs/instant.js",
  "this package": "dist/provider/index.js",
} as const satisfies Record<string, string>;

/** @returns milliseconds of CPU, medians, as text. CPU and not wall: other work on the machine counts less. */
export function startUp(runs: number): string {
  const names = Object.keys(providers) as (keyof typeof providers)[];
  const seen = new Map(names.map((name) => [name, [] as (readonly number[])[]]));
  // In turns, so that what else the machine does meets them alike.
  for (let run = 0; run < runs; run++) {
    for (const name of names) seen.get(name)?.push(startMs(providers[name]));
  }
  const lines = [...seen].map(([name, values]) => {
    const figures = [0, 1].map((at) => median(values.map((value) => value[at] ?? NaN)).toFixed(0));
    return `${name.padEnd(20)}${figures.map((figure) => figure.padStart(14)).join("")}`;
  });
  const head = `${"".padEnd(20)}${"loaded".padStart(14)}${"first check".padStart(14)}`;
  return [`After the SDK was loaded, ms of CPU, medians of ${runs} processes`, head, ...lines].join("\n");
}

/** @returns until it was loaded, and until its first check, which sends a request, had an answer. */
function startMs(file: string): readonly number[] {
  const { stdout, stderr } = spawnSync(process.execPath, [program, engineAddress, file], {
    encoding: "utf8",
  });
  const figures = (stdout.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
  if (figures.length !== 2 || figures.some(Number.isNaN)) throw new Error(`Loading ${file}: ${stderr}`);
  return figures;
}
