/**
 * Holds a connection open during the demo, and notes when it is lost.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

/** A connection that was lost. */
export interface Loss {
  readonly words: string;
  /** By `performance.now()`. */
  readonly lostMs: number;
  /** From then, or from the next question where that came later, to its answer on another connection. */
  gapMs?: number;
}

const everyMs = 100;
const retryMs = 20;

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

export function createWatcher(uri: string, tell: (text: string) => void): Watcher {
  const losses: Loss[] = [];
  let maxConnections = "";
  let asking = { isPaused: false, sinceMs: 0 };
  let isOver = false;
  let client: Client | undefined;
  let running: Promise<void> | undefined;

  const query = async (asked: Client): Promise<void> => {
    const { rows } = await asked.query<{ max: string }>("SELECT current_setting('max_connections') AS max");
    maxConnections = rows[0]?.max ?? "";
  };
  const lose = (lost: Client, error: Error & { code?: string }): void => {
    if (isOver || client !== lost) return;
    client = undefined;
    const words = [error.code, error.message].filter(Boolean).join(" ");
    losses.push({ words, lostMs: performance.now() });
    tell(words);
  };
  const connect = async (): Promise<void> => {
    const opened = new Client({ connectionString: uri });
    // Told here too while no query is under way.
    opened.on("error", (error) => {
      lose(opened, error);
    });
    await opened.connect();
    await query(opened);
    client = opened;
  };
  const connectAgain = async (): Promise<void> => {
    const before = maxConnections;
    await connect();
    const loss = losses.at(-1);
    if (!loss) return;
    loss.gapMs = Math.round(performance.now() - Math.max(loss.lostMs, asking.sinceMs));
    const now = before === maxConnections ? before : `${before} → ${maxConnections}`;
    tell(`connected again, answered after ${loss.gapMs} ms: max_connections ${now}`);
  };
  const watch = async (): Promise<void> => {
    // Read in a function: `stop` changes it while this waits.
    const goesOn = (): boolean => !isOver;
    while (goesOn()) {
      await sleep(client ? everyMs : retryMs);
      if (asking.isPaused) continue;
      const current = client;
      try {
        await (current ? query(current) : connectAgain());
      } catch (error) {
        if (current) lose(current, error as Error);
      }
    }
  };

  return {
    losses,
    start: async () => {
      await connect();
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
      isOver = true;
      await client?.end().catch(() => undefined);
      await running;
    },
  };
}
