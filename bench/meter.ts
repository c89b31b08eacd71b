/**
 * What a run costs beside its time: requests, refusals, and the memory of the provider process.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
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
const lookEveryMs = 100;

/**
 * Watches the provider process of the engine that runs in a folder.
 *
 * @returns a function that ends the watch and gives the most memory that the process has held, in bytes;
 * undefined where none was seen, as on systems without /proc.
 */
export function watchProviderMemory(folder: string): () => number | undefined {
  let pid: string | undefined;
  let mostBytes: number | undefined;
  const look = (): void => {
    pid ??= providerIn(folder);
    const bytes = pid === undefined ? undefined : peakMemoryOf(pid);
    if (bytes === undefined) pid = undefined;
    else mostBytes = Math.max(mostBytes ?? 0, bytes);
  };
  const timer = setInterval(look, lookEveryMs);
  return () => {
    clearInterval(timer);
    return mostBytes;
  };
}

function providerIn(folder: string): string | undefined {
  return processIds().find((pid) => {
    const words = attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")) ?? "";
    // The plugin, and Pulumi's process for dynamic providers: the engine starts each in the program's folder.
    if (!/node\0.*(dynamic-provider|dist\/plugin\/plugin\.js)/.test(words)) return false;
    return attempt(() => readlinkSync(`/proc/${pid}/cwd`)) === folder;
  });
}

function processIds(): readonly string[] {
  return (attempt(() => readdirSync("/proc")) ?? []).filter((name) => /^\d+$/.test(name));
}

/** The kernel keeps the peak, so that looks now and then miss nothing but the last moments. */
function peakMemoryOf(pid: string): number | undefined {
  const status = attempt(() => readFileSync(`/proc/${pid}/status`, "utf8"));
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(status ?? "")?.[1];
  return kib === undefined ? undefined : Number(kib) * 1024;
}

/** Processes end while they are looked at. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
