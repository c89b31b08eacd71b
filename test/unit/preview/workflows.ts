/**
 * The shell steps of workflows, run as GitHub runs them.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describeUnlessWindows } from "../../support/systems";
import { temporaryFolder } from "../../support/temporaryFolder";

/** The shell script of a step: the lines below its `run: |` that are indented further. */
export function scriptOf(workflow: string, step: string): string {
  const lines = workflow.slice(workflow.indexOf(`- name: ${step}`)).split("\n");
  const start = lines.findIndex((line) => line.trim() === "run: |") + 1;
  const indent = lines[start]!.search(/\S/);
  const end = lines.findIndex(
    (line, index) => index > start && line.trim() !== "" && line.search(/\S/) < indent,
  );
  return lines
    .slice(start, end === -1 ? undefined : end)
    .map((line) => line.slice(indent))
    .join("\n");
}

export interface Step {
  readonly script: string;
  /** Programs of their own on PATH, as Bash; each notes its arguments first. */
  readonly programs: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

export interface StepResult {
  readonly status: number | null;
  readonly calls: string;
  readonly summary: string;
  readonly outputs: string;
}

export function runStep({ script, programs, files = {}, env }: Step): StepResult {
  const folder = temporaryFolder();
  const place = (name: string): string => path.join(folder, name);
  const [summary, outputs, calls] = [place("summary.md"), place("outputs.txt"), place("calls.txt")];
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(place(name), `#!/usr/bin/env bash\necho "${name} $*" >> "${calls}"\n${body}\n`);
    chmodSync(place(name), 0o755);
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(place(name), text);
  const PATH = [folder, process.env["PATH"]].join(path.delimiter);
  const { status } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", script], {
    cwd: folder,
    env: { PATH, GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: outputs, ...env },
  });
  const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
  return { status, calls: textOf(calls), summary: textOf(summary), outputs: textOf(outputs) };
}

/** GitHub's runners of Linux have Bash; the `bash` of Windows may be another system's. */
export function onLinux(name: string, tests: () => void): void {
  describeUnlessWindows("the step is a script of Bash", name, tests);
}
