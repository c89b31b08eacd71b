/**
 * A stand-in for GitHub's runner: it runs the one step of action.yml on a pull request, and the shell steps of workflows.
 */
import { execFile, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runReport } from "../../../action/report";
import { describeUnlessWindows } from "../../support/systems";
import { temporaryFolder } from "../../support/temporaryFolder";
import { fullName, startGitHub, type FakeGitHub, type Pull } from "./codeHosts";

const root = path.join(__dirname, "../../..");

interface Step {
  readonly id: string;
  readonly shell: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: string;
}

interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly description: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly [Step] };
}

export function parseYaml(file: string): unknown {
  // js-yaml is installed, since Pulumi's SDK depends on it.
  const { load } = jest.requireActual<{ load: (text: string) => unknown }>("js-yaml");
  return load(readFileSync(path.join(root, file), "utf8"));
}

export const actionFile = parseYaml("action.yml") as ActionFile;
const [step] = actionFile.runs.steps;

/** A pull request that `author` opened. */
export const pull: Pull = {
  number: 7,
  user: { login: "author" },
  head: { sha: "a".repeat(40), ref: "grow", repo: { full_name: fullName } },
  base: { ref: "main", repo: { full_name: fullName } },
};

/** Starts the stand-in for GitHub, with the pull request, before each test of a file. */
export function gitHubForEach(): FakeGitHub {
  const current = {} as FakeGitHub;
  beforeEach(async () => {
    Object.assign(current, await startGitHub());
    current.repository.pulls.push(pull);
  });
  afterEach(async () => {
    await current.close();
    expect(current.repository.objections).toEqual([]);
  });
  return current;
}

/** The writes among the requests to GitHub. */
export function writesTo({ repository }: FakeGitHub): readonly string[] {
  return repository.requests.filter((line) => !line.startsWith("GET "));
}

/** Files in the workspace, by their path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface Job {
  /** True to start the committed bundle, as GitHub does; otherwise the source runs in this process. */
  readonly startsProcess?: boolean;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly eventName?: string;
  readonly event?: object;
  readonly env?: Readonly<Record<string, string>>;
}

export interface JobResult {
  readonly code: number;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly log: string;
  /** Text of the files that outputs name. */
  readonly markdown: string;
  readonly json: string;
}

/** Runs the step in a job on `pull_request`, with these files as the run's previews. */
export async function ownRun(github: FakeGitHub, files: Files, job: Job = {}): Promise<JobResult> {
  const { eventName = "pull_request", event = { pull_request: pull } } = job;
  const inputs = { previews: Object.keys(files).join("\n"), ...job.inputs };
  const folder = temporaryFolder();
  const place = (name: string): string => path.join(folder, name);
  const textOf = (file: string | undefined): string =>
    file && existsSync(file) ? readFileSync(file, "utf8") : "";
  const [cwd, eventFile, outputFile] = [place("workspace"), place("event.json"), place("output.txt")];
  writeFileSync(eventFile, JSON.stringify(event));
  write(cwd, files);
  const env = {
    PATH: process.env["PATH"]!,
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: root,
    GITHUB_API_URL: github.url,
    GITHUB_SERVER_URL: "https://github.example",
    GITHUB_REPOSITORY: fullName,
    GITHUB_RUN_ID: "900",
    GITHUB_RUN_ATTEMPT: "1",
    GITHUB_RUN_NUMBER: "90",
    GITHUB_SHA: "a".repeat(40),
    GITHUB_EVENT_NAME: eventName,
    GITHUB_EVENT_PATH: eventFile,
    GITHUB_OUTPUT: outputFile,
    GITHUB_STEP_SUMMARY: place("summary.md"),
    RUNNER_TEMP: folder,
    ...job.env,
    ...variablesOf(step, inputs),
  };
  const { code, log } = await (job.startsProcess === true ? runShell(cwd, env) : runHere(cwd, env));
  const written = [...textOf(outputFile).matchAll(/^(.*?)=(.*)$/gm)];
  const values = new Map(written.map(([, name, value]) => [`steps.report.outputs.${name!}`, value!]));
  const named = Object.entries(actionFile.outputs).map(([name, { value }]) => [name, fill(value, values)]);
  const outputs = Object.fromEntries(named) as JobResult["outputs"];
  const [markdown, json] = [textOf(outputs["markdown"]), textOf(outputs["json"])];
  return { code, outputs, log, summary: textOf(place("summary.md")), markdown, json };
}

/** The step's environment: its inputs, or their defaults. */
function variablesOf({ env }: Step, inputs: NonNullable<Job["inputs"]>): Record<string, string> {
  const values = new Map([["github.token", "the-token"]]);
  for (const [name, { default: text = "" }] of Object.entries(actionFile.inputs))
    values.set(`inputs.${name}`, fill(inputs[name] ?? text, values));
  return Object.fromEntries(Object.entries(env).map(([name, text]) => [name, fill(text, values)]));
}

function write(folder: string, files: Files): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}

type Ending = Pick<JobResult, "code" | "log">;

/** Runs the step in this process: another process takes most of a second. */
async function runHere(cwd: string, env: Record<string, string>): Promise<Ending> {
  const before = process.cwd();
  const log: string[] = [];
  process.chdir(cwd);
  try {
    return { code: await runReport(env, (text) => log.push(text)), log: log.join("") };
  } finally {
    process.chdir(before);
  }
}

/** Calls Bash as the runner does. */
function runShell(cwd: string, env: Record<string, string>): Promise<Ending> {
  return new Promise((resolve) => {
    const words = ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step.run];
    execFile("bash", words, { cwd, env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), log: `${out}${err}` });
    });
  });
}

/** Evaluates the expressions of action.yml: a value, or whether two values are equal. */
function fill(text: string, values: ReadonlyMap<string, string>): string {
  const valueOf = (name: string): string => {
    if (!/^(inputs|steps|github)\.[\w.-]+$/.test(name)) throw new Error(`There is no stand-in of ${name}.`);
    return values.get(name) ?? "";
  };
  return text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => {
    const [left = "", right] = expression.split(" == ");
    return right === undefined ? valueOf(left) : String(valueOf(left) === valueOf(right));
  });
}

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

interface ShellStep {
  readonly script: string;
  /** Programs in Bash that come first on PATH. Each of them first records its arguments. */
  readonly programs: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

export interface StepResult {
  readonly status: number | null;
  readonly calls: string;
  readonly outputs: string;
}

export function runStep({ script, programs, env }: ShellStep): StepResult {
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

/** GitHub's Linux runners have Bash; on Windows, `bash` may belong to another system. */
export function onLinux(name: string, tests: () => void): void {
  describeUnlessWindows("the step is a script of Bash", name, tests);
}
