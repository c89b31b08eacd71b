import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of the package that this file is in: `0.1.0`. */
export function packageVersion(): string | undefined {
  // From dist/provider the manifest is two folders up, from the sources one; beside the plugin's bundle lies its own.
  const folders = [__dirname, join(__dirname, "..", ".."), join(__dirname, "..")];
  return folders.map(versionIn).find((found) => found !== undefined);
}

function versionIn(folder: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version?: string }).version;
  } catch {
    return undefined;
  }
}
