/**
 * The versions that this repository was tested with. docs/install.md lists them, and test/unit/tools/tested.test.ts
 * compares the two.
 */
import semver from "semver";

import { newestEngineVersion, testedEngineVersion } from "./engine/version";

/** `npm test` passes with each of these. */
export const testedNodes = ["20.20.2", "22.23.3", "24.21.0", "26.10.0"] as const;

/**
 * With each of these, a stack of each variant is brought up, previewed, changed and destroyed
 * (test/strangers/matrix/corners.test.ts).
 */
export const triedSdks = ["3.216.0", newestEngineVersion] as const;

/** How much was tested with this version of Node, as a clause. */
export function testsOfNode(version: string): string {
  const tested = testedNodes.find((one) => semver.major(one) === semver.major(version));
  if (tested === undefined) return `not tested; the tests were run with Node ${majors().join(", ")}`;
  return tested === version ? "tested" : `tested with ${tested}`;
}

/** How much was tested with this version of Pulumi's SDK, as a clause. */
export function testsOfSdk(version: string): string {
  return testsOf(version, triedSdks);
}

/** How much was tested with this version of the engine, as a clause. */
export function testsOfEngine(version: string): string {
  return testsOf(version, [newestEngineVersion]);
}

function testsOf(version: string, tried: readonly string[]): string {
  if (version === testedEngineVersion) return "tested";
  if (tried.includes(version))
    return `tried with one stack of the dynamic provider and one of the plugin; the tests were run with ${testedEngineVersion}`;
  return `not tested; the tests were run with ${testedEngineVersion}`;
}

function majors(): readonly number[] {
  return testedNodes.map((version) => semver.major(version));
}
