/**
 * Makes sure that this machine has an engine: from PATH, the cache, a download or a build.
 */
import path from "node:path";

import { throwIfStopped } from "../children";
import { ExpectedError } from "../expectedError";
import { withLock } from "../lock";
import { withProgress } from "../progress";
import { buildEngine } from "./build";
import { cachedEngine, cachedEngineFolder, makeCachedEngine } from "./cache";
import { downloadEngine } from "./download";
import type { Engine, Refusal } from "./engine";
import { engineOnPath, runVersion, type VersionProbe } from "./onPath";
import { engineVariables, readEngineSettings, type EngineSettings } from "./settings";
import { engineVersion, minimumEngineVersion, pinnedChecksum } from "./version";
import { executableName, platformName } from "./platform";

/** Puts an engine into a new folder `bin/` of `staging`. @throws with the reason, as a clause, if it cannot. */
export type EngineMaker = (staging: string, settings: EngineSettings) => Promise<void>;

export interface EnsureOptions {
  readonly settings?: EngineSettings;
  readonly probeVersion?: VersionProbe;
  readonly makers?: Readonly<Record<"download" | "build", EngineMaker>>;
}

/**
 * The engine of this machine: the user's own, or else one in the cache, which is downloaded or built if needed.
 *
 * @throws ExpectedError if the user's own engine is too old, or if every source fails: the message then lists
 * everything that was tried, and what to install.
 */
export async function ensureEngine(options: EnsureOptions = {}): Promise<Engine> {
  const { settings = readEngineSettings(process.env), probeVersion } = options;
  const onPath = engineOnPath(settings, probeVersion);
  if ("origin" in onPath) return onPath;
  const cached = cachedEngine(settings);
  if (cached !== undefined) return cached;
  return withLock(settings.cacheFolder, "the Pulumi engine", async () => {
    // Another process may have made the engine while this one waited for the lock.
    const made = cachedEngine(settings);
    if (made !== undefined) return made;
    const empty = { source: `cache, ${cachedEngineFolder(settings)}`, why: "no engine in it" };
    return makeEngine(settings, [onPath, empty], options.makers ?? defaultMakers);
  });
}

async function makeEngine(
  settings: EngineSettings,
  refusals: readonly Refusal[],
  makers: Readonly<Record<"download" | "build", EngineMaker>>,
): Promise<Engine> {
  const tried = [...refusals];
  for (const origin of ["download", "build"] as const) {
    try {
      await makeCachedEngine(settings, origin, (staging) => makers[origin](staging, settings));
      const engine = cachedEngine(settings);
      if (engine !== undefined) return engine;
      throw new Error("it produced no pulumi");
    } catch (error) {
      throwIfStopped();
      tried.push({ source: sourceName(origin, settings), why: reasonOf(error) });
    }
  }
  throw new ExpectedError(describeRefusals(tried, settings));
}

const defaultMakers = {
  download: async (staging, { downloadUrl: url }) => {
    if (url === undefined) throw new Error(`turned off by ${engineVariables.downloadUrl}`);
    const checksum = pinnedChecksum(engineVersion, platformName);
    const downloading = downloadEngine({ url, checksum, staging });
    await made(staging, `Downloading Pulumi ${engineVersion} (about 100 MB)`, downloading);
  },
  build: (staging) =>
    made(staging, `Building Pulumi ${engineVersion} (once, a few minutes)`, buildEngine(staging)),
} as const satisfies Record<string, EngineMaker>;

/** An archive for another machine, or a truncated one, may unpack without an error, but does not run. */
async function made(staging: string, label: string, making: Promise<void>): Promise<void> {
  await withProgress(label, making);
  const version = runVersion(path.join(staging, "bin", executableName("pulumi")))?.trim();
  if (version !== `v${engineVersion}`)
    throw new Error(
      `the resulting pulumi must report v${engineVersion}, but reports ${version ?? "nothing"}`,
    );
}

function sourceName(origin: "download" | "build", settings: EngineSettings): string {
  return origin === "download"
    ? `download from ${settings.downloadUrl ?? "nowhere"}`
    : "build from the Go module";
}

function describeRefusals(tried: readonly Refusal[], settings: EngineSettings): string {
  const download = settings.downloadUrl ?? "the official downloads";
  return [
    `Getting a Pulumi engine: install Pulumi ${minimumEngineVersion} or later, let this machine reach ${download}, or install Go. One of the three is enough.`,
    "What was tried:",
    ...tried.map(({ source, why }) => `  - ${source}: ${why}`),
    "What to do (one of the three is enough):",
    `  - install Pulumi (https://www.pulumi.com/docs/install), with pulumi and pulumi-language-nodejs on PATH`,
    `  - let this machine reach ${download}, or name a mirror of it in ${engineVariables.downloadUrl}`,
    "  - install Go 1.25.8 or later (https://go.dev/dl), and let this machine reach Go's module proxy, to build the engine here",
  ].join("\n");
}

/** Connection errors have the real reason in their cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
