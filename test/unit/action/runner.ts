/**
 * A stand-in of the runner: runs the steps of the composite action as action.yml has them.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runReport } from "../../../action/report";
import { temporaryFolder } from "../../support/temporaryFolder";
import { fullName } from "./gitHub";

const root = path.join(__dirname, "../../..");

interface Step {
  readonly id?: string;
  readonly name: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

export interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly description: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export function parseYaml(file: string): unknown {
  // What Pulumi's SDK reads its own files with.
  const { load } = jest.requireActual<{ load: (text: string) => unknown }>("js-yaml");
  return load(readFileSync(path.join(root, file), "utf8"));
}

export const actionFile = parseYaml("action.yml") as ActionFile;

export interface Job {
  /** True to start the committed bundle, as GitHub does; the source runs in this process otherwise. */
  readonly startsProcess?: boolean;
  readonly api: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly eventName: string;
  readonly event: object;
  /** Files in the workspace, by their path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
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

export async function runAction(job: Job): Promise<JobResult> {
  const folder = temporaryFolder();
  const workspace = path.join(folder, "workspace");
  const [eventFile, summaryFile] = [path.join(folder, "event.json"), path.join(folder, "summary.md")];
  writeFileSync(eventFile, JSON.stringify(job.event));
  write(workspace, job.files ?? {});
  const values = new Map<string, string>([["github.token", "the-token"]]);
  for (const [name, { default: text = "" }] of Object.entries(actionFile.inputs))
    values.set(`inputs.${name}`, fill(job.inputs[name] ?? text, values));
  let [code, log] = [0, ""];
  for (const [index, step] of actionFile.runs.steps.entries()) {
    const outputFile = path.join(folder, `output-${index}.txt`);
    const result = await (job.startsProcess === true ? runShell : runHere)(step, {
      cwd: workspace,
      env: {
        PATH: process.env["PATH"]!,
        GITHUB_ACTIONS: "true",
        GITHUB_ACTION_PATH: root,
        GITHUB_API_URL: job.api,
        GITHUB_SERVER_URL: "https://github.example",
        GITHUB_REPOSITORY: fullName,
        GITHUB_RUN_ID: "900",
        GITHUB_RUN_ATTEMPT: "1",
        GITHUB_RUN_NUMBER: "90",
        GITHUB_SHA: "a".repeat(40),
        GITHUB_EVENT_NAME: job.eventName,
        GITHUB_EVENT_PATH: eventFile,
        GITHUB_OUTPUT: outputFile,
        GITHUB_STEP_SUMMARY: summaryFile,
        RUNNER_TEMP: folder,
        ...job.env,
        ...filled(step.env ?? {}, values),
      },
    });
    log += result.log;
    if (code === 0) code = result.code;
    for (const [name, value] of outputsIn(outputFile))
      values.set(`steps.${step.id ?? ""}.outputs.${name}`, value);
  }
  const named = Object.entries(actionFile.outputs).map(([name, { value }]) => [name, value] as const);
  const outputs = filled(Object.fromEntries(named), values);
  const textOf = (file: string | undefined): string =>
    file && existsSync(file) ? readFileSync(file, "utf8") : "";
  const files = { markdown: textOf(outputs["markdown"]), json: textOf(outputs["json"]) };
  return { code, outputs, log, summary: textOf(summaryFile), ...files };
}

function write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}

/** The same without a process of its own, which takes most of a second. */
async function runHere(
  { run = "" }: Step,
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<{ code: number; log: string }> {
  if (run !== 'node "$GITHUB_ACTION_PATH/action/bundle.js" report')
    throw new Error(`There is no stand-in of ${run}.`);
  const before = process.cwd();
  const log: string[] = [];
  process.chdir(cwd);
  try {
    return { code: await runReport(env, (text) => log.push(text)), log: log.join("") };
  } finally {
    process.chdir(before);
  }
}

/** The runner's own call of Bash. */
function runShell(
  { run = "", shell }: Step,
  options: { cwd: string; env: Record<string, string> },
): Promise<{ code: number; log: string }> {
  if (shell !== "bash") throw new Error(`There is no stand-in of the shell ${shell ?? "(none)"}.`);
  return new Promise((resolve) => {
    const words = ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", run];
    execFile("bash", words, options, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), log: `${out}${err}` });
    });
  });
}

/** Expressions as action.yml has them: a value, or whether two are the same. */
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

function filled(
  texts: Readonly<Record<string, string>>,
  values: ReadonlyMap<string, string>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text, values)]));
}

function outputsIn(file: string): readonly (readonly [name: string, value: string])[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => {
    const at = line.indexOf("=");
    return [line.slice(0, at), line.slice(at + 1)] as const;
  });
}
