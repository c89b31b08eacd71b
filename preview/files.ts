/**
 * The files below a folder of previews.
 */
import { readdirSync, statSync } from "node:fs";
import path from "node:path";

/** @returns the paths below a folder, with `/` on every system; undefined if it is not a folder. */
export function filesBelow(folder: string): readonly string[] | undefined {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.replaceAll(path.sep, "/"))
    .sort();
}
