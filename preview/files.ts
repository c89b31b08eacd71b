/**
 * The files below a folder of previews.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** @returns the paths below a folder, with `/` on every system; undefined if it is not a folder. */
export function filesBelow(folder: string): readonly string[] | undefined {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .map((file) => file.replaceAll(path.sep, "/"))
    .sort();
}

/**
 * Reads an input. A pipe that a folder contains is refused, since reading it could block forever. An input named on the
 * command line may be a pipe, as in `compute-preview <(pulumi preview --json)`.
 */
export function readInput(file: string, named: readonly string[]): Uint8Array {
  if (named.includes(file) || statSync(file).isFile()) return readFileSync(file);
  throw new Error("it is not a regular file: remove it from the folder, or save the preview as a file");
}
