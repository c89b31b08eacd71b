/**
 * The version of this package, read from its package.json.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The package, and the plugin's folder in it. */
const ownNames: readonly unknown[] = ["pulumi-compute-endpoint", "pulumi-resource-compute"];

/** The version of the package that this file is in: `0.1.0`; none where a program's bundle holds a copy of it. */
export function packageVersion(): string | undefined {
  // A bundle that is an ES module has no such name.
  if (typeof __dirname === "undefined") return undefined;
  // From dist/provider the manifest is two folders up, from the sources one; beside the plugin's bundle lies its own.
  const folders = [__dirname, join(__dirname, "..", ".."), join(__dirname, "..")];
  return folders.map(versionIn).find((found) => found !== undefined);
}

function versionIn(folder: string): string | undefined {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      name?: unknown;
      version?: string;
    };
    // The manifest beside a program's bundle is the program's: the engine would look for a plugin of that version.
    return ownNames.includes(manifest.name) ? manifest.version : undefined;
  } catch {
    return undefined;
  }
}
