/**
 * What the run that previewed says of itself: a file beside each preview names the pull request, its base and its head.
 * The pull request's own code could write anything there, as into the preview: it is compared with what GitHub says.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { filesBelow, runFile } from "../preview/files";
import type { Declared } from "./subject";

const declared = z.object({
  number: z.number().int().positive(),
  base: z.string().min(1),
  head: z.string().min(1),
});

interface Declarations {
  /** Without repetitions. */
  readonly all: readonly Declared[];
  /** True if a file cannot be read, or two of them disagree. */
  readonly isUnclear: boolean;
}

export function declarationsIn(folders: readonly string[]): Declarations {
  const files = folders.flatMap((folder) =>
    (filesBelow(folder) ?? []).map((file) => path.join(folder, file)),
  );
  const read = files.filter((file) => path.basename(file) === runFile).map(readDeclared);
  const known = read.flatMap((one) => one ?? []);
  const all = [...new Map(known.map((one) => [JSON.stringify(one), one])).values()];
  return { all, isUnclear: known.length < read.length || all.length > 1 };
}

function readDeclared(file: string): Declared | undefined {
  try {
    return declared.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    return undefined;
  }
}
