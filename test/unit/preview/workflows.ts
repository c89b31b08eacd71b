/**
 * The shell steps of workflows, run as GitHub runs them.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describeUnlessWindows } from "../../support/systems";
import { temporaryFolder } from "../../support/temporaryFolder";
import { parseYaml } from "../action/runner";

interface Jobs {
  readonly jobs: Readonly<Record<string, { readonly steps?: readonly { name?: string; run?: string }[] }>>;
}

/** The shell script of a step of a workflow. */
export function scriptOf(workflow: string, step: string): string {
  const { jobs } = parseYaml(workflow) as Jobs;
  return Object.values(jobs)
    .flatMap(({ steps = [] }) => steps)
    .find(({ name }) => name === step)!.run!;
}

export interface Step {
  readonly script: string;
  /** Programs of their own on PATH, as Bash; each notes its arguments first. */
  readonly programs: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

export interface StepResult {
  readonly status: number | null;
  readonly calls: string;
  readonly outputs: string;
}

export function runStep({ script, programs, env }: Step): StepResult {
  const folder = temporaryFolder();
  const place = (name: string): string => path.join(folder, name);
  const [outputs, calls] = [place("outputs.txt"), place("calls.txt")];
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(place(name), `#!/usr/bin/env bash\necho "${name} $*" >> "${calls}"\n${body}\n`);
    chmodSync(place(name), 0o755);
  }
  const PATH = [folder, process.env["PATH"]].join(path.delimiter);
  const { status } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", script], {
    cwd: folder,
    env: { PATH, GITHUB_OUTPUT: outputs, ...env },
  });
  const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
  return { status, calls: textOf(calls), outputs: textOf(outputs) };
}

/** GitHub's runners of Linux have Bash; the `bash` of Windows may be another system's. */
export function onLinux(name: string, tests: () => void): void {
  describeUnlessWindows("the step is a script of Bash", name, tests);
}
