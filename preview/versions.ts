/**
 * Lists the versions on this machine, for bug reports.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { packageVersion } from "../provider/version";

/** Time limit for the engine to print its version, in milliseconds. */
const engineMs = 10_000;

/** One line each for the package, Node, the SDK of a program in this folder, and the engine on PATH. */
export function versionsHere(): readonly string[] {
  return [
    `pulumi-compute-endpoint ${packageVersion() ?? "of unknown version"}`,
    `node ${process.versions.node}, ${process.platform} ${process.arch}`,
    `@pulumi/pulumi ${sdkVersion(process.cwd()) ?? "not in this folder"}`,
    `pulumi ${engineVersion() ?? "not on PATH"}`,
  ];
}

/** The version that Node finds from a folder: in the folder or in one above it. */
function sdkVersion(folder: string): string | undefined {
  const manifest = path.join(folder, "node_modules", "@pulumi", "pulumi", "package.json");
  try {
    return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly version?: string }).version;
  } catch {
    const above = path.dirname(folder);
    return above === folder ? undefined : sdkVersion(above);
  }
}

function engineVersion(): string | undefined {
  // Windows finds `pulumi.exe` itself: no shell is needed.
  const { status, stdout } = spawnSync("pulumi", ["version"], { encoding: "utf8", timeout: engineMs });
  return status === 0 ? stdout.trim().replace(/^v/, "") : undefined;
}
