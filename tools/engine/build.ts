/**
 * Builds the engine from its Go module: the last way to get one.
 */
import { cpSync } from "node:fs";
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { go } from "../go";
import type { Update } from "../progress";
import { addNodePlugins } from "./cache";
import { engineVersion, testedEngineVersion } from "./version";

const pinnedModule = path.join(checkoutFolder, "tools/engine/module");
const cliPackage = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/**
 * Builds the CLI from its Go module: the tested version with what go.sum pins, another one with what its own module names,
 * which Go compares with its checksum database.
 *
 * Takes minutes and gigabytes of Go caches, so it comes last.
 */
export async function buildEngine(staging: string, update: Update): Promise<void> {
  if (process.platform === "win32") throw new Error("the build is for Linux and macOS");
  const moduleFolder = await moduleIn(staging);
  const bin = path.join(staging, "bin");
  let lines = 0;
  await go(["build", ...flags, "-v", "-o", `${bin}${path.sep}`, cliPackage], {
    cwd: moduleFolder,
    // One for each module that it downloads, and each package that it compiles.
    onLine: () => {
      update(`${++lines} modules and packages`);
    },
  });
  addNodePlugins(bin);
}

/** The module to build in. */
async function moduleIn(staging: string): Promise<string> {
  if (engineVersion === testedEngineVersion) return pinnedModule;
  const folder = path.join(staging, "module");
  cpSync(pinnedModule, folder, { recursive: true });
  await go(["get", `${cliPackage}@v${engineVersion}`], { cwd: folder });
  return folder;
}

const flags = [
  "-mod=readonly",
  "-trimpath",
  "-ldflags",
  `-s -w -X ${versionVariable}=v${engineVersion}`,
] as const;
