/**
 * Finds the engine that the user has installed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";

import { ExpectedError } from "../expectedError";
import type { Engine, Refusal } from "./engine";
import { executableName } from "./platform";
import { engineVariables, type EngineSettings } from "./settings";
import { isRecentEnough, minimumEngineVersion, parseEngineVersion } from "./version";

/** Gives the output of `pulumi version` for the CLI at this path; undefined if it cannot be run. */
export type VersionProbe = (executable: string) => string | undefined;

/**
 * The `pulumi` that the user has installed, if it can run Node programs.
 *
 * @throws ExpectedError if it is older than this package supports. Using another engine without a word would let users
 * develop with one version and deploy with another.
 */
export function engineOnPath(
  settings: EngineSettings,
  probeVersion: VersionProbe = runVersion,
): Engine | Refusal {
  const source = "pulumi on PATH";
  if (settings.ignorePath) return { source, why: `ignored, because ${engineVariables.ignorePath} is true` };
  const binFolder = settings.path.find(
    (folder) => hasExecutable(folder, "pulumi") && !isInside(folder, settings.cacheFolder),
  );
  if (binFolder === undefined) return { source, why: "not found" };
  const executable = path.join(binFolder, executableName("pulumi"));
  const version = parseEngineVersion(probeVersion(executable) ?? "");
  if (version === undefined) return { source, why: `\`${executable} version\` printed no version` };
  if (!isRecentEnough(version)) throw tooOld(executable, version);
  if (!settings.path.some((folder) => hasExecutable(folder, "pulumi-language-nodejs"))) {
    return {
      source,
      why: `${executable} has no pulumi-language-nodejs beside it, so it cannot run Node programs`,
    };
  }
  return {
    origin: "path",
    version,
    binFolder,
    reason: `it is on PATH, and its version is ${minimumEngineVersion} or later`,
  };
}

export function hasExecutable(folder: string, name: string): boolean {
  return existsSync(path.join(folder, executableName(name)));
}

function tooOld(executable: string, version: string): ExpectedError {
  return new ExpectedError(
    `Choosing an engine: ${executable} is Pulumi ${version}, but ${minimumEngineVersion} or later is needed. ` +
      `Upgrade it, or set ${engineVariables.ignorePath}=true to use a newer one from the cache instead.`,
  );
}

/**
 * Recognises the cached engine: commands that run under it have its folder on PATH, but the user did not install it.
 */
function isInside(folder: string, ancestor: string): boolean {
  return existsSync(ancestor) && realpathSync(folder).startsWith(`${realpathSync(ancestor)}${path.sep}`);
}

/** @returns its output; undefined if it cannot be run. */
export function runVersion(executable: string): string | undefined {
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const ran = spawnSync(executable, ["version"], { encoding: "utf8", env, timeout: 15_000 });
  return ran.status === 0 ? ran.stdout : undefined;
}
