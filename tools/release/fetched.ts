/** Packages that are fetched from npm for a release, and checked against their pinned checksums. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as tar from "tar";

import { exitCodeOf, runNpm } from "../children";
import { ExpectedError } from "../expectedError";
import type { PinnedPackage } from "./node";

/**
 * Unpacks a package into an empty folder. npm keeps the archive in its own cache.
 *
 * @returns the folder of the package's files.
 * @throws ExpectedError if npm cannot fetch it, or its checksum is not the pinned one.
 */
export async function fetchPackage(pinned: PinnedPackage, folder: string): Promise<string> {
  const { name, version } = pinned;
  const packed = path.join(folder, "packed");
  mkdirSync(packed, { recursive: true });
  const words = ["pack", `${name}@${version}`, "--silent", "--prefer-offline", "--pack-destination", packed];
  const ended = await runNpm(words, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  if (exitCodeOf(ended) !== 0)
    throw new ExpectedError(`Fetching ${name} ${version}: npm pack failed. Can this machine reach npm?`);
  const [archive = ""] = readdirSync(packed);
  checkIntegrity(pinned, readFileSync(path.join(packed, archive)));
  await tar.extract({ file: path.join(packed, archive), cwd: folder });
  return path.join(folder, "package");
}

/** @throws ExpectedError if the archive is not the pinned one. */
export function checkIntegrity({ name, version, integrity }: PinnedPackage, archive: Buffer): void {
  const found = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  if (found === integrity) return;
  throw new ExpectedError(
    `Fetching ${name} ${version}: npm's archive has the checksum ${found}, but ${integrity} is pinned. Do not release.`,
  );
}
