import { spawn } from "node:child_process";
import path from "node:path";
import readline from "node:readline";
import type { Readable } from "node:stream";

import { checkoutFolder } from "../checkout";
import { ended, exitCodeOf } from "../children";
import type { Progress } from "../progress";
import { addNodePlugins } from "./cache";
import { engineVersion } from "./version";

const moduleFolder = path.join(checkoutFolder, "tools/engine/module");
const cliPackage = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/** Lines of a failed command that are worth showing. */
const tailLines = 8;

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
  await go(["build", ...flags, "-v", "-o", `${bin}${path.sep}`, cliPackage], (line) => {
    if (isPackage(line)) progress.update(`${++compiled} of ${packages} packages`);
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
    (line) => {
      if (line.startsWith("go: downloading ")) progress.update(`${++modules} modules downloaded`);
    },
  );
  return stale.filter(isPackage).length;
}

/** Runs go, shows each line of its stderr to the caller, and returns the lines of its stdout. */
async function go(args: readonly string[], onLine: (line: string) => void): Promise<string[]> {
  const child = spawn("go", args, {
    cwd: moduleFolder,
    stdio: ["ignore", "pipe", "pipe"],
    // No C compiler is needed, and a workspace file above the checkout has no say.
    env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off" },
  });
  const printed = collect(child.stdout, () => undefined);
  const told = collect(child.stderr, onLine);
  const end = await ended(child).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === "ENOENT") throw new Error("there is no `go` on PATH");
    throw error;
  });
  if (exitCodeOf(end) !== 0) {
    const reasons = told.filter((line) => !isPackage(line) && !line.startsWith("go: downloading "));
    throw new Error(
      `go ${args[0] ?? ""} failed: ${reasons.slice(-tailLines).join("\n      ") || "without a word"}`,
    );
  }
  return printed;
}

function collect(stream: Readable, onLine: (line: string) => void): string[] {
  const lines: string[] = [];
  readline.createInterface({ input: stream }).on("line", (line) => {
    lines.push(line);
    onLine(line);
  });
  return lines;
}

/** `go build -v` prints each package it compiles on a line of its own. */
function isPackage(line: string): boolean {
  return /^[\w.~-]+(\/[\w.~-]+)*$/.test(line);
}
