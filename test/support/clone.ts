/** A copy of the checkout like a fresh clone, plus the changes that are not committed. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import path from "node:path";
import { linkFolder } from "./systems";

const checkout = path.join(__dirname, "..", "..");

/** Copies what git would commit: nothing is installed and nothing is built. */
export function cloneInto(folder: string): void {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: checkout,
    encoding: "utf8",
  });
  for (const file of listed.split("\0").filter(Boolean)) copyOf(file, folder);
}

/** A copy that runs at once: with the packages of this checkout, and with what it has built. */
export function readyClone(folder: string): void {
  cloneInto(folder);
  copyOf("dist", folder);
  linkFolder(path.join(checkout, "node_modules"), path.join(folder, "node_modules"));
}

/** Keeps the files' times, by which tools/bootstrap.js sees that the build is not stale. A file that git still lists can be gone. */
function copyOf(file: string, folder: string): void {
  const from = path.join(checkout, file);
  if (existsSync(from)) cpSync(from, path.join(folder, file), { recursive: true, preserveTimestamps: true });
}
