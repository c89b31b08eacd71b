/**
 * The version of this package, read from its package.json.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The names of the package and of the plugin's folder in it. */
const ownNames: readonly unknown[] = ["pulumi-compute-endpoint", "pulumi-resource-compute"];

/**
 * The version of the package that contains this file: `0.1.0`; undefined if a program's bundle contains a copy of it.
 */
export function packageVersion(): string | undefined {
  // An ES module has no `__dirname`.
  if (typeof __dirname === "undefined") return undefined;
  // From dist/provider the manifest is two folders up, from the sources one; the plugin's bundle has its own beside
  // it.
  const folders = [__dirname, join(__dirname, "..", ".."), join(__dirname, "..")];
  return folders.map(versionIn).find((found) => found !== undefined);
}

function versionIn(folder: string): string | undefined {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      name?: unknown;
      version?: string;
    };
    // The manifest beside a program's bundle is the program's: the engine would search for a plugin of that version.
    return ownNames.includes(manifest.name) ? manifest.version : undefined;
  } catch {
    return undefined;
  }
}
