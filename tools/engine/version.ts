/**
 * The versions of the engine: the tested one, the newest one, and the oldest one that works.
 */
import semver from "semver";

import { engineVariables } from "./settings";

/** The version of the SDK that this repository is tested with; `go.mod` pins it too. */
export const testedEngineVersion = "3.246.0";

/**
 * The newest version that was tried. None of its archives has a pinned checksum, so it is built from its Go module, in
 * CI too.
 */
export const newestEngineVersion = "3.276.0";

/** The version that is downloaded or built. */
export const engineVersion = versionOf(process.env[engineVariables.version]);

function versionOf(named: string | undefined): string {
  return named === "newest" ? newestEngineVersion : named || testedEngineVersion;
}

/**
 * Checksums of the official archives, as published in Pulumi's Homebrew tap and Scoop's main bucket. An archive that
 * differs, or that has no checksum here, is refused.
 */
const checksums: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [testedEngineVersion]: {
    "linux-x64": "sha256:249a797558718caa62f69e7259ba6a8af0d6da3be2caec31daca17cfbbb6c04f",
    "linux-arm64": "sha256:adb28867888ac835a93dd7181c559702f96ed6cfaccd5c4b6fff9dbfdc7a334c",
    "darwin-x64": "sha256:26e31d08f8350d30422839aa60ebebf225ab558caa9e91f443efa6040f314009",
    "darwin-arm64": "sha256:2ace824b90addf0afba1882360db107b446251590c6e4cb7fcd8d735f12e5ddc",
    "windows-x64":
      "sha512:c51803f78f9b3b1be7fde7a7a388ad5e1b424c6ae3d1c127285f2ec2748d8dea5b7f7b3e3ea2e214a31809041f79569ef133a21ee0ddec6ec1bfe63cb604b64e",
  },
};

/** The checksum of an official archive, `sha256:…`; undefined if none is pinned. */
export function pinnedChecksum(version: string, platform: string): string | undefined {
  return checksums[version]?.[platform];
}

/** The oldest engine that works: older ones ignore the inputs that a provider's `read` returns. */
export const minimumEngineVersion = "3.216.0";

/**
 * The version in the output of `pulumi version` (`v3.246.0`, at times with a suffix); undefined if it contains none.
 */
export function parseEngineVersion(printed: string): string | undefined {
  return semver.valid(printed.trim()) ?? undefined;
}

/** A version with a suffix counts as the version it leads to: `3.216.0-dev.1` has what 3.216.0 has. */
export function isRecentEnough(version: string): boolean {
  return semver.gte(semver.coerce(version) ?? version, minimumEngineVersion);
}
