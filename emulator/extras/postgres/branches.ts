/**
 * The data folders of branches: made by `initdb`, or copied from the parent branch.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import type { HostedBranch } from "../../service/host";
import { run } from "./account";
import type { Binaries } from "./binaries";
import { clientDatabase, clientRole } from "./configuration";
import type { HostFolder } from "./folder";
import { hostRole, Sql } from "./sql";

/**
 * Since Postgres 16, a role that may create roles can grant only what it has. In older versions, it could grant itself
 * anything.
 */
const safeCreateRoleMajor = 16;

/**
 * The socket of the server that uses a branch's data, and so must take part in a copy. Undefined if no server uses it.
 */
type SocketOf = (branchId: string) => string | undefined;

/** The data of branches: one folder each, made as a copy of another. */
export class Branches {
  readonly #binaries: Binaries;
  readonly #folder: HostFolder;
  #template: Promise<void> | undefined;

  constructor(binaries: Binaries, folder: HostFolder) {
    this.#binaries = binaries;
    this.#folder = folder;
  }

  /** Makes the first data folder, once: all others are copies of it. */
  template(): Promise<void> {
    this.#template ??= existsSync(this.#folder.template) ? Promise.resolve() : this.#makeTemplate();
    return this.#template;
  }

  has(branchId: string): boolean {
    return existsSync(this.#folder.branch(branchId));
  }

  /** Makes a branch's data, unless it exists. @param socketOf - finds the server that uses a branch's data now */
  async make(branch: HostedBranch, socketOf: SocketOf): Promise<void> {
    if (this.has(branch.id)) return;
    await this.template();
    const { parentId } = branch;
    const staging = `${this.#folder.branch(branch.id)}.unfinished`;
    if (parentId !== undefined && this.has(parentId)) {
      await this.copy(parentId, staging, socketOf(parentId));
    } else {
      await this.#copyData(this.#folder.template, staging);
      const password = this.#folder.password(branch.projectId);
      await this.#single(staging, clientDatabase, [`ALTER ROLE ${clientRole} PASSWORD '${password}';`]);
    }
    renameSync(staging, this.#folder.branch(branch.id));
  }

  /** Copies a branch's data. @param socket - the server that uses the data; undefined if none does */
  async copy(branchId: string, to: string, socket: string | undefined): Promise<void> {
    const from = this.#folder.branch(branchId);
    if (socket === undefined) return this.#copyData(from, to);
    const sql = await Sql.connect({
      socket,
      database: "postgres",
      password: this.#folder.facts.hostPassword,
    });
    try {
      await sql.query("SELECT pg_backup_start('copy', true)");
      await this.#copyData(from, to);
      const [[label = ""] = []] = await sql.query("SELECT labelfile FROM pg_backup_stop(false)");
      await this.#finishCopy(from, to, label);
    } finally {
      sql.end();
    }
  }

  async #copyData(from: string, to: string): Promise<void> {
    await this.#folder.newData(to);
    await this.#copyFiles('cp -Rp "$1/." "$2"', [from, to]);
  }

  /** Copies the log, which now has everything that was written while the files were copied: the copy replays it. */
  async #finishCopy(from: string, to: string, label: string): Promise<void> {
    const copyLog = 'rm -rf "$2"; mkdir -m 700 "$2"; cp -Rp "$1/." "$2"';
    await this.#copyFiles(copyLog, [path.join(from, "pg_wal"), path.join(to, "pg_wal")]);
    const finish = 'cd "$1"; rm -f postmaster.pid postmaster.opts; umask 077; cat > backup_label';
    await run("/bin/sh", ["-ec", finish, "sh", to], { account: this.#folder.account, input: label });
  }

  /** Ignores files that the server removes while they are copied: the log records every change that matters. */
  async #copyFiles(script: string, [from, to]: readonly [string, string]): Promise<void> {
    const { account } = this.#folder;
    await run("/bin/sh", ["-ec", script, "sh", from, to], { account }).catch((error: unknown) => {
      const words = error instanceof Error ? error.message : String(error);
      const lines = words.split("cp: ").slice(1);
      const isOfGoneFiles = lines.length > 0 && lines.every((line) => /No such file/.test(line));
      if (!isOfGoneFiles || !existsSync(path.join(to, to.endsWith("pg_wal") ? "" : "PG_VERSION")))
        throw error;
    });
  }

  async #makeTemplate(): Promise<void> {
    const { template, facts, account } = this.#folder;
    const staging = `${template}.unfinished`;
    const passwordFile = path.join(this.#folder.path, "password.tmp");
    await this.#folder.newData(staging);
    this.#folder.write(passwordFile, facts.hostPassword);
    try {
      const options = [
        "-U",
        hostRole,
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--no-sync",
        "--no-locale",
      ];
      const args = ["-D", staging, ...options, "--encoding=UTF8", "--wal-segsize=1", "--no-instructions"];
      await run(path.join(this.#binaries.folder, "initdb"), args, { account });
    } finally {
      rmSync(passwordFile, { force: true });
    }
    const mayCreateRoles = this.#binaries.major >= safeCreateRoleMajor ? "CREATEROLE" : "NOCREATEROLE";
    await this.#single(staging, "postgres", [
      `CREATE ROLE ${clientRole} LOGIN NOSUPERUSER CREATEDB NOREPLICATION ${mayCreateRoles};`,
      `CREATE DATABASE ${clientDatabase} OWNER ${clientRole};`,
    ]);
    facts.major = this.#binaries.major;
    this.#folder.saveFacts();
    renameSync(staging, template);
  }

  /** Runs statements, one to a line, on data that no server uses. */
  async #single(data: string, database: string, statements: readonly string[]): Promise<void> {
    const args = ["--single", "-D", data, "-c", "fsync=off", "-c", "exit_on_error=on", database];
    const input = statements.map((statement) => `${statement}\n`).join("");
    await run(path.join(this.#binaries.folder, "postgres"), args, { account: this.#folder.account, input });
  }
}
