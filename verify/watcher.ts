/**
 * Keeps a connection to a compute open, and notes when it is lost: for `compute-verify`, and for the demo of this
 * repository.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";

/** The loss of a connection. */
export interface Loss {
  readonly words: string;
  /** By `performance.now()`. */
  readonly lostMs: number;
  /** Time until another connection answers, counted from the loss or, if `ask` was called later, from that call. */
  gapMs?: number;
}

const everyMs = 100;

/** Keeps one connection, sends a query every 100 ms, and connects again when the connection is lost. */
export interface Watcher {
  readonly losses: readonly Loss[];
  /** Returns once the first query is answered. */
  readonly start: () => Promise<void>;
  /** Keeps the connection, but sends no queries. */
  readonly pause: () => void;
  /** Sends queries again after a pause. */
  readonly ask: () => void;
  readonly stop: () => Promise<void>;
}

/** Makes a pool hold one connection, and never close it. */
export const oneConnection = { max: 1, idleTimeoutMillis: 0 } as const;

/**
 * @param pool - of one connection.
 * @param options.retryMs - time between two attempts to connect again.
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
  // The connection may be lost while no query is running.
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
      tell(`connected, sends a query every ${everyMs} ms: max_connections ${maxConnections}`);
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
