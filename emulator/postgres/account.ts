/**
 * Chooses the system account for Postgres servers, because Postgres refuses to run as root.
 */
import { spawn } from "node:child_process";
import { chownSync, existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** The system's account that servers run as. Postgres refuses to run as root. */
export interface Account {
  /** Absent where it is this process's own. */
  readonly ids?: { readonly uid: number; readonly gid: number };
}

const accountsFile = "/etc/passwd";

/** This process's own account; for root, that of `postgres`, or else `nobody`. @throws Error where root has neither */
export function chooseAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const lines = existsSync(accountsFile) ? readFileSync(accountsFile, "utf8").split("\n") : [];
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (uid !== undefined && gid !== undefined) return { ids: { uid: Number(uid), gid: Number(gid) } };
  }
  throw new Error("Postgres does not run as root, and there is no account `postgres` or `nobody`");
}

/** Gives a file or folder to the account. */
export function give({ ids }: Account, file: string): void {
  if (ids) chownSync(file, ids.uid, ids.gid);
}

/**
 * Makes sure that a folder which is there already may be used as one of ours.
 *
 * In the system's temporary folder anybody may have put something of that name, a link to another folder for one.
 *
 * @param closedTo - bits of its mode that must not be set
 * @throws Error that says what is wrong with it, and how to go on
 */
export function checkOwn(folder: string, { ids }: Account, closedTo = 0o077): void {
  const found = lstatSync(folder);
  const wrong = (what: string): Error =>
    new Error(`${folder} is needed as a folder of its own, but ${what}; remove it and try again`);
  if (!found.isDirectory()) throw wrong(found.isSymbolicLink() ? "is a link" : "is no folder");
  if (![ids?.uid, process.getuid?.()].includes(found.uid)) throw wrong("belongs to somebody else");
  const mode = found.mode & 0o777;
  if ((mode & closedTo) !== 0) throw wrong(`is open to others (mode ${mode.toString(8)})`);
}

/** Whether the account gets into a folder that is there, or would be made. */
export function reaches({ ids }: Account, folder: string): boolean {
  if (!ids) return true;
  for (let above = path.dirname(path.resolve(folder)); ; above = path.dirname(above)) {
    if (existsSync(above)) {
      const { mode, uid, gid } = statSync(above);
      const bit = uid === ids.uid ? 0o100 : gid === ids.gid ? 0o010 : 0o001;
      if ((mode & bit) === 0) return false;
    }
    if (above === path.dirname(above)) return true;
  }
}

export interface RunOptions {
  readonly account: Account;
  readonly cwd?: string;
  readonly input?: string;
}

/** Words of a failed program that are worth showing. */
const tailLines = 4;

/** Runs a program to its end. @returns what it printed @throws Error with its last words */
export async function run(
  command: string,
  args: readonly string[],
  { account, cwd = "/", input }: RunOptions,
): Promise<string> {
  const child = spawn(command, args, {
    ...account.ids,
    cwd,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    env: serverEnvironment(),
  });
  let printed = "";
  let said = "";
  child.stdout?.on("data", (text: Buffer) => (printed += text.toString()));
  child.stderr?.on("data", (text: Buffer) => (said += text.toString()));
  child.stdin?.on("error", () => undefined).end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  if (code === 0) return printed;
  const last = (said || printed).trim().split("\n").slice(-tailLines).join(" ");
  throw new Error(`${path.basename(command)} ended with ${code ?? "a signal"}: ${last}`);
}

/** The environment of servers: variables of clients (PGDATA, PGOPTIONS, …) are for others. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(others), LC_ALL: "C", TZ: "UTC" };
}
