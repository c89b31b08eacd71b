/**
 * Small files that survive a killed process and a power cut: the journal of creates and the notes of takeovers.
 */
import { createHash, randomUUID } from "node:crypto";
import { fsync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { replaceWaitsMs } from "../timing";

/** Not the handle's own `sync()`: Yarn's Plug'n'Play puts handles of its own in front of Node's, which have none. */
const flush = promisify(fsync);

/** A short name for what identifies a file's subject. */
export function hashOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

/** Writes a file beside its place, flushes it and puts it there: a killed process leaves the old file or the new one. */
export async function writeFlushed(folder: string, name: string, content: unknown): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${name}.${randomUUID()}`);
  try {
    const file = await open(draft, "w", 0o600);
    try {
      await file.writeFile(JSON.stringify(content));
      await flush(file.fd);
    } finally {
      await file.close();
    }
    await putInPlace(draft, join(folder, name));
  } catch (error) {
    // A disk that is full must not fill up with drafts.
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

/** How Windows refuses to replace a file that another process has open: a scanner, or a run that reads it. */
const refusals: readonly unknown[] = ["EPERM", "EACCES", "EBUSY"];

/** Elsewhere these refusals mean what they say, and waiting changes nothing. */
export async function putInPlace(
  draft: string,
  place: string,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  for (const waitMs of platform === "win32" ? replaceWaitsMs : []) {
    try {
      await rename(draft, place);
      return;
    } catch (error) {
      if (!refusals.includes((error as NodeJS.ErrnoException).code)) throw error;
      await sleep(waitMs);
    }
  }
  await rename(draft, place);
}

/** A rename is on disk only once its folder is; Windows has no such thing and needs none. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await flush(handle.fd);
  } finally {
    await handle.close();
  }
}
