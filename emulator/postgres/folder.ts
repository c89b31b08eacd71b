/**
 * The folder that holds the data of all branches, and belongs to one emulator at a time.
 */
import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { checkOwn, give, reaches, type Account } from "./account";

/** What has to outlive the emulator beside the data: a connection string that was printed stays good. */
interface Facts {
  readonly version: 1;
  /** The major version that the data are of. */
  major?: number;
  /** Of the host's own role. */
  readonly hostPassword: string;
  /** Of the clients' role, by project. */
  readonly passwords: Record<string, string>;
  /** Ports by compute; `shared` is the one for all of them. */
  ports: Record<string, number>;
}

/** Longest path of a socket, in bytes, that every system takes. */
const longestSocketPath = 100;

const temporaryPrefix = "compute-postgres-";

/** Everything that a host keeps on disk: one folder, closed to other accounts. */
export class HostFolder {
  readonly account: Account;
  readonly path: string;
  /** Where the servers' sockets are: of the length that systems take, and closed to others too. */
  readonly sockets: string;
  readonly facts: Facts;
  readonly #isTemporary: boolean;

  constructor(stateFile: string | undefined, account: Account) {
    this.account = account;
    this.#isTemporary = stateFile === undefined;
    this.path = stateFile === undefined ? newTemporaryFolder() : keptFolder(stateFile, account);
    this.#make(this.path);
    give(account, this.path);
    this.facts = this.#readFacts();
    const inside = path.join(this.path, "sockets");
    const name = createHash("sha256").update(this.path).digest("hex").slice(0, 12);
    const isShort = Buffer.byteLength(path.join(inside, ".s.PGSQL.12345")) <= longestSocketPath;
    this.sockets = isShort ? inside : path.join(os.tmpdir(), `compute-sockets-${name}`);
    this.#make(this.sockets);
  }

  get template(): string {
    return path.join(this.path, "template");
  }

  branch(id: string): string {
    return path.join(this.#made("branches"), id);
  }

  /** Holds a compute's configuration, its log, and a replica's data. */
  compute(id: string): string {
    return this.#made(path.join("computes", id));
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
    const beside = path.join(this.path, "facts.json.tmp");
    writeFileSync(beside, JSON.stringify(this.facts), { mode: 0o600 });
    renameSync(beside, path.join(this.path, "facts.json"));
  }

  /** Writes a file that servers read. */
  write(file: string, text: string): void {
    writeFileSync(file, text, { mode: 0o600 });
    give(this.account, file);
  }

  removeCompute(id: string): void {
    rmSync(path.join(this.path, "computes", id), { recursive: true, force: true });
  }

  /** Removes what no later run needs. */
  close(): void {
    rmSync(this.sockets, { recursive: true, force: true });
    if (this.#isTemporary) rmSync(this.path, { recursive: true, force: true });
  }

  #made(inside: string): string {
    const folder = path.join(this.path, inside);
    const above = path.dirname(folder);
    if (above !== this.path) this.#make(above);
    this.#make(folder);
    return folder;
  }

  #make(folder: string): void {
    mkdirSync(path.dirname(folder), { recursive: true });
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      checkOwn(folder, this.account);
      return;
    }
    give(this.account, folder);
  }

  #readFacts(): Facts {
    const file = path.join(this.path, "facts.json");
    if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as Facts;
    return { version: 1, hostPassword: newPassword(), passwords: {}, ports: {} };
  }
}

/** Beside the state file; where the servers' account does not get there, in the system's temporary folder. */
function keptFolder(stateFile: string, account: Account): string {
  const beside = path.join(path.dirname(path.resolve(stateFile)), "postgres");
  if (reaches(account, beside)) return beside;
  const name = createHash("sha256").update(beside).digest("hex").slice(0, 12);
  return path.join(os.tmpdir(), `compute-postgres-kept-${name}`);
}

/** Its name has the process's id, so that what a killed one left behind is known, and removed. */
function newTemporaryFolder(): string {
  const parent = os.tmpdir();
  for (const name of readdirSync(parent)) {
    const pid = new RegExp(`^${temporaryPrefix}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) {
      rmSync(path.join(parent, name), { recursive: true, force: true });
    }
  }
  return mkdtempSync(path.join(parent, `${temporaryPrefix}${process.pid}-`));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Letters and digits alone: it stands in URIs and in SQL. */
function newPassword(): string {
  return randomBytes(18).toString("base64url").replace(/[-_]/g, "x");
}
