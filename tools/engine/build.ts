/**
 * Builds the engine from its Go module: the last of the ways to get one.
 */
import { cpSync } from "node:fs";
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { go, goBuild } from "../go";
import { addNodePlugins } from "./cache";
import { engineVersion, testedEngineVersion } from "./version";

const pinnedModule = path.join(checkoutFolder, "tools/engine/module");
const cliPackage = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/**
 * Builds the CLI from its Go module. The tested version is built with the dependencies that go.sum pins, any other
 * version with those that its own module names, which Go checks against its checksum database.
 *
 * This takes minutes, and gigabytes of Go caches, so it is tried last.
 */
export async function buildEngine(staging: string): Promise<void> {
  if (process.platform === "win32") throw new Error("an engine can be built only on Linux and macOS");
  const cwd = await moduleIn(staging);
  const bin = path.join(staging, "bin");
  await goBuild(cliPackage, {
    cwd,
    to: path.join(bin, "pulumi"),
    flags: `-X ${versionVariable}=v${engineVersion}`,
  });
  addNodePlugins(bin);
}

/** The module to build in. */
async function moduleIn(staging: string): Promise<string> {
  if (engineVersion === testedEngineVersion) return pinnedModule;
  const folder = path.join(staging, "module");
  cpSync(pinnedModule, folder, { recursive: true });
  await go(["get", `${cliPackage}@v${engineVersion}`], folder);
  return folder;
}
