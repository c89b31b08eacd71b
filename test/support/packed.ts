/** The package as users get it: packed, and installed in a folder outside the checkout. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { run } from "./stack";

const checkout = path.join(__dirname, "..", "..");

/** A new folder without a node_modules above it: a program there finds only what is installed in it. */
export function folderOutside(): string {
  const isClean = (folder: string): boolean =>
    !existsSync(path.join(folder, "node_modules")) &&
    (path.dirname(folder) === folder || isClean(path.dirname(folder)));
  const place = [tmpdir(), "/var/tmp", homedir()].find((folder) => existsSync(folder) && isClean(folder));
  if (place === undefined) throw new Error(`There is a node_modules folder above ${tmpdir()}: remove it.`);
  return mkdtempSync(path.join(place, "compute-outside-"));
}

/** The variables of a user's shell, without those that tell npm that it runs a script of this repository. */
export function userShell(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([variable]) => !/^(npm_(?!config_)|npm_config_local_prefix$|INIT_CWD$)/i.test(variable),
  );
  return Object.fromEntries(own);
}

/** @returns what the command printed on stdout. */
export async function succeed(
  words: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  const [command = "", ...rest] = words;
  const { code, output, stdout } = await run(command, rest, { cwd, env: { ...userShell(), ...environment } });
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${String(code)}:\n${output}`);
  return stdout;
}

/** Installs what the folder's package.json names, or these packages. */
export async function npmInstall(folder: string, ...packages: readonly string[]): Promise<void> {
  await succeed(["npm", "install", ...packages, "--no-audit", "--no-fund", "--prefer-offline"], folder);
}

/** @returns the file that a registry would get, in a new folder. */
async function packInto(folder: string): Promise<string> {
  mkdirSync(folder);
  await succeed(["npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", folder], checkout);
  const [file, ...more] = readdirSync(folder);
  expect(more).toEqual([]);
  return path.join(folder, file!);
}

interface Outside {
  readonly folder: string;
  readonly tarball: string;
}

/** For all tests of a file: a folder outside the checkout with the packed package, and with these packages if any are given. */
export function packedOutside(packages?: Readonly<Record<string, string>>): Outside {
  const outside = { folder: "", tarball: "" };
  beforeAll(async () => {
    outside.folder = folderOutside();
    outside.tarball = await packInto(path.join(outside.folder, "packed"));
    if (packages === undefined) return;
    const dependencies = { [packageName]: `file:${outside.tarball}`, ...packages };
    // The engine must not take this version for the plugin's.
    const manifest = { name: "outside", version: "7.7.7", private: true, dependencies };
    writeFiles(outside.folder, { "package.json": JSON.stringify(manifest) });
    await npmInstall(outside.folder);
  });
  afterAll(() => {
    rmSync(outside.folder, { recursive: true, force: true });
  });
  return outside;
}

export const packageName = "pulumi-compute-endpoint";

/** Other package managers have their own default registry; this machine is set up for npm's. */
export async function npmRegistry(): Promise<string> {
  return (await succeed(["npm", "config", "get", "registry"], tmpdir())).trim();
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
}
