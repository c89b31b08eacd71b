/**
 * Folders in the cache that are made once, by the first process that asks for them.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";

import { readEngineSettings } from "../engine/settings";
import { withLock } from "../lock";
import { makeFolder } from "../madeFolder";

/**
 * A folder of the cache, made by the first process that asks for it.
 *
 * @param name - its kind, a dash, and a digest of what it is made from.
 */
export async function once(name: string, make: (staging: string) => Promise<void>): Promise<string> {
  const cache = path.join(readEngineSettings(process.env).cacheFolder, "languages");
  const folder = path.join(cache, name);
  if (existsSync(folder)) return folder;
  return withLock(cache, name, async () => {
    if (existsSync(folder)) return folder;
    await makeFolder(folder, make);
    removeOld(cache, name.replace(/-.*/, "-"));
    return folder;
  });
}

/** How many folders of a kind are kept, so that this many checkouts can take turns without making a folder again. */
const keptOfAKind = 4;

function removeOld(cache: string, prefix: string): void {
  const madeMs = (name: string): number => statSync(path.join(cache, name)).ctimeMs;
  const all = readdirSync(cache).filter((name) => name.startsWith(prefix));
  const old = all.sort((left, right) => madeMs(right) - madeMs(left)).slice(keptOfAKind);
  for (const name of old) rmSync(path.join(cache, name), { recursive: true, force: true });
}

/** A digest of texts, short enough for a folder's name. */
export function digest(...texts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text.length} ${text}`);
  return hash.digest("hex").slice(0, 16);
}

/** A digest of all files of a folder, including their paths. */
export function folderDigest(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  return digest(...files.flatMap((file) => [path.relative(folder, file), readFileSync(file, "utf8")]));
}
