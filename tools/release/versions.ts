/**
 * The package's version in files that users read or copy. package.json decides it; the rest is rewritten.
 */
import { execFileSync } from "node:child_process";

import { checkoutFolder } from "../checkout";

/** What stands before the version, wherever such a file names it. */
const before = [
  "pulumi-compute-endpoint-",
  "pulumi-compute-endpoint ",
  '"pulumi-compute-endpoint": "\\^',
  "the package is version ",
  "pulumi-resource-compute-v",
  "'pulumi-resource-compute' (?:found in the workspace )?at version v",
  "resource compute v?",
  "compute@",
];

/** A prerelease is `0.2.0-rc.1`; what follows the version may also be a platform. */
const named = new RegExp(`(?<=${before.join("|")})\\d+\\.\\d+\\.\\d+(?:-[a-z]+\\.\\d+)?`, "g");

/** The text as it is for this version. */
export function withVersion(text: string, version: string): string {
  return text.replaceAll(named, version);
}

/** Files of this checkout that name the version. The changelog keeps its versions; npm writes package.json and its lock file. */
export function filesWithVersion(): readonly string[] {
  const words = ["ls-files", "--", "*.md", "*.yml", "*.yaml", "*.json"];
  const files = execFileSync("git", words, { cwd: checkoutFolder, encoding: "utf8" }).trim().split("\n");
  return files.filter((file) => !/^(CHANGELOG\.md|package(-lock)?\.json|test\/.*\.json)$/.test(file));
}
