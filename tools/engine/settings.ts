/**
 * Reads the environment variables that say where an engine may come from.
 */
import os from "node:os";
import path from "node:path";

/** Where an engine may come from, read from the environment. */
export interface EngineSettings {
  /** Contains one folder per engine version and platform. */
  readonly cacheFolder: string;
  /** True to ignore any `pulumi` on PATH. */
  readonly ignorePath: boolean;
  /** Where release archives are; undefined if nothing may be downloaded. */
  readonly downloadUrl: string | undefined;
  /** The folders of PATH. */
  readonly path: readonly string[];
}

/** The settings, each with the variable that changes it; docs/contributing/building.md repeats this table. */
export const engineVariables = {
  version: "COMPUTE_ENGINE_VERSION",
  cacheFolder: "COMPUTE_ENGINE_CACHE",
  ignorePath: "COMPUTE_ENGINE_IGNORE_PATH",
  downloadUrl: "COMPUTE_ENGINE_DOWNLOAD_URL",
} as const;

const officialDownloads = "https://get.pulumi.com/releases/sdk";

export function readEngineSettings(env: NodeJS.ProcessEnv): EngineSettings {
  const downloadUrl = env[engineVariables.downloadUrl] ?? officialDownloads;
  return {
    cacheFolder: env[engineVariables.cacheFolder] || defaultCacheFolder(env),
    ignorePath: env[engineVariables.ignorePath] === "true",
    downloadUrl: downloadUrl === "off" ? undefined : downloadUrl.replace(/\/+$/, ""),
    path: (env["PATH"] ?? "").split(path.delimiter).filter((folder) => folder !== ""),
  };
}

/** Outside the checkout, so that clones share one engine and `git clean` does not cost a build. */
function defaultCacheFolder(env: NodeJS.ProcessEnv): string {
  const caches = env["XDG_CACHE_HOME"] || path.join(os.homedir(), ".cache");
  return path.join(caches, "pulumi-compute-endpoint", "engine");
}
