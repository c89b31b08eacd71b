/**
 * Small files that survive a killed process and a power cut: the journal of creates and the notes of takeovers.
 *
 * What they say decides what is taken over and deleted, so they are believed only where nobody but this user can have
 * written them, and nothing that they say becomes the name of a file.
 */
import { createHash, randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, fsync, openSync, readFileSync, statSync } from "node:fs";
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

/** Whether a text is what `hashOf` gives: no other one may become the name of a file. */
export function isHash(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/**
 * What a file of this user says. One that is a link, no regular file, another user's or writable by others counts as
 * missing: anybody may have put it there.
 *
 * @throws where it is no JSON.
 */
export function readOwn(folder: string, name: string): unknown {
  if (belongsToAnother(folder)) return undefined;
  // A pipe must not hold up the run that opens it.
  const file = openSync(
    join(folder, name),
    constants.O_RDONLY | orNothing(constants.O_NOFOLLOW) | orNothing(constants.O_NONBLOCK),
  );
  try {
    const seen = fstatSync(file);
    const isOwn =
      process.getuid === undefined || (seen.uid === process.getuid() && (seen.mode & 0o022) === 0);
    if (!isOwn || !seen.isFile()) return undefined;
    return JSON.parse(readFileSync(file, "utf8")) as unknown;
  } finally {
    closeSync(file);
  }
}

/** Windows has no such flag. */
function orNothing(flag: number | undefined): number {
  return flag ?? 0;
}

/** Windows has no such owners; a folder that is missing is nobody's yet. */
function belongsToAnother(folder: string): boolean {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  return process.getuid !== undefined && owner !== undefined && owner !== process.getuid();
}

/** Writes a file beside its place, flushes it and puts it there: a killed process leaves the old file or the new one. */
export async function writeFlushed(folder: string, name: string, content: unknown): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (belongsToAnother(folder)) throw new Error(`${folder} belongs to another user`);
  const draft = join(folder, `.${name}.${randomUUID()}`);
  try {
    const file = await open(draft, "wx", 0o600);
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
