/**
 * Where the time of an `up` of one compute goes: every process, load, call and request on one time line.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { LoggedRequest } from "../emulator";
import { checkoutFolder } from "../tools/checkout";
import { createBenchStack } from "./stack";

interface Span {
  readonly process: string;
  readonly what: string;
  readonly fromMs: number;
  readonly toMs: number;
}

const columns = 56;

/** @returns the timeline as text. */
export async function timelineOfUp(): Promise<string> {
  const requests: Span[] = [];
  const onRequest = ({ atMs, route, method }: LoggedRequest): void => {
    requests.push({ process: "service", what: route ?? method, fromMs: atMs, toMs: Date.now() });
  };
  const stack = await createBenchStack("ours", {}, onRequest);
  try {
    stack.declare({ count: 1, cu: 0.25 });
    const stamps = path.join(stack.folder, "stamps.ndjson");
    const preload = path.join(checkoutFolder, "bench", "programs", "stamp.js");
    const fromMs = Date.now();
    await stack.pulumi(["up", "--yes", "--skip-preview"], {
      NODE_OPTIONS: `--require=${preload}`,
      BENCH_STAMPS: stamps,
    });
    const cli = { process: "pulumi", what: "up", fromMs, toMs: Date.now() };
    return drawn([cli, ...readStamps(stamps), ...requests]);
  } finally {
    await stack.close();
  }
}

function readStamps(file: string): readonly Span[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Span);
}

/** One line for each span, in the order in which the spans began. */
export function drawn(spans: readonly Span[]): string {
  const start = Math.min(...spans.map(({ fromMs }) => fromMs));
  const length = Math.max(...spans.map(({ toMs }) => toMs)) - start || 1;
  const column = (ms: number): number => Math.round(((ms - start) / length) * columns);
  const names = spans.map(({ process, what }) => `${process}: ${what}`);
  const widest = Math.max(...names.map((name) => name.length));
  return [...spans]
    .sort((a, b) => a.fromMs - b.fromMs || b.toMs - a.toMs)
    .map(({ process, what, fromMs, toMs }) => {
      const bar = " ".repeat(column(fromMs)) + "█".repeat(Math.max(1, column(toMs) - column(fromMs)));
      const times = `${(fromMs - start).toFixed(0).padStart(5)} ${(toMs - fromMs).toFixed(0).padStart(5)}`;
      return `${`${process}: ${what}`.padEnd(widest)} ${times} ${bar}`.trimEnd();
    })
    .join("\n");
}
