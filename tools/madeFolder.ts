/**
 * Folders of a cache that become visible only when they are complete.
 */
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";

import { replace } from "../emulator/service/persistence/replace";

/**
 * Makes a folder next to its final place, and then renames it. The caller holds the lock of the parent folder, so
 * nobody else works in it.
 */
export async function makeFolder(folder: string, make: (staging: string) => Promise<void>): Promise<void> {
  const staging = path.join(path.dirname(folder), ".unfinished");
  const remove = (place: string): void => {
    rmSync(place, { recursive: true, force: true });
  };
  // Removes what a killed process has left behind.
  remove(staging);
  mkdirSync(staging, { recursive: true });
  try {
    await make(staging);
    remove(folder);
    // Tries repeatedly: Windows scans the programs that were just run, and refuses the rename meanwhile.
    await replace(staging, folder);
  } finally {
    remove(staging);
  }
}
