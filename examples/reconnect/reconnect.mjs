/**
 * A program that outlives restarts of its compute: `npm run local -- node examples/reconnect/reconnect.mjs`.
 *
 * A restart ends every connection with 57P01, and the compute is back a moment later. So a query that failed for want of
 * its connection is asked again on a new one. Reads may be repeated as they are; a write has to bear being done twice.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** The connection was ended by the server, is refused for now, or is gone without a word. */
const lost = ["57P01", "57P02", "57P03", "08006", "ECONNRESET", "ECONNREFUSED", "EPIPE"];

// Reads PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE.
const pool = new pg.Pool({ max: 1, connectionTimeoutMillis: 30_000 });
// A connection that is lost while nobody asks anything; the next query opens another.
pool.on("error", (error) => console.log(`lost a connection: ${error.code ?? error.message}`));

async function ask(text) {
  for (let waitMs = 20; ; waitMs = Math.min(waitMs * 2, 1_000)) {
    try {
      return (await pool.query(text)).rows;
    } catch (error) {
      if (!lost.includes(error.code) && !/terminated|timeout/i.test(error.message)) throw error;
      console.log(`asking again: ${error.code ?? error.message}`);
      await sleep(waitMs);
    }
  }
}

let isOver = false;
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => (isOver = true));
for (let last = ""; !isOver; await sleep(50)) {
  const [{ max, since }] = await ask(
    "SELECT current_setting('max_connections') AS max, pg_postmaster_start_time()::text AS since",
  );
  if (since !== last) console.log(`connected: max_connections ${max}, server of ${since}`);
  last = since;
}
await pool.end();
