/**
 * Small files that survive a killed process and a power cut: the journal of creates and the notes of takeovers.
 *
 * Their content decides what is taken over and deleted, so a file is trusted only if no other user can have written
 * it, and no text in it becomes a file name.
 */
import { createHash, randomUUID } from "node:crypto";
import { constants, fsync } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { longestDiskAnswerMs, replaceWaitsMs } from "../pure/timing";
import { whyNotOwn } from "../settings/userFolders";

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

/** Whether the disk of each folder that this process uses answers: resolves, or rejects once it has not in time. */
const answering = new Map<string, Promise<unknown>>();
const silent = new Set<string>();

/** Whether the disk of a folder did not answer in time: a step that cannot be limited must not use it. */
export function isSilent(folder: string): boolean {
  return silent.has(folder);
}

/**
 * Uses a folder within the time limit. The first use asks for the folder alone: Node has four threads for files and host
 * names, and a disk that hangs would keep them all. Once a disk has not answered, this process does not use it again.
 *
 * @throws if the file system does not answer in time.
 */
export async function inDiskTime<T>(folder: string, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const answers = answering.get(folder) ?? limited(folder, () => stat(folder).catch(() => undefined));
  answering.set(folder, answers);
  await answers;
  return limited(folder, act);
}

async function limited<T>(folder: string, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const isLate = new Promise<never>((_, reject) => {
    late.signal.addEventListener("abort", () => {
      reject(late.signal.reason as Error);
    });
  });
  const timer = setTimeout(() => {
    late.abort(new Error(`${folder} did not answer within ${longestDiskAnswerMs / 1000} s`));
    silent.add(folder);
    answering.set(folder, isLate);
  }, longestDiskAnswerMs);
  try {
    return await Promise.race([act(late.signal), isLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Opening a pipe must not block the run. On Windows the last two are undefined, which counts as 0. */
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads a file of this user. A link, a special file, another user's file or one that others can write counts as
 * missing: anybody may have put it there.
 *
 * @throws if it is missing or is not JSON, and if the file system does not answer in time.
 */
export function readOwn(folder: string, name: string): Promise<unknown> {
  return inDiskTime(folder, async () => {
    if ((await distrusted(folder)) !== undefined) return undefined;
    const file = await open(join(folder, name), readFlags);
    try {
      const seen = await file.stat();
      return whyNotOwn(seen) === undefined && seen.isFile()
        ? (JSON.parse(await file.readFile("utf8")) as unknown)
        : undefined;
    } finally {
      await file.close();
    }
  });
}

/** Removes a file, if there is one. @throws if the file system refuses it, or does not answer in time. */
export function remove(folder: string, name: string): Promise<void> {
  return inDiskTime(folder, () => rm(join(folder, name), { force: true }));
}

/** Why a folder is not this user's alone. Undefined if it is, or does not exist yet. */
async function distrusted(folder: string): Promise<string | undefined> {
  const seen = await stat(folder).catch(() => undefined);
  return seen && whyNotOwn(seen);
}

/**
 * Writes a draft, flushes it and renames it: after a kill, either the old or the new file exists.
 *
 * @throws if the file system refuses it, or does not answer in time.
 */
export function writeFlushed(folder: string, name: string, content: unknown): Promise<void> {
  return inDiskTime(folder, async (signal) => {
    await makeFolder(folder);
    const why = await distrusted(folder);
    if (why !== undefined) throw new Error(`${folder} ${why}`);
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
  });
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
