/**
 * The version of this package, read from its package.json.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The names of the package and of the plugin's folder in it. */
const ownNames: readonly unknown[] = ["pulumi-compute-endpoint", "pulumi-resource-compute"];

/**
 * The version of the package that contains this file: `0.1.0`; undefined if this is a copy of the file in a program's bundle.
 */
export function packageVersion(): string | undefined {
  // An ES module has no `__dirname`.
  if (typeof __dirname === "undefined") return undefined;
  // The manifest is two folders above dist/provider, one folder above the sources, and beside the plugin's bundle.
  const folders = [__dirname, join(__dirname, "..", ".."), join(__dirname, "..")];
  return folders.map(versionIn).find((found) => found !== undefined);
}

function versionIn(folder: string): string | undefined {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      name?: unknown;
      version?: string;
    };
    // Ignore the manifest beside a program's bundle: it has the program's version, and the engine would search for a plugin of
    // that version.
    return ownNames.includes(manifest.name) ? manifest.version : undefined;
  } catch {
    return undefined;
  }
}
