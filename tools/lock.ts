/**
 * Makes sure that only one process on this machine runs a task at a time.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";

import lockfile from "proper-lockfile";

/** Longer than any pause of a live holder, but short enough that a killed holder does not delay others for long. */
const staleMs = 10_000;

/** Shorter waits, in milliseconds, are not reported. */
const silentMs = 1_000;

const pollMs = 50;

/**
 * Runs a task that only one process on this machine may run at a time for this folder.
 *
 * If the holder was killed, its lock expires.
 *
 * @param purpose - for the line that a waiting process shows: "Waiting for <purpose>".
 */
export async function withLock<T>(folder: string, purpose: string, task: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const release = await acquire(folder, purpose);
  try {
    return await task();
  } finally {
    await release();
  }
}

async function acquire(folder: string, purpose: string): Promise<() => Promise<void>> {
  const lock = (retries: { retries: number } | { forever: true }): Promise<() => Promise<void>> =>
    lockfile.lock(folder, {
      lockfilePath: path.join(folder, ".lock"),
      stale: staleMs,
      update: staleMs / 4,
      retries: { ...retries, minTimeout: pollMs, maxTimeout: pollMs },
    });
  return lock({ retries: silentMs / pollMs }).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== "ELOCKED") throw error;
    console.error(`Waiting for ${purpose}: another process is preparing it`);
    return lock({ forever: true });
  });
}
