/** Runs the lines with `--fail-on` that pages tell people to copy, on a plan of each kind. */
import path from "node:path";
import { onLinux, runStep, type StepResult } from "../action/runner";
import { planOf } from "../preview/peers/others";
import { runPreview } from "../preview/previews";
import { filesOf, root, textOf } from "./checkout";

const pages = [...filesOf("*.md", "docs", "examples", "template", "action.yml", ".github/workflows")].filter(
  (file) => /\.(md|yml|mjs)$/.test(file),
);

/** The kinds after each `--fail-on` that pages tell people to copy: in commands, workflows and variables. */
const recommended = pages.flatMap((page) =>
  [...textOf(page).matchAll(/(?:(?:--fail-on |fail-on: "?|FAIL_ON: )|such as `)((?:\w+,)+\w+|drift)\b/g)].map(
    ([, kinds = ""]) => ({ page, kinds }),
  ),
);

it("pages recommend the same kinds for every --fail-on, except for the check for drift", () => {
  expect(recommended.length).toBeGreaterThan(12);
  expect(new Set(recommended.map(({ kinds }) => kinds))).toEqual(new Set(["drop,replace,delete", "drift"]));
});

it("pages that pipe a preview into compute-preview --fail-on make Pulumi print events", () => {
  for (const page of pages)
    for (const [block] of textOf(page).matchAll(/^```sh\n[^]*?^```$/gm))
      if (/pulumi preview[^\n]*\| npx compute-preview[^\n]*--fail-on/.test(block))
        expect(block).toContain("PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true");
});

/** One plan for each exit code; test/unit/preview/ has every step, and plans of each kind. */
const plans: readonly (readonly [reason: string, plan: object, code: number])[] = [
  ["nothing that interrupts", planOf({}), 0],
  ["a size", planOf({ sides: "autoscaling_limit_max_cu: 1 → 2" }), 26],
  ["a deletion", planOf({ actions: "delete" }), 20],
  ["a replacement", planOf({ actions: "delete,create" }), 21],
  ["an unknown attribute", planOf({ sides: "novelty: 1 → 2" }), 6],
];

onLinux("the lines of docs/terraform.md", () => {
  const page = textOf("docs/terraform.md");
  const blocks = (language: string): readonly string[] =>
    [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(([, text]) => text!);
  const scriptsIn = (text: string): string =>
    [...text.matchAll(/^ +- (?:run: )?((?:terraform|npx) .*)$/gm)].map(([, line]) => line).join("\n");
  const [onMachine = "", fromFile = "", task = "", cut = ""] = blocks("sh");
  const [gitHub = "", gitLab = "", atlantis = ""] = blocks("yaml");

  const source = (file: string): string => `"${path.join(root, file)}"`;
  const commands = {
    real: `exec "${process.execPath}" --require ${source("node_modules/ts-node/register/transpile-only.js")} ${source("preview/main.ts")} "$@"`,
    // This only keeps the file: `codeOf` then calls the command in this process, with the recorded arguments.
    noted: 'cat "$1" > "$GITHUB_OUTPUT"',
  };

  interface How {
    readonly npx?: keyof typeof commands;
    readonly files?: string;
  }

  /** Runs a script with stand-ins for Terraform, the registry and the network. */
  const run = (script: string, plan: object, { npx = "noted", files = "" }: How = {}): StepResult =>
    runStep({
      script: `cat > plan-of-terraform.json <<'END'\n${JSON.stringify(plan)}\nEND\n${files}${script}`,
      programs: {
        terraform: 'case "$*" in "show -json plan") cat plan-of-terraform.json ;; esac',
        npx: `while [ "$1" != compute-preview ]; do shift; done; shift\n${commands[npx]}`,
        curl: 'case "$*" in *PATCH*) cat result.json > "$GITHUB_OUTPUT" ;; *) cat plan-of-terraform.json ;; esac',
      },
      env: { SHOWFILE: "plan-of-terraform.json", TS_NODE_PROJECT: path.join(root, "tsconfig.json") },
    });

  /** Runs the command at the end of the lines on the file that the lines wrote. @returns its exit code */
  const codeOf = (script: string, plan: object): number | null => {
    const { status, calls, outputs } = run(script, plan);
    if (status !== 0) return status;
    const [, words = ""] = /^npx .*?compute-preview (.*)$/m.exec(calls) ?? [];
    const [file = "", ...options] = words.split(" ");
    return runPreview([file, ...options], { [file]: outputs }).code;
  };

  it.each(plans)("end with the right exit code on one's own machine: %s", (_reason, plan, code) => {
    expect(codeOf(onMachine, plan)).toBe(code);
  });

  it("end with the same exit code in each form: with a file, on GitLab, with Atlantis", () => {
    const [, deletion, code] = plans[2]!;
    for (const script of [`${onMachine.split("npx")[0]!}${fromFile}`, scriptsIn(gitLab), scriptsIn(atlantis)])
      expect(codeOf(script, deletion)).toBe(code);
  });

  it("end with the same exit code if they run the command in its own process", () => {
    const [, deletion, code] = plans[2]!;
    expect(run(onMachine, deletion, { npx: "real" }).status).toBe(code);
  });

  it("for GitHub let the Action read the plan that the step before it wrote", () => {
    const lines = `${scriptsIn(gitHub)}\nnpx compute-preview plan.json --fail-on drop,replace,delete`;
    for (const [, plan, code] of plans.slice(0, 2)) expect(codeOf(lines, plan)).toBe(code);
    expect(gitHub).toContain('with: { previews: plan.json, fail-on: "drop,replace,delete" }');
  });

  it.each([
    ["passed", planOf({}), "Passed: no compute drops its open connections"],
    ["failed", planOf({ actions: "delete" }), "Refused: 1 compute is deleted"],
    ["failed", "no plan", expect.stringMatching(/^compute-preview: Reading the input: it is /) as string],
  ] as const)("end a run task of HCP Terraform as %s", (status, plan, message) => {
    const request = {
      access_token: "t",
      plan_json_api_url: "https://a/plan",
      task_result_callback_url: "https://a/task",
    };
    const written = run(task, plan as object, {
      npx: "real",
      files: `echo '${JSON.stringify(request)}' > task.json\n`,
    });
    expect(written.status).toBe(0);
    const { data } = JSON.parse(written.outputs) as { data: { type: string; attributes: object } };
    expect(data).toEqual({ type: "task-results", attributes: { status, message } });
  });

  it("save a plan without its secrets, and it is judged as before", () => {
    const [, resized, code] = plans[1]!;
    const secret = planOf({
      type: "databricks_secret",
      provider: undefined,
      sides: "string_value: uri → uri of now",
    });
    const plan = {
      ...resized,
      variables: { a: { value: "uri" } },
      resource_changes: [resized, secret].flatMap((one) => (one as typeof secret).resource_changes),
    };
    const { status, outputs } = run(`${cut}\ncat plan.json > "$GITHUB_OUTPUT"`, plan, { npx: "real" });
    expect([status, outputs.includes("uri")]).toEqual([0, false]);
    const judged = runPreview(["plan.json", "--fail-on", "drop,replace,delete"], { "plan.json": outputs });
    expect(judged.code).toBe(code);
  });
});
