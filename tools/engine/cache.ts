/**
 * The cache of engines: one folder for each version.
 */
import { chmodSync, copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { makeFolder } from "../madeFolder";
import type { Engine, EngineOrigin } from "./engine";
import { hasExecutable } from "./onPath";
import { platformName } from "./platform";
import type { EngineSettings } from "./settings";
import { engineVersion } from "./version";

/** Where this version's engine is, or will be. */
export function cachedEngineFolder(settings: EngineSettings): string {
  return path.join(settings.cacheFolder, `${engineVersion}-${platformName}`);
}

/** The engine in the cache, if it is complete. */
export function cachedEngine(settings: EngineSettings): Engine | undefined {
  const folder = cachedEngineFolder(settings);
  const origin = readOrigin(folder);
  const binFolder = path.join(folder, "bin");
  if (origin === undefined || !hasExecutable(binFolder, "pulumi")) return undefined;
  return { origin, version: engineVersion, binFolder, reason: reasons[origin] };
}

const reasons = {
  download: "no usable pulumi is on PATH; the cache has the official one",
  build:
    "no usable pulumi is on PATH, and no download worked; the cache has a pulumi that was built from its Go module",
} as const satisfies Record<Exclude<EngineOrigin, "path">, string>;

/**
 * Puts an engine into the cache. Until this call ends, nothing there can be taken for a complete engine. The caller
 * holds the lock.
 */
export function makeCachedEngine(
  settings: EngineSettings,
  origin: Exclude<EngineOrigin, "path">,
  make: (staging: string) => Promise<void>,
): Promise<void> {
  return makeFolder(cachedEngineFolder(settings), async (staging) => {
    await make(staging);
    writeFileSync(manifestFile(staging), JSON.stringify({ version: engineVersion, origin }) + "\n");
  });
}

/**
 * Adds the other files of the official archive to a CLI that was built here.
 *
 * The engine warns about a language host that is on PATH but not beside the CLI, so the host must be in this folder.
 * The file is only a pointer, so that no copy in the cache hides a host that was fixed in the checkout.
 */
export function addNodePlugins(binFolder: string): void {
  const host = path.join(binFolder, "pulumi-language-nodejs");
  writeFileSync(host, languageHostPointer);
  const provider = path.join(binFolder, "pulumi-resource-pulumi-nodejs");
  copyFileSync(
    path.join(checkoutFolder, "node_modules/@pulumi/pulumi/pulumi-resource-pulumi-nodejs"),
    provider,
  );
  for (const file of [host, provider]) chmodSync(file, 0o755);
}

/** Tells the pointer in the cache where the language host is. */
export const languageHostVariable = "COMPUTE_ENGINE_LANGUAGE_HOST";

export const languageHostFile: string = path.join(checkoutFolder, "tools/engine/languageHost.js");

const languageHostPointer = `#!/bin/sh
exec node "\${${languageHostVariable}:?is not set: start this engine with 'npm run local -- COMMAND' in a checkout}" "$@"
`;

function readOrigin(folder: string): Exclude<EngineOrigin, "path"> | undefined {
  if (!existsSync(manifestFile(folder))) return undefined;
  const { origin } = JSON.parse(readFileSync(manifestFile(folder), "utf8")) as { origin?: unknown };
  return origin === "download" || origin === "build" ? origin : undefined;
}

function manifestFile(folder: string): string {
  return path.join(folder, "engine.json");
}
