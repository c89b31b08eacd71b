/** Prepares what tests need and keep in the cache. This takes a process of its own, because Jest does not wait while it collects tests. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { digest, once } from "../../tools/languages/once";

/** Runs a file that prints JSON. @throws if it fails; the file has already printed why. */
export function preparedBy(file: string): unknown {
  const ran = spawnSync(process.execPath, ["--require", "ts-node/register", file], {
    cwd: path.join(__dirname, "../.."),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (ran.status !== 0) throw new Error(`Preparing with ${path.basename(file)} failed, see above.`);
  return JSON.parse(ran.stdout);
}

/** @throws with these words for the problem, and with the command's output. */
export function run(
  matter: string,
  [command = "", ...words]: readonly string[],
  more: NodeJS.ProcessEnv = {},
): string {
  const ran = spawnSync(command, words, { encoding: "utf8", env: { ...process.env, ...more } });
  if (ran.status === 0) return ran.stdout;
  throw new Error(`${matter}: ${ran.error?.message ?? ran.stderr.trim().split("\n").slice(-8).join(" ")}`);
}

/** A virtual environment of Python with these packages; its name in the cache begins with `kind`. */
export async function virtualenvWith(packages: readonly string[], kind: string): Promise<string> {
  const version = run("there is no python3", ["python3", "--version"]);
  return once(`${kind}-${digest(version, ...packages)}`, (staging) => {
    run("there is no module venv for Python", ["python3", "-m", "venv", staging]);
    run("there is no PyPI in reach", [...pip(staging), ...packages]);
    return Promise.resolve();
  });
}

export function pythonOf(virtualenv: string): string {
  return path.join(virtualenv, "bin/python");
}

export function pip(virtualenv: string): readonly string[] {
  return [pythonOf(virtualenv), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
}

export interface GoProgram {
  readonly name: string;
  /** The package that `go install` builds. */
  readonly source: string;
  readonly version: string;
}

/** A program in Go, built from its module. @returns the executable. */
export async function goProgram({ name, source, version }: GoProgram): Promise<string> {
  const folder = await once(`${name}-${version}`, (staging) => {
    const matter = `${name} cannot be built with Go (https://go.dev/dl)`;
    const variables = { CGO_ENABLED: "0", GOWORK: "off", GOBIN: staging };
    run(matter, ["go", "install", `${source}@v${version}`], variables);
    return Promise.resolve();
  });
  return path.join(folder, process.platform === "win32" ? `${name}.exe` : name);
}
