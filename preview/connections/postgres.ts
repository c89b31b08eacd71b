/**
 * Finds the user's own `pg`: this package does not contain it.
 */
import { createRequire } from "node:module";
import path from "node:path";
import type * as Postgres from "pg";

/** @param folder - where Node.js begins to look. @returns undefined if `pg` is not installed. */
export function loadPostgres(folder: string): typeof Postgres | undefined {
  try {
    return createRequire(path.join(folder, "package.json"))("pg") as typeof Postgres;
  } catch {
    return undefined;
  }
}
