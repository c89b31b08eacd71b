/** The jobs of `examples/pull-request/gitlab-ci.yml`. */
import { onLinux, parseYaml, runStep, type StepResult } from "../action/runner";
import { textOf } from "./checkout";

const gitLabJobs = parseYaml("examples/pull-request/gitlab-ci.yml") as Record<
  string,
  {
    script: string[];
    variables: Record<string, string>;
    rules: { if: string }[];
    interruptible?: boolean;
  }
>;

onLinux("the GitLab job that updates", () => {
  const job = gitLabJobs["compute update"]!;
  const update = (pulumi: string): StepResult =>
    runStep({ script: job.script.join("\n"), programs: { npm: "", pulumi }, env: job.variables });

  it("runs on the default branch, and is never interrupted", () => {
    expect(job.rules).toEqual([
      { if: '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' },
    ]);
    expect(job.interruptible).toBeUndefined();
  });

  it.each([
    [0, ["dev", "staging", "prod"]],
    [255, ["dev"]],
  ])("applies one stack after the other, and stops at the first that fails: exit code %d", (code, stacks) => {
    const { status, calls } = update(`exit ${code}`);
    expect(status).toBe(code);
    const applied = stacks.map((name) => `pulumi up --yes --non-interactive --stack acme/shop/${name}`);
    expect(calls.split("\n").slice(1, -1)).toEqual(applied);
  });
});

onLinux("the GitLab job that previews", () => {
  const job = gitLabJobs["compute preview"]!;

  it("previews every stack in its folder, writes the note, and ends as compute-preview does", () => {
    const inFolder = 'case "$PWD" in */infra) ;; *) exit 9 ;; esac';
    const { status, calls } = runStep({
      script: ["mkdir infra", ...job.script].join("\n"),
      programs: {
        npm: inFolder,
        npx: [
          inFolder,
          'case "$*" in *--save*) : > "${4%.ndjson}.lines.json" ;; esac',
          'case "$*" in *staging) exit 1 ;; *--save*) exit 0 ;; esac',
          "ls ../previews/3.acme.shop.prod.ndjson ../previews/3.acme.shop.prod.lines.json || exit 9",
          'case "$*" in *gitlab*) echo "[]"; exit 5 ;; esac',
          "exit 21",
        ].join("\n"),
        node: "cat comment.md code-quality.json",
      },
      env: { ...job.variables, FOLDER: "infra" },
    });
    expect(status).toBe(21);
    const stacks = ["dev", "staging", "prod"].map(
      (stack, index) =>
        `npx --no-install compute-preview --save ROOT/previews/${index + 1}.acme.shop.${stack}.ndjson -- pulumi preview --non-interactive --stack acme/shop/${stack}`,
    );
    expect(
      calls
        .trim()
        .replaceAll(/\/\S+(?=\/previews)/g, "ROOT")
        .split("\n"),
    ).toEqual([
      "npm ci --ignore-scripts",
      ...stacks,
      "npx --no-install compute-preview ROOT/previews --plain --details --fail-on drop,replace,delete",
      "npx --no-install compute-preview ROOT/previews --annotations gitlab --folder infra",
      "node gitlab.mjs comment.md",
    ]);
  });
});

onLinux("the GitLab job of docs/terraform.md", () => {
  const [, yaml = ""] = /```yaml\n# \.gitlab-ci\.yml\n(.*?)```/s.exec(textOf("docs/terraform.md")) ?? [];
  const script = [...yaml.matchAll(/^ {4}- (.*)$/gm)].map(([, line]) => line).join("\n");

  it.each([0, 26])("writes the note, and ends as compute-preview does: %d", (code) => {
    const programs = {
      apk: "",
      terraform: "",
      npx: `echo report; exit ${code}`,
      node: "grep report comment.md",
    };
    const { status, calls } = runStep({ script, programs, env: {} });
    expect(status).toBe(code);
    expect(calls).toMatch(
      /npx .* compute-preview plan\.json --plain --details --fail-on \S+\nnode gitlab\.mjs comment\.md\n$/,
    );
  });
});

onLinux("the GitLab job that previews, with an empty FAIL_ON as docs/interruptions.md says", () => {
  it("refuses nothing", () => {
    const job = gitLabJobs["compute preview"]!;
    const programs = { npm: "", npx: "", node: "" };
    const { status, calls } = runStep({
      script: job.script.join("\n"),
      programs,
      env: { ...job.variables, FAIL_ON: "" },
    });
    expect(status).toBe(0);
    expect(calls).not.toContain("--fail-on");
  });
});
