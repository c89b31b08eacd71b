/**
 * Chooses the system account for Postgres servers, because Postgres refuses to run as root.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** The system's account that servers run as. */
export interface Account {
  /** Absent for this process's own account. */
  readonly ids?: { readonly uid: number; readonly gid: number };
}

const accountsFile = "/etc/passwd";

/**
 * This process's own account; for root, the account `postgres`, or else `nobody`.
 *
 * @throws Error if this process is root and finds neither account, or if the system is Windows
 */
export function chooseAccount(): Account {
  if (process.platform === "win32") throw new Error("real computes need Linux or macOS");
  if (process.getuid?.() !== 0) return {};
  const lines = existsSync(accountsFile) ? readFileSync(accountsFile, "utf8").split("\n") : [];
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (uid !== undefined && gid !== undefined) return { ids: { uid: Number(uid), gid: Number(gid) } };
  }
  throw new Error("Postgres does not run as root, and the system has no account `postgres` or `nobody`");
}

/** The account's ids; undefined for this process's own account. */
export function otherIds({ ids }: Account): Account["ids"] {
  return ids?.uid === process.getuid?.() ? undefined : ids;
}

/** True if the account can enter a folder, which may not exist yet. */
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

interface RunOptions {
  readonly account: Account;
  readonly cwd?: string;
  readonly input?: string;
  /** Default: the environment of a server. */
  readonly env?: NodeJS.ProcessEnv;
}

/** How many of the last lines of a failed program are shown. */
const tailLines = 4;

/** Runs a program to its end. @returns what it printed @throws Error with its last words */
export async function run(
  command: string,
  args: readonly string[],
  { account, cwd = "/", input, env = serverEnvironment() }: RunOptions,
): Promise<string> {
  const child = spawn(command, args, {
    ...account.ids,
    cwd,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    env,
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

/** Variables that programs need to start. Servers get no other variables, since those may contain root's keys. */
const passedOn = ["PATH", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"];

/** The environment of servers, and of programs that run as their account. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const passed = Object.entries(process.env).filter(([name]) => passedOn.includes(name));
  return { ...Object.fromEntries(passed), LC_ALL: "C", TZ: "UTC" };
}
