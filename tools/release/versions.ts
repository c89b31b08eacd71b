/**
 * The package's version in files that users read or copy. package.json decides the version; the other files are
 * rewritten.
 */
import { execFileSync } from "node:child_process";

import { checkoutFolder } from "../checkout";

/** The text before the version in each of these files. */
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

/** A prerelease is `0.2.0-rc.1`. After the version, a platform may follow. */
const named = new RegExp(`(?<=${before.join("|")})\\d+\\.\\d+\\.\\d+(?:-[a-z]+\\.\\d+)?`, "g");

/** The text with this version. */
export function withVersion(text: string, version: string): string {
  return text.replaceAll(named, version);
}

/**
 * Files of this checkout that name the version. The changelog keeps its own versions, and npm writes package.json and
 * its lock file.
 */
export function filesWithVersion(): readonly string[] {
  const words = ["ls-files", "--", "*.md", "*.yml", "*.yaml", "*.json"];
  const files = execFileSync("git", words, { cwd: checkoutFolder, encoding: "utf8" }).trim().split("\n");
  return files.filter((file) => !/^(CHANGELOG\.md|package(-lock)?\.json|test\/.*\.json)$/.test(file));
}
