/**
 * Makes, writes and removes files that the servers' account can reach, without following links.
 *
 * If this process is root, servers run as another account, which must not gain any of root's rights. So root makes and
 * writes files only in folders that only root can write to. In folders that belong to the account, the work is done as
 * the account.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { otherIds, run, type Account } from "./account";

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** More than a server's lock file ever has, in bytes. */
const mostLockBytes = 4096;

/**
 * Makes sure that an existing folder may be used as one of ours.
 *
 * In the system's temporary folder, anybody can create something with the folder's name, such as a link to another
 * folder.
 *
 * @param closedTo - mode bits of the folder that must not be set
 * @throws Error that says what is wrong with it, and how to go on
 */
export function checkOwn(folder: string, { ids }: Account, closedTo = 0o077): void {
  const found = lstatSync(folder);
  const wrong = (what: string): Error =>
    new Error(
      `${folder} must be a folder that only the emulator uses, but it ${what}; remove it and try again`,
    );
  if (!found.isDirectory()) throw wrong(found.isSymbolicLink() ? "is a link" : "is not a folder");
  if (![ids?.uid, process.getuid?.()].includes(found.uid)) throw wrong("belongs to another user");
  const mode = found.mode & 0o777;
  if ((mode & closedTo) !== 0) throw wrong(`is open to others (mode ${mode.toString(8)})`);
}

/** Makes a folder that only this process writes to. The account can enter it, but cannot list or change it. */
export function makeOwnFolder(folder: string, account: Account): void {
  mkdirSync(path.dirname(folder), { recursive: true });
  makeNew(folder);
  const ids = otherIds(account);
  // The account can enter the folder through its group.
  checkOwn(folder, account, ids ? 0o067 : 0o077);
  if (!ids) return;
  // A folder of an earlier release belongs to the account. Its descriptor is used, so that nobody can put a link in its
  // place.
  const opened = openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    fchownSync(opened, process.getuid?.() ?? 0, ids.gid);
    fchmodSync(opened, 0o710);
  } finally {
    closeSync(opened);
  }
}

/** Makes a folder that belongs to the account, in a folder that only this process writes to. */
export function makeServersFolder(folder: string, account: Account): void {
  const ids = otherIds(account);
  if (makeNew(folder)) {
    if (ids) lchownSync(folder, ids.uid, ids.gid);
  } else {
    checkOwn(folder, account);
  }
}

/** @returns true if it did not exist before */
function makeNew(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Makes an empty file, replacing one that exists. @returns its descriptor, to write to */
export function newFile(file: string): number {
  rmSync(file, { force: true });
  return openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
}

/**
 * Writes a file in a folder that only this process writes to. @param account - another account that can read the file;
 * absent if there is none
 */
export function writeOwn(file: string, text: string, account?: Account): void {
  const beside = `${file}.new`;
  const opened = newFile(beside);
  try {
    writeSync(opened, text);
    const ids = account && otherIds(account);
    if (ids) {
      fchownSync(opened, process.getuid?.() ?? 0, ids.gid);
      fchmodSync(opened, 0o640);
    }
  } finally {
    closeSync(opened);
  }
  renameSync(beside, file);
}

/** Reads a file that this process wrote. @throws Error if another user wrote it */
export function readOwn(file: string): string {
  const opened = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const found = fstatSync(opened);
    if (found.isFile() && found.uid === process.getuid?.()) return readFileSync(opened, "utf8");
    throw new Error(`${file} belongs to another user; remove it and try again`);
  } finally {
    closeSync(opened);
  }
}

/** Reads the lock file that a server keeps in its data. @returns "" if there is none */
export async function readLock(file: string): Promise<string> {
  const opened = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (!opened) return "";
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(mostLockBytes), 0, mostLockBytes, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } catch {
    return "";
  } finally {
    await opened.close();
  }
}

/** Writes a file in a folder of the account, as the account. */
export async function writeAs(account: Account, file: string, text: string): Promise<void> {
  await run("/bin/sh", ["-c", 'umask 077; cat > "$1"', "sh", file], { account, input: text });
}

/** Removes a file, or a folder with everything in it. What belongs to the account is removed as the account. */
export async function removeTree(account: Account, tree: string): Promise<void> {
  const found = lstatSync(tree, { throwIfNoEntry: false });
  if (!found) return;
  const ids = otherIds(account);
  if (!ids) {
    rmSync(tree, { recursive: true, force: true });
  } else if (!found.isDirectory()) {
    unlinkSync(tree);
  } else if (found.uid === ids.uid) {
    // The account can empty the folder, but cannot remove it from a folder that is not its own.
    await run("rm", ["-rf", "--", tree], { account }).catch(() => undefined);
    if (lstatSync(tree, { throwIfNoEntry: false })) rmdirSync(tree);
  } else {
    for (const name of readdirSync(tree)) await removeTree(account, path.join(tree, name));
    rmdirSync(tree);
  }
}
