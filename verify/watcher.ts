/**
 * Holds a connection to a compute open, and notes when it is lost: for `compute-verify`, and for the demo of this repository.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";

/** A connection that was lost. */
export interface Loss {
  readonly words: string;
  /** By `performance.now()`. */
  readonly lostMs: number;
  /** From then, or from the next question where that came later, to its answer on another connection. */
  gapMs?: number;
}

const everyMs = 100;

/** A program that holds one connection, asks something every 100 ms, and connects again when it is lost. */
export interface Watcher {
  readonly losses: readonly Loss[];
  /** Returns once the first query is answered. */
  readonly start: () => Promise<void>;
  /** The connection stays, and asks nothing. */
  readonly pause: () => void;
  /** Asks again after a pause. */
  readonly ask: () => void;
  readonly stop: () => Promise<void>;
}

/** What a pool needs so that it holds one connection, and does not let go of it. */
export const oneConnection = { max: 1, idleTimeoutMillis: 0 } as const;

/**
 * @param pool - of one connection.
 * @param options.retryMs - between two attempts to connect again.
 */
export function createWatcher(
  pool: Pool,
  { retryMs, tell }: { readonly retryMs: number; readonly tell: (text: string) => void },
): Watcher {
  const losses: Loss[] = [];
  let maxConnections = "";
  let asking = { isPaused: false, sinceMs: 0 };
  const over = new AbortController();

  const lastLoss = (): Loss | undefined => losses.find(({ gapMs }) => gapMs === undefined);
  const lose = (error: Error & { code?: string }): void => {
    if (over.signal.aborted || lastLoss()) return;
    const words = [error.code, error.message].filter(Boolean).join(" ");
    losses.push({ words, lostMs: performance.now() });
    tell(words);
  };
  // Where no query is under way.
  pool.on("error", lose);
  const query = async (): Promise<void> => {
    const before = maxConnections;
    const { rows } = await pool.query<{ max: string }>("SELECT current_setting('max_connections') AS max");
    maxConnections = rows[0]?.max ?? "";
    const loss = lastLoss();
    if (!loss) return;
    loss.gapMs = Math.round(performance.now() - Math.max(loss.lostMs, asking.sinceMs));
    const now = before === maxConnections ? before : `${before} → ${maxConnections}`;
    tell(`connected again, answered after ${loss.gapMs} ms: max_connections ${now}`);
  };
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await sleep(lastLoss() ? retryMs : everyMs);
      if (!asking.isPaused) await query().catch(lose);
    }
  };
  let running: Promise<void> | undefined;

  return {
    losses,
    start: async () => {
      await query();
      tell(`connected, asks every ${everyMs} ms: max_connections ${maxConnections}`);
      running = watch();
    },
    pause: () => {
      asking = { ...asking, isPaused: true };
    },
    ask: () => {
      asking = { isPaused: false, sinceMs: performance.now() };
    },
    stop: async () => {
      over.abort();
      await running;
      await pool.end();
    },
  };
}
