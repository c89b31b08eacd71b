/**
 * What this package adds to the start of a provider process, beside a provider that does nothing.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { checkoutFolder } from "../tools/checkout";
import { median } from "./summary";

const program = path.join(checkoutFolder, "bench", "programs", "load.js");
/** Nobody listens there: the process is only loaded. */
const engineAddress = "127.0.0.1:1";

const providers = {
  "an empty provider": ["bench/programs/instant.js"],
  "this package, up to a check": ["dist/provider/index.js"],
  "this package, up to the first request": ["dist/provider/index.js", "dist/provider/connect.js"],
} as const satisfies Record<string, readonly string[]>;

/** @returns milliseconds of CPU, medians, as text. CPU and not wall: other work on the machine counts less. */
export function startUp(runs: number): string {
  const names = Object.keys(providers) as (keyof typeof providers)[];
  const seen = new Map(names.map((name) => [name, [] as number[]]));
  // In turns, so that what else the machine does meets them alike.
  for (let run = 0; run < runs; run++) {
    for (const name of names) seen.get(name)?.push(loadMs(providers[name]));
  }
  const lines = [...seen].map(
    ([name, values]) => `${name.padEnd(40)} ${median(values).toFixed(0).padStart(4)}`,
  );
  return [`Loading after the SDK, ms of CPU, medians of ${runs} processes`, ...lines].join("\n");
}

function loadMs(files: readonly string[]): number {
  const { stdout } = spawnSync(process.execPath, [program, engineAddress, ...files], { encoding: "utf8" });
  return Number(stdout.trim().split("\n").at(-1));
}
