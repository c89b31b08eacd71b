/**
 * Opens the connection that is watched, with the user's own `pg`: this package does not contain it.
 */
import { loadPostgres } from "../preview/connections/postgres";
import type { VerifyOptions } from "./commandLine";
import { createWatcher, oneConnection, type Watcher } from "./watcher";

/** The compute that a connection leads to. */
export interface Target {
  readonly endpointId: string;
  /** Undefined if the service does not say. */
  readonly host: string | undefined;
}

/** Opens a connection to a running compute. */
export type OpenWatcher = (target: Target) => Watcher;

/** The pause between two attempts: short, but no burden for a service that refuses connections for a while. */
const retryMs = 250;

interface ConnectionOptions {
  readonly login: NonNullable<VerifyOptions["login"]>;
  readonly environment: NodeJS.ProcessEnv;
  /** The folder where Node.js begins to look for the package `pg`. */
  readonly folder: string;
}

/** @returns a function that opens a connection, or why there can be none. */
export function prepareConnection({ login, environment, folder }: ConnectionOptions): OpenWatcher | string {
  if ((environment["PGPASSWORD"] ?? "") === "")
    return "PGPASSWORD is not set (set it, or leave out --role and --database)";
  const pg = loadPostgres(folder);
  if (pg === undefined)
    return "the package pg is not installed in this folder (run `npm install pg`, or leave out --role and --database)";
  const { PGHOST, PGSSLMODE } = environment;
  return ({ endpointId, host }) => {
    const pool = new pg.Pool({
      ...{ user: login.role, database: login.database, ...oneConnection },
      // PGHOST may be the address of several computes, so `options` names the compute.
      ...(PGHOST === undefined ? { host } : { host: PGHOST, options: `endpoint=${endpointId}` }),
      ...(PGSSLMODE === undefined && { ssl: true }),
      connectionTimeoutMillis: 10_000,
      // A connection that stays open without answers is lost, too: otherwise the command would wait for its answer forever.
      query_timeout: 30_000,
    });
    return createWatcher(pool, { retryMs, tell: () => undefined });
  };
}
