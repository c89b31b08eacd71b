/**
 * Small files that survive a killed process and a power cut: the journal of creates and the notes of takeovers.
 *
 * Their content decides what is taken over and deleted, so a file is trusted only if no other user can have written
 * it, and no text in it becomes a file name.
 */
import { createHash, randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, fsync, openSync, readFileSync, statSync } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { longestDiskWriteMs, replaceWaitsMs } from "../timing";

/** Not the handle's own `sync()`: the file handles of Yarn's Plug'n'Play do not have it. */
const flush = promisify(fsync);

/** A short file name for the thing that a file is about. */
export function hashOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

/** Whether a text has the form of `hashOf`: no other text may become a file name. */
export function isHash(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/**
 * Reads a file of this user. A link, a special file, another user's file or one that others can write counts as
 * missing: anybody may have put it there.
 *
 * @throws if it is not JSON.
 */
export function readOwn(folder: string, name: string): unknown {
  if (belongsToAnother(folder)) return undefined;
  // Opening a pipe must not block the run. On Windows the last two are undefined, which counts as 0.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = openSync(join(folder, name), flags);
  try {
    const seen = fstatSync(file);
    const isOwn =
      process.getuid === undefined || (seen.uid === process.getuid() && (seen.mode & 0o022) === 0);
    return isOwn && seen.isFile() ? (JSON.parse(readFileSync(file, "utf8")) as unknown) : undefined;
  } finally {
    closeSync(file);
  }
}

/** Windows does not have such owners; a missing folder has no owner yet. */
function belongsToAnother(folder: string): boolean {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  return process.getuid !== undefined && owner !== undefined && owner !== process.getuid();
}

/**
 * Writes a draft, flushes it and renames it: after a kill, either the old or the new file exists.
 *
 * @throws if the file system refuses it, or does not answer in time.
 */
export async function writeFlushed(folder: string, name: string, content: unknown): Promise<void> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new Error(`${folder} did not answer within ${longestDiskWriteMs / 1000} s`));
  }, longestDiskWriteMs);
  const isLate = new Promise<never>((_, reject) => {
    late.signal.addEventListener("abort", () => {
      reject(late.signal.reason as Error);
    });
  });
  try {
    await Promise.race([writeDraft({ folder, name }, content, late.signal), isLate]);
  } finally {
    clearTimeout(timer);
  }
}

async function writeDraft(
  { folder, name }: { readonly folder: string; readonly name: string },
  content: unknown,
  signal: AbortSignal,
): Promise<void> {
  await makeFolder(folder);
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
    // The run has gone on without the file, and nothing would remove it.
    signal.throwIfAborted();
    await putInPlace(draft, join(folder, name));
  } catch (error) {
    // Drafts must not fill a disk that is already full.
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

/** Not with `recursive`: in a folder such as /proc, which answers ENOENT, Node 20 then tries without end. */
async function makeFolder(folder: string): Promise<void> {
  if ((await stat(folder).catch(() => undefined)) !== undefined) return;
  if (dirname(folder) !== folder) await makeFolder(dirname(folder));
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/**
 * The errors with which Windows refuses to replace a file that another process has open: a virus scanner, or a run
 * that reads it.
 */
const refusals: readonly unknown[] = ["EPERM", "EACCES", "EBUSY"];

/** On other systems these errors are permanent, so waiting does not help. */
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

/** A rename is on disk only once its folder is; Windows cannot sync folders and does not need to. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await flush(handle.fd);
  } finally {
    await handle.close();
  }
}
