/**
 * Opens the connection that is watched, with the user's own `pg`: the package does not bring it along.
 */
import { createRequire } from "node:module";
import path from "node:path";
import type * as Postgres from "pg";
import type { VerifyOptions } from "./commandLine";
import { createWatcher, oneConnection, type Watcher } from "./watcher";

/** Where a connection leads. */
export interface Target {
  readonly endpointId: string;
  /** Undefined if the service does not say. */
  readonly host: string | undefined;
}

/** Opens a connection to a compute that runs. */
export type OpenWatcher = (target: Target) => Watcher;

/** Polite to a service that refuses connections for a while. */
const retryMs = 250;

interface ConnectionOptions {
  readonly login: NonNullable<VerifyOptions["login"]>;
  readonly environment: NodeJS.ProcessEnv;
  /** The folder in whose packages `pg` is looked for. */
  readonly folder: string;
}

/** @returns why there can be no connection, in place of the way to open one. */
export function prepareConnection({ login, environment, folder }: ConnectionOptions): OpenWatcher | string {
  if ((environment["PGPASSWORD"] ?? "") === "")
    return "the variable PGPASSWORD has no password: set it, or leave out --role and --database";
  const pg = loadPostgres(folder);
  if (pg === undefined)
    return "the package pg is not installed in this folder: run `npm install pg`, or leave out --role and --database";
  const { PGHOST, PGSSLMODE } = environment;
  return ({ endpointId, host }) => {
    const pool = new pg.Pool({
      ...{ user: login.role, database: login.database, ...oneConnection },
      // A shared address has to be told which compute is meant.
      ...(PGHOST === undefined ? { host } : { host: PGHOST, options: `endpoint=${endpointId}` }),
      ...(PGSSLMODE === undefined && { ssl: true }),
      connectionTimeoutMillis: 10_000,
    });
    return createWatcher(pool, { retryMs, tell: () => undefined });
  };
}

function loadPostgres(folder: string): typeof Postgres | undefined {
  try {
    return createRequire(path.join(folder, "package.json"))("pg") as typeof Postgres;
  } catch {
    return undefined;
  }
}
