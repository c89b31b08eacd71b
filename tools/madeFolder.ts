/**
 * Folders of a cache, which are visible only when they are complete.
 */
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";

import { replace } from "../emulator/service/persistence/replace";

/** Makes a folder beside its place, and renames it. The caller holds the lock of the folder above: it is the only one at work. */
export async function makeFolder(folder: string, make: (staging: string) => Promise<void>): Promise<void> {
  const staging = path.join(path.dirname(folder), ".unfinished");
  const remove = (place: string): void => {
    rmSync(place, { recursive: true, force: true });
  };
  // Left by a process that was killed.
  remove(staging);
  mkdirSync(staging, { recursive: true });
  try {
    await make(staging);
    remove(folder);
    // Windows scans the programs that were just run, and refuses meanwhile.
    await replace(staging, folder);
  } finally {
    remove(staging);
  }
}
