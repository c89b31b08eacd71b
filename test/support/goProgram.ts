/** Programs in Go that tests run, built from their modules. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { readEngineSettings } from "../../tools/engine/settings";

export interface GoProgram {
  readonly name: string;
  /** The package that `go install` builds. */
  readonly source: string;
  readonly version: string;
}

/** Installed beside its place, so that a run that is killed leaves no half of it there. @returns the executable. */
export function goProgram({ name, source, version }: GoProgram): string {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  const cache = path.join(readEngineSettings(process.env).cacheFolder, name, version);
  const executable = path.join(cache, file);
  if (existsSync(executable)) return executable;
  const staging = `${cache}.${process.pid}`;
  mkdirSync(staging, { recursive: true });
  const { status, stderr, error } = spawnSync("go", ["install", `${source}@v${version}`], {
    encoding: "utf8",
    env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off", GOBIN: staging },
  });
  if (error !== undefined)
    throw new Error(`There is no \`go\` on PATH, which builds ${name}: install Go from https://go.dev/dl.`);
  if (status !== 0)
    throw new Error(`go install ${source}@v${version} ended with ${String(status)}: ${stderr}`);
  mkdirSync(cache, { recursive: true });
  renameSync(path.join(staging, file), executable);
  rmSync(staging, { recursive: true, force: true });
  return executable;
}
