/**
 * Asks one compute for its open connections.
 */
import { Socket } from "node:net";
import type { ClientConfig } from "pg";
import type * as Postgres from "pg";
import { oneLine } from "../../provider/model/errors";
import { redactor } from "../../provider/redact";
import type { ConnectedApplication, Connections } from "../shape";
import { sumOf } from "../read/values";

const ownName = "compute-preview";

/**
 * Without `pg_monitor`, the rows of other roles have neither a type nor a transaction; those of clients have a database
 * and a role. The service's own programs use the role cloud_admin.
 */
const query = `
  SELECT application_name AS name, count(*) AS open, count(xact_start) AS "inTransaction",
    extract(epoch FROM clock_timestamp() - min(xact_start)) AS "oldestSeconds",
    count(*) FILTER (WHERE backend_type IS NULL) AS hidden
  FROM pg_catalog.pg_stat_activity
  WHERE pid <> pg_backend_pid() AND application_name <> '${ownName}' AND usename IS DISTINCT FROM 'cloud_admin'
    AND (backend_type = 'client backend' OR (backend_type IS NULL AND datid IS NOT NULL AND usesysid IS NOT NULL))
  GROUP BY application_name ORDER BY open DESC, name`;

/** What is needed for a question. */
export interface Question {
  readonly pg: Pick<typeof Postgres, "Client">;
  readonly login: ClientConfig;
  /** Longest time for connecting and answering, in milliseconds. */
  readonly limitMs: number;
}

/** Never throws: a compute that does not answer changes nothing about the report. */
export async function askCompute({ pg, login, limitMs }: Question, at: Date): Promise<Connections> {
  const asked = { at: at.toISOString(), open: null, applications: [], hidden: 0 };
  const socket = new Socket();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${limitMs / 1000} s`));
    }, limitMs);
  });
  let hide = (text: string): string => text;
  try {
    const client = new pg.Client({ ...login, stream: () => socket, application_name: ownName });
    client.on("error", () => undefined);
    hide = (text) => withoutLogin(text, client);
    const rows = await Promise.race([rowsOf(client), late]);
    await Promise.race([client.end(), late]).catch(() => undefined);
    return { ...asked, ...countsOf(rows), status: "answered", reason: null };
  } catch (error) {
    return { ...asked, status: "failed", reason: oneLine(hide(reasonOf(error))) };
  } finally {
    clearTimeout(timer);
    // A server that does not close the connection would keep the process alive.
    socket.destroy();
  }
}

type Row = Readonly<Record<string, unknown>>;

async function rowsOf(client: Postgres.Client): Promise<readonly Row[]> {
  await client.connect();
  return (await client.query<Row>(query)).rows;
}

/** The numbers are checked: a server may answer anything. */
function countsOf(rows: readonly Row[]): Pick<Connections, "applications" | "hidden" | "open"> {
  const numberIn = (row: Row, name: string): number => Math.max(0, Math.round(Number(row[name]) || 0));
  const applications = rows.map((row): ConnectedApplication => ({
    name: String(row["name"]),
    open: numberIn(row, "open"),
    inTransaction: numberIn(row, "inTransaction"),
    oldestSeconds: numberIn(row, "inTransaction") === 0 ? null : numberIn(row, "oldestSeconds"),
  }));
  return {
    applications,
    open: sumOf(applications.map(({ open }) => open)),
    hidden: sumOf(rows.map((row) => numberIn(row, "hidden"))),
  };
}

/** If a host has several addresses, the error about them has no message, only a code. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return String(message === "" ? code : message);
}

/** By now, the client also knows the password of a password file. */
function withoutLogin(text: string, client: object): string {
  const { user, password } = client as { readonly user?: unknown; readonly password?: unknown };
  const secrets = [password, typeof user === "string" && `"${user}"`];
  return secrets.reduce<string>(
    (clean, one) => (typeof one === "string" && one !== "" ? redactor(one)(clean) : clean),
    text,
  );
}
