import { Client } from "pg";

let nextRow = 0;

/**
 * Writes rows one by one, and connects again whenever the connection is lost, until it is told to stop.
 *
 * @param acknowledged - gets each row that a server has acknowledged.
 */
export async function writeUntil(
  isOver: () => boolean,
  uri: () => string | undefined,
  acknowledged: number[],
): Promise<void> {
  while (!isOver()) {
    const connectionString = uri();
    const client = connectionString === undefined ? undefined : new Client({ connectionString });
    let hasEnded = client === undefined;
    client?.on("error", () => undefined).once("end", () => (hasEnded = true));
    await client?.connect().catch(() => (hasEnded = true));
    while (!isOver() && !hasEnded) {
      const row = (nextRow += 1);
      await client?.query("INSERT INTO written VALUES ($1)", [row]).then(
        () => acknowledged.push(row),
        () => undefined,
      );
      await pause(2);
    }
    if (hasEnded) await pause(20);
    else await client?.end();
  }
}

/** Short enough to be there again at once, long enough not to keep the machine busy with refusals. */
async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
