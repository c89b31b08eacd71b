/**
 * The version of this package, and the address of its plugin, read from its package.json.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The names of the package and of the plugin's folder in it. */
const ownNames: readonly unknown[] = ["pulumi-compute-endpoint", "pulumi-resource-compute"];

/**
 * The version of the package that contains this file: `0.1.0`; undefined if this is a copy of the file in a program's bundle.
 */
export function packageVersion(): string | undefined {
  return packageManifest()?.version;
}

/** From where the engine downloads the plugin of this package; undefined while the repository has no owner. */
export function packageDownloadAddress(): string | undefined {
  const address = packageManifest()?.repository?.url;
  return address === undefined ? undefined : downloadAddressOf(address);
}

/** The placeholder in package.json for the repository's future owner. */
const nobody = "OWNER";

/**
 * From the release of the wanted version in this repository, the engine downloads the archive for its own system.
 *
 * @param repository - `https://github.com/acme/name`, as in package.json.
 * @returns undefined if the address has no owner: the engine writes it into every state.
 */
export function downloadAddressOf(repository: string): string | undefined {
  const [, owner, name] = /github\.com\/([^/]+)\/([^/]+?)(?:\.git)?$/.exec(repository) ?? [];
  if (owner === undefined || name === undefined || owner === nobody) return undefined;
  return `github://api.github.com/${owner}/${name}`;
}

interface Manifest {
  readonly name?: unknown;
  readonly version?: string;
  readonly repository?: { readonly url?: string };
}

function packageManifest(): Manifest | undefined {
  // An ES module has no `__dirname`.
  if (typeof __dirname === "undefined") return undefined;
  // The manifest is two folders above dist/provider, one folder above the sources, and beside the plugin's bundle.
  const folders = [__dirname, join(__dirname, "..", ".."), join(__dirname, "..")];
  return folders.map(manifestIn).find((found) => found !== undefined);
}

function manifestIn(folder: string): Manifest | undefined {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    // Ignore the manifest beside a program's bundle: it has the program's version, and the engine would search for a plugin of
    // that version.
    return ownNames.includes(manifest.name) ? manifest : undefined;
  } catch {
    return undefined;
  }
}
