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
  const update = (pulumi: string, npx: string, reviewed = "exit 1"): StepResult & { note: string } => {
    const note = 'sed "s/^/note: /" comment.md >> "$GITHUB_OUTPUT"';
    const node = `if [ "$2" = --reviewed ]; then ${reviewed}; else ${note}; fi`;
    const programs = { npm: "", pulumi, npx, node };
    const ran = runStep({ script: job.script.join("\n"), programs, env: job.variables });
    return { ...ran, note: ran.outputs.replaceAll(/^note: /gm, "") };
  };
  const report = 'echo "marker"; echo "report of $4"';

  it("is that of the default branch, and is never cut off", () => {
    expect(job.rules).toEqual([
      { if: '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' },
    ]);
    expect(job.interruptible).toBeUndefined();
  });

  it("writes one note on all stacks", () => {
    const { status, note, calls } = update("", report);
    expect(status).toBe(0);
    expect(note).toBe(
      `[_]: # (compute-applied)\n${[1, 2, 3].map((number) => `report of updates/${number}.ndjson\n`).join("")}`,
    );
    expect(calls).toContain(
      "pulumi up --yes --non-interactive --event-log updates/2.ndjson --stack acme/shop/staging",
    );
  });

  const comparisons = (calls: string): readonly string[] =>
    calls.split("\n").filter((call) => /^npx|--reviewed/.test(call));

  it("compares with the preview that reviewers saw", () => {
    const { status, calls } = update("", report, 'echo "of $3"');
    expect(status).toBe(0);
    expect(comparisons(calls).slice(0, 2)).toEqual([
      "node gitlab.mjs --reviewed 1.acme.shop.dev.ndjson",
      "npx --no-install compute-preview --applied updates/1.ndjson --plain reviewed.ndjson",
    ]);
    expect(comparisons(calls)).toHaveLength(6);
  });

  it.each([
    { reason: "cannot be had", reviewed: "exit 1", comparing: 1 },
    { reason: "is no preview", reviewed: "echo broken", comparing: 2 },
  ])("compares with its own preview where what reviewers saw $reason", ({ reviewed, comparing }) => {
    const npx = `case "$*" in *reviewed*) exit 3 ;; esac; ${report}`;
    const { status, note, calls } = update("", npx, reviewed);
    expect(status).toBe(0);
    expect(note).toContain("report of updates/1.ndjson");
    const ofFirst = comparisons(calls).filter((call) => call.includes("updates/1.ndjson"));
    expect(ofFirst).toHaveLength(comparing);
    expect(ofFirst.at(-1)).toMatch(/--plain$/);
  });

  it("ends with 30 where a compute was interrupted that was not announced, after all stacks", () => {
    const { status, calls } = update("", `${report}; case "$4" in *1.ndjson) exit 30 ;; esac`);
    expect(status).toBe(30);
    expect(calls.match(/pulumi up/g)).toHaveLength(3);
  });

  it("stops at an update that fails, and still writes the note", () => {
    const { status, note, calls } = update("exit 255", "exit 3");
    expect(status).toBe(255);
    expect(calls.match(/pulumi up/g)).toHaveLength(1);
    expect(note).toContain("It is not known what the update of `acme/shop/dev` did");
  });
});

onLinux("the job", () => {
  const job = jobs["compute preview"]!;

  it("hands the remarks at lines to the merge request, also where it fails", () => {
    expect(job.artifacts.when).toBe("always");
    expect(job.artifacts.reports).toEqual({ codequality: "code-quality.json" });
    expect(job.script.join("\n")).toContain(`> ${job.artifacts.reports["codequality"]!} `);
  });

  it.each([0, 21])(
    "previews every stack, writes the note, and ends with %d as compute-preview does",
    (code) => {
      const { status, calls } = runStep({
        script: job.script.join("\n"),
        programs: {
          npm: "",
          pulumi: 'case "$*" in *staging) exit 1 ;; esac',
          npx: [
            'grep -q \'{"number": 7, "head": "abc"}\' previews/compute-preview.run.json || exit 8',
            "ls previews/3.acme.shop.prod.ndjson previews/3.acme.shop.prod.lines.json || exit 9",
            'case "$*" in *gitlab*) echo "[]"; exit 5 ;; esac',
            `exit ${code}`,
          ].join("\n"),
          node: "cat comment.md code-quality.json",
        },
        env: { ...job.variables, CI_MERGE_REQUEST_IID: "7", CI_COMMIT_SHA: "abc" },
      });
      expect(status).toBe(code);
      expect(calls.split("\n").slice(0, -1)).toEqual([
        "npm ci",
        ...["dev", "staging", "prod"].map(
          (stack, index) =>
            `pulumi preview --json --event-log previews/${index + 1}.acme.shop.${stack}.ndjson --non-interactive --stack acme/shop/${stack}`,
        ),
        "npx --no-install compute-preview previews --plain --fail-on delete,replace",
        "npx --no-install compute-preview previews --annotations gitlab --folder ",
        "node gitlab.mjs comment.md",
      ]);
    },
  );
});
