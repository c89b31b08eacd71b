import { parseYaml } from "../action/runner";
import { onLinux, runStep, type StepResult } from "./workflows";

const jobs = parseYaml("examples/pull-request/gitlab-ci.yml") as Record<
  string,
  {
    script: string[];
    variables: Record<string, string>;
    artifacts: { when: string; reports: Record<string, string> };
    rules: { if: string }[];
    interruptible?: boolean;
  }
>;

onLinux("the job that updates", () => {
  const job = jobs["compute update"]!;
  const update = (pulumi: string): StepResult =>
    runStep({ script: job.script.join("\n"), programs: { npm: "", pulumi }, env: job.variables });

  it("is that of the default branch, and is never cut off", () => {
    expect(job.rules).toEqual([
      { if: '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' },
    ]);
    expect(job.interruptible).toBeUndefined();
  });

  it.each([
    [0, ["dev", "staging", "prod"]],
    [255, ["dev"]],
  ])("applies one stack after the other, while each ends with 0: %d", (code, stacks) => {
    const { status, calls } = update(`exit ${code}`);
    expect(status).toBe(code);
    const applied = stacks.map((name) => `pulumi up --yes --non-interactive --stack acme/shop/${name}`);
    expect(calls.split("\n").slice(1, -1)).toEqual(applied);
  });
});

onLinux("the job", () => {
  const job = jobs["compute preview"]!;

  it.each([
    [0, ""],
    [21, "infra"],
  ])(
    "previews every stack, writes the note, and ends with %d as compute-preview does, in folder '%s'",
    (code, folder) => {
      const inFolder = folder === "" ? "" : `case "$PWD" in */${folder}) ;; *) exit 9 ;; esac`;
      const up = folder === "" ? "." : "..";
      const { status, calls } = runStep({
        script: [`mkdir -p "./${folder}"`, ...job.script].join("\n"),
        programs: {
          npm: inFolder,
          pulumi: `${inFolder}\ncase "$*" in *staging) exit 1 ;; esac`,
          npx: [
            inFolder,
            `ls ${up}/previews/3.acme.shop.prod.ndjson ${up}/previews/3.acme.shop.prod.lines.json || exit 9`,
            'case "$*" in *gitlab*) echo "[]"; exit 5 ;; esac',
            `exit ${code}`,
          ].join("\n"),
          node: "cat comment.md code-quality.json",
        },
        env: { ...job.variables, FOLDER: folder },
      });
      expect(status).toBe(code);
      expect(
        calls
          .replaceAll(/\/\S+(?=\/previews)/g, "ROOT")
          .split("\n")
          .slice(0, -1),
      ).toEqual([
        "npm ci --ignore-scripts",
        ...["dev", "staging", "prod"].map(
          (stack, index) =>
            `pulumi preview --json --event-log ROOT/previews/${index + 1}.acme.shop.${stack}.ndjson --non-interactive --stack acme/shop/${stack}`,
        ),
        "npx --no-install compute-preview ROOT/previews --plain --details --fail-on delete,replace",
        `npx --no-install compute-preview ROOT/previews --annotations gitlab --folder ${folder}`,
        "node gitlab.mjs comment.md",
      ]);
    },
  );
});
