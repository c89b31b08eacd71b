/**
 * Finds the binaries of Postgres on this machine.
 */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { reaches, run, type Account } from "./account";
import { embeddedVersion, installEmbedded } from "./embedded";

/** A Postgres that runs on this machine. */
export interface Binaries {
  /** The folder of `postgres` and `initdb`. */
  readonly folder: string;
  /** `15.18`. */
  readonly version: string;
  readonly major: number;
  /** Which Postgres it is and why, as a clause for people. */
  readonly reason: string;
}

/** The oldest version that works: the first one with `pg_backup_start`. */
const oldestMajor = 15;

/** `off`, `embedded` (ignores the machine's own Postgres), or the folder of a `postgres`. */
const postgresVariable = "COMPUTE_POSTGRES";

/**
 * Folders that contain one folder per version, and the programs' place in it. Debian leaves its own Postgres off PATH.
 */
const usualPlaces: readonly (readonly [parent: string, inside: string])[] = [
  ["/usr/lib/postgresql", "bin"],
  ["/usr/libexec", ""],
  ["/usr", "bin"],
  ["/opt/homebrew/opt", "bin"],
  ["/usr/local/opt", "bin"],
  ["/Applications/Postgres.app/Contents/Versions", "bin"],
];

interface Search {
  readonly account: Account;
  readonly env: NodeJS.ProcessEnv;
  /** The major version that the existing data needs. */
  readonly major?: number;
  /** False to install nothing: `npm run doctor` only checks. */
  readonly mayInstall?: boolean;
  readonly tell?: (text: string) => void;
}

/**
 * The machine's own Postgres, or else one that npm installs into the user's cache.
 *
 * @throws Error that says why there is none
 */
export async function findBinaries(search: Search): Promise<Binaries> {
  const wish = search.env[postgresVariable] ?? "";
  if (wish === "off") throw new Error(`${postgresVariable} is off`);
  const own = wish === "embedded" ? [] : await machineBinaries(search, wish);
  const fitting = own.find(({ major }) => search.major === undefined || search.major === major);
  if (fitting) return fitting;
  if (wish !== "" && wish !== "embedded") {
    throw new Error(`${postgresVariable} is ${wish}, which contains no Postgres ${wanted(search)}`);
  }
  const embeddedMajor = Number(embeddedVersion.split(".")[0]);
  if (search.major !== undefined && search.major !== embeddedMajor) {
    throw new Error(
      `the data was written by Postgres ${search.major}, which this machine does not have: install it, or remove the data`,
    );
  }
  const folder = await installEmbedded(search);
  const version = await versionIn(folder, search.account);
  if (version === undefined) throw new Error(`the Postgres in ${folder} does not run on this machine`);
  const why =
    wish === "embedded"
      ? `${postgresVariable} is embedded`
      : `this machine has no Postgres ${wanted(search)}`;
  return { folder, ...version, reason: `Postgres ${version.version} from the cache, because ${why}` };
}

function wanted({ major }: Search): string {
  return major === undefined ? `${oldestMajor} or later` : String(major);
}

/** Every usable Postgres of the machine: those on PATH, then the usual places, newest first. */
async function machineBinaries({ account, env }: Search, wish: string): Promise<Binaries[]> {
  const onPath = (env["PATH"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const candidates = wish === "" ? [...onPath, ...usualFolders()] : [wish];
  const found = new Map<string, Binaries>();
  for (const candidate of candidates) {
    const folder = realFolder(candidate);
    if (folder === undefined || found.has(folder) || !reaches(account, path.join(folder, "postgres")))
      continue;
    const version = await versionIn(folder, account);
    if (version === undefined || version.major < oldestMajor) continue;
    const reason = `Postgres ${version.version} in ${folder}, because ${wish === "" ? "it is installed on this machine" : `${postgresVariable} says so`}`;
    found.set(folder, { folder, ...version, reason });
  }
  return [...found.values()];
}

function usualFolders(): string[] {
  return usualPlaces.flatMap(([parent, inside]) => {
    if (!existsSync(parent)) return [];
    const versions = readdirSync(parent).filter(
      (name) => /^(postgresql(@|-|$)?|pgsql-)?\d*$/.test(name) && /\d/.test(name),
    );
    const byNumber = (name: string): number => Number(/\d+/.exec(name)?.[0]);
    return versions
      .sort((one, other) => byNumber(other) - byNumber(one))
      .map((name) => path.join(parent, name, inside));
  });
}

/** Where a `postgres` really is: on PATH it may be a link, and its `initdb` is beside the target. */
function realFolder(folder: string): string | undefined {
  const server = path.join(folder, "postgres");
  if (!existsSync(server)) return undefined;
  const real = path.dirname(realpathSync(server));
  return existsSync(path.join(real, "initdb")) ? real : undefined;
}

/** @returns undefined if it does not run */
async function versionIn(
  folder: string,
  account: Account,
): Promise<Pick<Binaries, "version" | "major"> | undefined> {
  const printed = await run(path.join(folder, "postgres"), ["--version"], { account }).catch(() => "");
  const version = /\d+(\.\d+)?/.exec(printed)?.[0];
  return version === undefined ? undefined : { version, major: Number.parseInt(version, 10) };
}
