/**
 * Previews that leave their job: follows every workflow, page and example that saves one, with the real engine, and searches
 * all that it leaves behind. Pulumi's own events have the secrets of every resource in plain text.
 */
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { checkoutFolder } from "../../tools/checkout";
import { filesBelow, leaksInFiles, leaksInText, type Leak } from "../support/leaks";
import { programAt, run, useStack, variants, type CommandResult, type TestStack } from "../support/stack";
import { describeUnlessWindows } from "../support/systems";

/** Each encoding writes these texts differently. */
const secrets = {
  "a setting": "setting+with/every=kind&of%mark",
  "a trigger": 'trigger"and\\more<than>one-4711',
  "another provider's resource": "of-another-provider-0815",
};

const program = `
const pulumi = require("@pulumi/pulumi");
const { Endpoint } = require(process.env.TESTED_PACKAGE);
const { app, secrets } = JSON.parse(require("node:fs").readFileSync("resources.json", "utf8"));
const [setting, trigger, password] = Object.values(secrets).map((secret) => pulumi.secret(secret));
const settings = { pgSettings: { "ext.token": setting } };
exports.host = new Endpoint("app", { ...app, settings, restartTriggers: { key: trigger } }).host;
class Other extends pulumi.dynamic.Resource {}
const create = async (inputs) => ({ id: "1", outs: inputs });
exports.size = new Other({ create }, "other", { password, size: app.autoscalingLimitMinCu }).size;
`;

function programIn(folder: string): string {
  const file = path.join(folder, "index.js");
  writeFileSync(file, program);
  return programAt(file)(folder);
}

const bundle = path.join(checkoutFolder, "action/bundle.js");
const computePreview = path.join(checkoutFolder, "dist/preview/main.js");

const textOf = (file: string): string => readFileSync(path.join(checkoutFolder, file), "utf8");

/** The commands of a step of a workflow, or of a job of GitLab. */
function yamlOf(file: string): unknown {
  // js-yaml is installed, since Pulumi's SDK depends on it.
  const { load } = jest.requireActual<{ load: (text: string) => unknown }>("js-yaml");
  return load(textOf(file));
}

interface Job {
  readonly steps: readonly { readonly name?: string; readonly run?: string }[];
}

function stepOf(workflow: string, name: string): string {
  const { jobs } = yamlOf(workflow) as { jobs: Readonly<Record<string, Job>> };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  return steps.find((step) => step.name === name)!.run!;
}

/** The lines of a page that save a preview. */
function linesOf(page: string, pattern: RegExp): string {
  return textOf(page).match(pattern)!.join("\n");
}

/** Every place that tells somebody to save a preview, and the lines that it tells them to run. */
const places: Readonly<Record<string, string>> = {
  "the workflow compute-preview.yml": stepOf(".github/workflows/compute-preview.yml", "Preview"),
  "the workflow compute-drift.yml": stepOf(".github/workflows/compute-drift.yml", "Look"),
  "the job of gitlab-ci.yml": (
    yamlOf("examples/pull-request/gitlab-ci.yml") as { "compute preview": { script: readonly string[] } }
  )["compute preview"].script
    .join("\n")
    .replace("npm ci --ignore-scripts", ":"),
  "docs/pull-requests.md": linesOf("docs/pull-requests.md", /^npx compute-preview --save .*$/gm).replace(
    "--stack prod",
    "--stack test",
  ),
  "a job of docs/pull-requests.md": linesOf(
    "docs/pull-requests.md",
    /(?<=- run: )npx compute-preview --save .*$/gm,
  ).replace("acme/shop/prod", "test"),
  "docs/terraform.md": linesOf("docs/terraform.md", /^npx compute-preview --save .*$/gm),
  "docs/assistants.md": linesOf("docs/assistants.md", /(?<=`)npx compute-preview --save [^`]*/g),
};

describe("what pages, workflows and examples tell people to run", () => {
  it("never writes events of a preview to a file in another way than --save", () => {
    const files = [
      ...["README.md", "SECURITY.md", "action.yml"],
      ...["docs", "examples", ".github/workflows", "template"].flatMap((folder) =>
        filesBelow(path.join(checkoutFolder, folder)).map((file) => path.relative(checkoutFolder, file)),
      ),
    ].filter((file) => /\.(?:md|ya?ml|mjs|[jt]s)$/.test(file) && !file.includes("node_modules"));
    expect(files.length).toBeGreaterThan(50);
    const lines = files.flatMap((file) =>
      textOf(file)
        .split("\n")
        .map((line) => ({ file, line })),
    );
    const writing = lines.filter(({ line }) => /--event-log|STREAMING_JSON_PREVIEW/.test(line));
    // A line that only names them, and lines that pipe them on.
    const isHarmless = (line: string): boolean =>
      /^\*\*Never|^argument and output|^export \w+=true( |$)|\| npx compute-preview/.test(line);
    expect(
      writing.filter(({ line }) => !isHarmless(line.trim()) && !line.startsWith("Pulumi's events")),
    ).toEqual([]);
    const saving = lines.filter(({ line }) =>
      /(?:compute-preview|bundle\.js|COMMAND" preview) .*--save \S+ -- /.test(line),
    );
    const covered = Object.values(places).join("\n");
    for (const { file, line } of saving) {
      const command = /--save .*? -- pulumi \w+/.exec(line)![0];
      expect([file, covered.includes(command)]).toEqual([file, true]);
    }
  });
});

describeUnlessWindows("the steps are scripts of Bash", "a saved preview", () => {
  describe.each(variants)("with the %s variant", (variant) => {
    const declare = (stack: TestStack, branchId: string, cu: number): void => {
      const size = { autoscalingLimitMinCu: cu, autoscalingLimitMaxCu: cu };
      const app = { projectId: stack.projectId, branchId, ...size };
      writeFileSync(path.join(stack.folder, "resources.json"), JSON.stringify({ app, secrets }));
    };
    const stack = useStack({ variant, program: programIn }, async (created) => {
      const branchId = created.emptyBranch();
      declare(created, branchId, 1);
      await created.up();
      declare(created, branchId, 2);
    });

    /** Runs lines of Bash as a job does, in another checkout of the program. */
    const follow = async (lines: string): Promise<CommandResult & { readonly left: string }> => {
      const left = programIn(mkdtempSync(path.join(stack.folder, "job-")));
      copyFileSync(path.join(stack.folder, "resources.json"), path.join(left, "resources.json"));
      const programs = mkdtempSync(path.join(stack.folder, "bin-"));
      const npx = `while [ "$1" != compute-preview ]; do shift; done; shift; exec "${process.execPath}" "${computePreview}" "$@"`;
      writeFileSync(path.join(programs, "npx"), `#!/usr/bin/env bash\n${npx}\n`, { mode: 0o755 });
      const env = {
        ...stack.environment,
        PATH: [programs, stack.environment["PATH"]].join(path.delimiter),
        ...{ COMMAND: bundle, STACK: "test", STACKS: "test", FOLDER: "", FAIL_ON: "drop,replace,delete" },
        ...{ PREVIEWS: path.join(left, "previews"), RESULT: path.join(left, "drift"), PULUMI_STACK: "test" },
      };
      const ended = await run("bash", ["-e", "-o", "pipefail", "-c", lines], { cwd: left, env });
      return { ...ended, left };
    };

    it.each(Object.entries(places))("has no secret of any resource: %s", async (_place, lines) => {
      const { left, output } = await follow(lines);
      const files = filesBelow(left).filter(
        (file) => !ofProgram.some((name) => file === path.join(left, name)),
      );
      const saved = files
        .filter((file) => file.endsWith(".ndjson"))
        .map((file) => readFileSync(file, "utf8"));
      expect([saved.join("").includes('"summaryEvent"'), output]).toEqual([true, expect.anything()]);
      expect(leaksIn(files, output)).toEqual([]);
    });

    it("is judged as Pulumi's own events are, byte for byte, which have all these secrets", async () => {
      const [whole, saved] = ["whole", "saved"].map((name) => path.join(stack.folder, `${name}.ndjson`)) as [
        string,
        string,
      ];
      await stack.pulumi(["preview", "--json", "--event-log", whole], { PULUMI_DEBUG_COMMANDS: "true" });
      expect(new Set(leaksIn([whole], "").map(({ whose }) => whose))).toEqual(new Set(Object.keys(secrets)));
      const preview = (...words: readonly string[]): Promise<CommandResult> =>
        run(process.execPath, [computePreview, ...words], { cwd: stack.folder, env: stack.environment });
      await preview(whole, "--save", saved);
      expect(leaksIn([saved], "")).toEqual([]);
      for (const form of ["markdown", "text", "json"]) {
        const judge = (file: string) => preview(file, "--format", form, "--fail-on", "drop,replace,delete");
        const judged = await judge(whole);
        expect(judged.code).toBe(26);
        expect(await judge(saved)).toEqual(judged);
      }
    });
  });
});

/** The files of the program, which has the secrets. */
const ofProgram = ["resources.json", "index.js", "package.json", "Pulumi.yaml"];

function leaksIn(files: readonly string[], output: string): readonly (Leak & { readonly whose: string })[] {
  return Object.entries(secrets).flatMap(([whose, secret]) =>
    [...leaksInFiles(files, secret), ...leaksInText("output", output, secret)].map((leak) => ({
      ...leak,
      whose,
    })),
  );
}
