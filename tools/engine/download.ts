/**
 * Downloads the official release of the engine.
 */
import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { EnvHttpProxyAgent, fetch } from "undici";

import { replace } from "../../emulator/service/persistence/replace";
import { runChild } from "../children";
import { hasExecutable } from "./onPath";
import { platformName } from "./platform";
import { engineVersion } from "./version";

/** A machine without internet must soon try the next source. A machine with a slow line must get its 100 MB. */
const timeouts = { connect: { timeout: 4_000 }, headersTimeout: 10_000, bodyTimeout: 30_000 } as const;

export const archiveName = `pulumi-v${engineVersion}-${platformName}.${platformName.startsWith("windows") ? "zip" : "tar.gz"}`;

export interface DownloadOptions {
  /** The folder of the release archives. */
  readonly url: string;
  /** The checksum of this machine's archive, `sha256:…`; undefined if none is known. */
  readonly checksum: string | undefined;
  /** The engine is put into `bin/` of this folder, which must not exist yet. */
  readonly staging: string;
}

/** Downloads and unpacks the official release. @throws before it sends anything, if the archive has no checksum. */
export async function downloadEngine({ url, checksum, staging }: DownloadOptions): Promise<void> {
  const [algorithm, expected] = checksum?.split(":") ?? [];
  if (algorithm === undefined || expected === undefined)
    throw new Error(
      `tools/engine/version.ts has no checksum of ${archiveName}, so this archive is not downloaded`,
    );
  const dispatcher = new EnvHttpProxyAgent(timeouts);
  try {
    const response = await fetch(`${url}/${archiveName}`, { dispatcher });
    if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
    const archive = Buffer.from(await response.arrayBuffer());
    const actual = createHash(algorithm).update(archive).digest("hex");
    if (expected !== actual) {
      throw new Error(`${archiveName} has ${algorithm} ${actual}, but must have ${expected}`);
    }
    writeFileSync(path.join(staging, archiveName), archive);
  } finally {
    await dispatcher.destroy();
  }
  await unpack(staging);
}

/**
 * The system's tar reads both kinds of archive: on Windows it is bsdtar, which reads zip. Git Bash has another tar
 * first on PATH, which does not read zip.
 */
export function tarOf(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  return platform === "win32" ? `${env["SystemRoot"] ?? "C:\\Windows"}\\System32\\tar.exe` : "tar";
}

async function unpack(staging: string): Promise<void> {
  const { code } = await runChild(tarOf(process.env), ["-xf", archiveName], {
    cwd: staging,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (code !== 0) throw new Error(`tar could not unpack ${archiveName}`);
  rmSync(path.join(staging, archiveName));
  const top = path.join(staging, "pulumi");
  const binaries = [path.join(top, "bin"), top].find((folder) => hasExecutable(folder, "pulumi"));
  if (binaries === undefined) throw new Error(`${archiveName} contains no pulumi`);
  await replace(binaries, path.join(staging, "bin"));
}
