/**
 * The seeds of random tests, and how long they run. In `npm test`, each commit has new seeds, so the runs of one commit can
 * find what those of another miss. Without a repository, the seeds are always the same.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

/** Whether this is `npm run test:long`. */
export const isLong = "isLong" in globalThis;

const root = path.join(__dirname, "..", "..");

/** Fixed seeds, from 1. */
export function seedsTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_none, index) => index + 1);
}

/** @returns this many seeds, which are different for each commit. */
export function seedsOfCommit(count: number): readonly number[] {
  const before = numberOfCommit();
  return seedsTo(count).map((seed) => before + seed);
}

function numberOfCommit(): number {
  // A copy inside another repository has no commit of its own.
  if (!existsSync(path.join(root, ".git"))) return 0;
  try {
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8", stdio: "pipe" });
    return Number.parseInt(commit.slice(0, 7), 16);
  } catch {
    // No git, or no commit yet.
    return 0;
  }
}
