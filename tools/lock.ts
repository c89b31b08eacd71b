/**
 * Makes sure that only one process on this machine runs a task at a time.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import lockfile from "proper-lockfile";

import { startProgress } from "./progress";

/** Longer than any pause of a live holder, short enough that a killed one holds nobody up. */
const staleMs = 10_000;

/** A wait that is over before anybody wonders is not worth a line. */
const silentMs = 1_000;

export interface LockOptions {
  /** What the holder does, for the line that a waiting process shows: "Waiting for <purpose>". */
  readonly purpose: string;
  readonly pollMs?: number;
}

/**
 * Runs a task that only one process on this machine may run at a time for this folder.
 *
 * If the holder was killed, its lock becomes stale.
 */
export async function withLock<T>(folder: string, options: LockOptions, task: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const release = await acquire(folder, options);
  try {
    return await task();
  } finally {
    await release();
  }
}

async function acquire(folder: string, { purpose, pollMs = 250 }: LockOptions): Promise<() => Promise<void>> {
  const attempt = (): Promise<(() => Promise<void>) | undefined> =>
    lockfile
      .lock(folder, { lockfilePath: path.join(folder, ".lock"), stale: staleMs, update: staleMs / 4 })
      .catch((error: unknown) => {
        if ((error as { code?: unknown }).code === "ELOCKED") return undefined;
        throw error;
      });
  const first = await attempt();
  if (first !== undefined) return first;
  const progress = startProgress(`Waiting for ${purpose}`);
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    await sleep(pollMs);
    const release = await attempt();
    if (release !== undefined) return release;
    if (waitedMs >= silentMs) progress.update("another process is at it");
  }
}
