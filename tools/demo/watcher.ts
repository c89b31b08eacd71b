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
export class Watcher {
  readonly losses: Loss[] = [];
  #maxConnections = "";
  #isAsking = true;
  #askedMs = 0;
  #isOver = false;
  #client: Client | undefined;
  #running: Promise<void> | undefined;

  constructor(
    private readonly uri: string,
    private readonly tell: (text: string) => void,
  ) {}

  /** Returns once the first query is answered. */
  async start(): Promise<void> {
    await this.#connect();
    this.tell(`connected, asks every ${everyMs} ms: max_connections ${this.#maxConnections}`);
    this.#running = this.#watch();
  }

  /** The connection stays, and asks nothing. */
  pause(): void {
    this.#isAsking = false;
  }

  /** Asks again after a pause. */
  ask(): void {
    this.#isAsking = true;
    this.#askedMs = performance.now();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#client?.end().catch(() => undefined);
    await this.#running;
  }

  async #watch(): Promise<void> {
    while (!this.#isOver) {
      await sleep(this.#client ? everyMs : retryMs);
      if (!this.#isAsking) continue;
      try {
        if (this.#client) await this.#ask(this.#client);
        else await this.#connectAgain();
      } catch (error) {
        if (this.#client) this.#lose(this.#client, error as Error);
      }
    }
  }

  async #connectAgain(): Promise<void> {
    const before = this.#maxConnections;
    await this.#connect();
    const loss = this.losses.at(-1);
    if (!loss) return;
    loss.gapMs = Math.round(performance.now() - Math.max(loss.lostMs, this.#askedMs));
    const now = before === this.#maxConnections ? before : `${before} → ${this.#maxConnections}`;
    this.tell(`connected again, answered after ${loss.gapMs} ms: max_connections ${now}`);
  }

  async #connect(): Promise<void> {
    const client = new Client({ connectionString: this.uri });
    // Told here too while no query is under way.
    client.on("error", (error) => {
      this.#lose(client, error);
    });
    await client.connect();
    await this.#ask(client);
    this.#client = client;
  }

  async #ask(client: Client): Promise<void> {
    const { rows } = await client.query<{ max: string }>("SELECT current_setting('max_connections') AS max");
    this.#maxConnections = rows[0]?.max ?? "";
  }

  #lose(client: Client, error: Error & { code?: string }): void {
    if (this.#isOver || this.#client !== client) return;
    this.#client = undefined;
    const words = [error.code, error.message].filter(Boolean).join(" ");
    this.losses.push({ words, lostMs: performance.now() });
    this.tell(words);
  }
}
