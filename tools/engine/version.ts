/**
 * The versions of the engine: the one that is tested, and the oldest one that works.
 */
import semver from "semver";

/** The engine that is downloaded or built: the version of the SDK that this repository is tested with. */
export const engineVersion = "3.246.0";

/** The oldest engine that works: older ones ignore the inputs that a provider's `read` returns. */
export const minimumEngineVersion = "3.216.0";

/** What `pulumi version` prints (`v3.246.0`, at times with a suffix), or undefined where that is no version. */
export function parseEngineVersion(printed: string): string | undefined {
  return semver.valid(printed.trim()) ?? undefined;
}

/** Suffixes count as the version they lead to: `3.216.0-dev.1` has what 3.216.0 has. */
export function isRecentEnough(version: string): boolean {
  return semver.gte(semver.coerce(version) ?? version, minimumEngineVersion);
}
