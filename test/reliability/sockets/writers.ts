import { Client } from "pg";

/** What writers have done, and what became of their connections. */
export interface Ledger {
  /** Rows that a server has acknowledged. */
  readonly acknowledged: number[];
  connections: number;
  /** Connections that ended, by the code that they were told. */
  readonly ended: Map<string, number>;
  /** Connections that ended without a word. */
  silent: number;
  /** Attempts to connect that were refused, by code. */
  readonly refused: Map<string, number>;
}

export function newLedger(): Ledger {
  return { acknowledged: [], connections: 0, ended: new Map(), silent: 0, refused: new Map() };
}

let nextRow = 0;

/** Writes rows one by one, and connects again whenever the connection is lost, until it is told to stop. */
export async function writeUntil(
  isOver: () => boolean,
  uri: () => string | undefined,
  ledger: Ledger,
): Promise<void> {
  while (!isOver()) {
    const connectionString = uri();
    const client = connectionString === undefined ? undefined : await connect(connectionString, ledger);
    if (client) await writeOn(client, isOver, ledger);
    else await pause(20);
  }
}

/** Short enough to be there again at once, long enough not to keep the machine busy with refusals. */
async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** A connection, and what it was told; looked at from the start, as its end may come with its first answer. */
interface Tracked {
  readonly client: Client;
  code?: string | undefined;
  hasEnded: boolean;
}

async function connect(connectionString: string, ledger: Ledger): Promise<Tracked | undefined> {
  const tracked: Tracked = { client: new Client({ connectionString }), hasEnded: false };
  const { client } = tracked;
  client.on("error", (error) => (tracked.code ??= codeOf(error)));
  client.once("end", () => (tracked.hasEnded = true));
  try {
    await client.connect();
    ledger.connections += 1;
    return tracked;
  } catch (error) {
    add(ledger.refused, codeOf(error) ?? String(error));
    return undefined;
  }
}

async function writeOn(tracked: Tracked, isOver: () => boolean, ledger: Ledger): Promise<void> {
  const stands = (): boolean => !tracked.hasEnded;
  while (!isOver() && stands()) {
    const row = (nextRow += 1);
    try {
      await tracked.client.query("INSERT INTO written VALUES ($1)", [row]);
      ledger.acknowledged.push(row);
    } catch (error) {
      tracked.code ??= codeOf(error);
    }
    await pause(2);
  }
  if (stands()) return tracked.client.end();
  if (tracked.code === undefined) ledger.silent += 1;
  else add(ledger.ended, tracked.code);
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Rows that were acknowledged and that none of the given lists holds. */
export function missingFrom(acknowledged: readonly number[], kept: ReadonlySet<number>): number[] {
  return acknowledged.filter((row) => !kept.has(row));
}
