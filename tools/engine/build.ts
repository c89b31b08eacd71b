/**
 * Builds the engine from its Go module: the last way to get one.
 */
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { go, isPackage } from "../go";
import type { Progress } from "../progress";
import { addNodePlugins } from "./cache";
import { engineVersion } from "./version";

const moduleFolder = path.join(checkoutFolder, "tools/engine/module");
const cliPackage = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/**
 * Builds the CLI from its Go module, with the versions that go.sum pins.
 *
 * Takes minutes and gigabytes of Go caches, so it comes last.
 */
export async function buildEngine(staging: string, progress: Progress): Promise<void> {
  if (process.platform === "win32") throw new Error("the build is for Linux and macOS");
  const packages = await packagesToCompile(progress);
  const bin = path.join(staging, "bin");
  let compiled = 0;
  await go(["build", ...flags, "-v", "-o", `${bin}${path.sep}`, cliPackage], {
    cwd: moduleFolder,
    onLine: (line) => {
      if (isPackage(line)) progress.update(`${++compiled} of ${packages} packages`);
    },
  });
  addNodePlugins(bin);
}

const flags = [
  "-mod=readonly",
  "-trimpath",
  "-ldflags",
  `-s -w -X ${versionVariable}=v${engineVersion}`,
] as const;

/** Downloads the modules, and counts the packages that are not in Go's build cache. */
async function packagesToCompile(progress: Progress): Promise<number> {
  let modules = 0;
  const stale = await go(
    ["list", ...flags, "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}", cliPackage],
    {
      cwd: moduleFolder,
      onLine: (line) => {
        if (line.startsWith("go: downloading ")) progress.update(`${++modules} modules downloaded`);
      },
    },
  );
  return stale.filter(isPackage).length;
}
