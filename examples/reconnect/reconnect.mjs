/**
 * A program that outlives restarts of its compute: `npm run local -- node examples/reconnect/reconnect.mjs`.
 *
 * A restart ends every connection with 57P01, and the compute is back a moment later. So a query that failed because its
 * connection was lost is sent again on a new one. Reads can be repeated as they are. Repeat a write only if it may be done
 * twice.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** Error codes: the server ended the connection or refuses it for now, or the connection broke without a message. */
const lost = ["57P01", "57P02", "57P03", "08006", "ECONNRESET", "ECONNREFUSED", "EPIPE"];

// Reads PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE.
const pool = new pg.Pool({ max: 1, connectionTimeoutMillis: 30_000 });
// A connection may be lost while no query is running. The next query opens another.
pool.on("error", (error) => console.log(`lost a connection: ${error.code ?? error.message}`));

async function ask(text) {
  for (let waitMs = 20; ; waitMs = Math.min(waitMs * 2, 1_000)) {
    try {
      return (await pool.query(text)).rows;
    } catch (error) {
      if (!lost.includes(error.code) && !/terminated|timeout/i.test(error.message)) throw error;
      console.log(`sending the query again: ${error.code ?? error.message}`);
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
  if (since !== last) console.log(`connected: max_connections ${max}, server started at ${since}`);
  last = since;
}
await pool.end();
