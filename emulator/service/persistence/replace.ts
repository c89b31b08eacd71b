/**
 * Replaces a file by another in one step, on Windows too.
 */
import { rename } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Windows's errors while another process has the file, or another file in its folder, open. Scanners open new files.
 */
const refusals: readonly unknown[] = ["EPERM", "EACCES", "EBUSY"];

/** Waits before each further try, in milliseconds. */
const retryWaitsMs = [10, 20, 40, 80, 160, 320, 640] as const;

/** Renames a file, replacing any file with the new name. On systems other than Windows, a refusal is final. */
export async function replace(
  from: string,
  to: string,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  for (const waitMs of platform === "win32" ? retryWaitsMs : []) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (!refusals.includes((error as NodeJS.ErrnoException).code)) throw error;
      await sleep(waitMs);
    }
  }
  await rename(from, to);
}
