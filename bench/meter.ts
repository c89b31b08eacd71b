/**
 * What a run costs beside its time: requests, refusals, and the memory of its processes.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { LoggedRequest } from "../emulator";

/** The requests of one step, as the service saw them. */
export interface Tally {
  readonly total: number;
  readonly byRoute: Readonly<Record<string, number>>;
  /** Answers of 429. */
  readonly limited: number;
  /** Answers of 423. */
  readonly locked: number;
}

/** Counts as requests end: the control plane's own log keeps the last ones only. */
export interface RequestMeter {
  readonly record: (request: LoggedRequest) => void;
  /** What was counted since the last call. */
  readonly take: () => Tally;
}

export function createRequestMeter(): RequestMeter {
  let counted: { readonly route: string; readonly status: number | undefined }[] = [];
  return {
    record: ({ method, route, status }) => {
      counted.push({ route: route ?? method, status });
    },
    take: () => {
      const seen = counted;
      counted = [];
      const byRoute: Record<string, number> = {};
      for (const { route } of seen) byRoute[route] = (byRoute[route] ?? 0) + 1;
      const answered = (status: number): number => seen.filter((one) => one.status === status).length;
      return { total: seen.length, byRoute, limited: answered(429), locked: answered(423) };
    },
  };
}

/** Between looks at the process table. */
const lookEveryMs = 250;

/**
 * Watches a process and its descendants.
 *
 * @returns a function that ends the watch and gives the most memory that they have held together, in bytes; undefined
 * where none was seen, as on systems without /proc. Pages that several processes share count once for each.
 */
export function watchMemory(pid: number | undefined): () => number | undefined {
  let mostBytes: number | undefined;
  const look = (): void => {
    const bytes = treeOf(String(pid)).reduce((sum, one) => sum + memoryOf(one), 0);
    if (bytes > 0) mostBytes = Math.max(mostBytes ?? 0, bytes);
  };
  const timer = setInterval(look, lookEveryMs);
  return () => {
    clearInterval(timer);
    return mostBytes;
  };
}

function treeOf(pid: string): readonly string[] {
  const threads = attempt(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  const children = threads.flatMap((thread) =>
    (attempt(() => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8")) ?? "").split(" "),
  );
  return [pid, ...children.filter((child) => child !== "").flatMap(treeOf)];
}

function memoryOf(pid: string): number {
  const status = attempt(() => readFileSync(`/proc/${pid}/status`, "utf8")) ?? "";
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

/** Processes end while they are looked at. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
