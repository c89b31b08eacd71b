/**
 * The folder that holds the data of all branches, and belongs to one emulator at a time.
 */
import { createHash, randomBytes } from "node:crypto";
import { existsSync, lstatSync, mkdtempSync, readdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { otherIds, reaches, type Account } from "./account";
import { makeOwnFolder, makeServersFolder, readOwn, removeTree, writeOwn } from "./files";

/** What has to outlive the emulator besides the data, so that printed connection strings stay valid. */
interface Facts {
  readonly version: 1;
  /** The major version of the data. */
  major?: number;
  /** The password of the host's own role. */
  readonly hostPassword: string;
  /** The passwords of the clients' role, by project. */
  readonly passwords: Record<string, string>;
  /** Ports by compute; `shared` is the port that all computes share. */
  ports: Record<string, number>;
}

/** Longest path of a socket, in bytes, that every system takes. */
const longestSocketPath = 100;

const temporaryPrefix = "compute-postgres-";

/**
 * Everything that a host keeps on disk: one folder, closed to other accounts.
 *
 * If servers run as another account, only the data and the sockets belong to it.
 */
export class HostFolder {
  readonly account: Account;
  readonly path: string;
  /** The folder of the servers' sockets: its path is short enough for every system, and it is closed to others too. */
  readonly sockets: string;
  readonly facts: Facts;
  readonly #isTemporary: boolean;

  constructor(stateFile: string | undefined, account: Account) {
    this.account = account;
    this.#isTemporary = stateFile === undefined;
    this.path = stateFile === undefined ? newTemporaryFolder() : keptFolder(stateFile, account);
    makeOwnFolder(this.path, account);
    this.facts = this.#readFacts();
    const inside = path.join(this.path, "sockets");
    const name = createHash("sha256").update(this.path).digest("hex").slice(0, 12);
    const isShort = Buffer.byteLength(path.join(inside, ".s.PGSQL.12345")) <= longestSocketPath;
    this.sockets = isShort ? inside : path.join(os.tmpdir(), `compute-sockets-${name}`);
    makeServersFolder(this.sockets, account);
  }

  get template(): string {
    return path.join(this.path, "template");
  }

  branch(id: string): string {
    return path.join(this.#made("branches"), nameOf(id));
  }

  /** Holds a compute's configuration, its log, and a replica's data. */
  compute(id: string): string {
    return this.#made("computes", nameOf(id));
  }

  /** The socket of the server with this number. */
  socket(number: number): string {
    return path.join(this.sockets, `.s.PGSQL.${number}`);
  }

  /** The password of a project's clients. */
  password(projectId: string): string {
    this.facts.passwords[projectId] ??= newPassword();
    this.saveFacts();
    return this.facts.passwords[projectId];
  }

  saveFacts(): void {
    writeOwn(path.join(this.path, "facts.json"), JSON.stringify(this.facts));
  }

  /** Writes a file that servers read. */
  write(file: string, text: string): void {
    writeOwn(file, text, this.account);
  }

  /** Makes an empty folder for a server's data. */
  async newData(folder: string): Promise<void> {
    await this.remove(folder);
    makeServersFolder(folder, this.account);
  }

  /** Removes a folder with everything in it. */
  remove(inside: string): Promise<void> {
    return removeTree(this.account, inside);
  }

  /** Removes what no later run needs. */
  async close(): Promise<void> {
    await this.remove(this.sockets);
    if (this.#isTemporary) await this.remove(this.path);
  }

  #made(...names: readonly string[]): string {
    let folder = this.path;
    for (const name of names) {
      folder = path.join(folder, name);
      makeOwnFolder(folder, this.account);
    }
    return folder;
  }

  #readFacts(): Facts {
    const file = path.join(this.path, "facts.json");
    if (existsSync(file)) return JSON.parse(readOwn(file)) as Facts;
    return { version: 1, hostPassword: newPassword(), passwords: {}, ports: {} };
  }
}

/** An id as the name of a folder. @throws Error if it would lead to another folder */
function nameOf(id: string): string {
  if (/^[\w.-]+$/.test(id) && !/^\.+$/.test(id)) return id;
  throw new Error(`"${id}" can't be the name of a folder: an id has letters, digits, "-" and "_"`);
}

/** A folder beside the state file. If the servers' account cannot reach it, one in the system's temporary folder. */
function keptFolder(stateFile: string, account: Account): string {
  const beside = path.join(path.dirname(path.resolve(stateFile)), "postgres");
  if (reaches(account, beside)) return beside;
  const name = createHash("sha256").update(beside).digest("hex").slice(0, 12);
  return path.join(os.tmpdir(), `compute-postgres-kept-${name}`);
}

/** The name contains the process's id, so that the folders of killed processes are recognised. */
function newTemporaryFolder(): string {
  return mkdtempSync(path.join(os.tmpdir(), `${temporaryPrefix}${process.pid}-`));
}

/**
 * Removes the temporary folders of processes that were killed. Folders of other users stay: anybody can make a folder
 * with such a name in the system's temporary folder.
 */
export async function removeLeftovers(account: Account): Promise<void> {
  const parent = os.tmpdir();
  for (const name of readdirSync(parent)) {
    const pid = new RegExp(`^${temporaryPrefix}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const found = lstatSync(path.join(parent, name), { throwIfNoEntry: false });
    const ours = [process.getuid?.(), otherIds(account)?.uid];
    if (ours.includes(found?.uid)) await removeTree(account, path.join(parent, name)).catch(() => undefined);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Only letters and digits, since the password is part of URIs and of SQL. */
function newPassword(): string {
  return randomBytes(18).toString("base64url").replace(/[-_]/g, "x");
}
