import { onLinux, runStep, scriptOf, workflowOf, type StepResult } from "./workflows";

const workflow = workflowOf("pull-request");

describe("what the workflow may do", () => {
  it("pins every action to a commit or to an exact version", () => {
    const used = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action]) => action!);
    expect(used.length).toBeGreaterThan(3);
    expect(used.filter((action) => !/@([0-9a-f]{40}|v\d+\.\d+\.\d+)$/.test(action))).toEqual([]);
  });

  it("gives write access only to the job that runs nothing of the pull request", () => {
    const [before, preview, comment] = workflow.split(/^ {2}(?:preview|comment):$/m);
    expect(before).toContain("permissions: {}");
    expect(workflow.match(/: write/g)).toHaveLength(1);
    expect(preview).not.toMatch(/: write|GH_TOKEN/);
    expect(comment).toContain("pull-requests: write");
    expect(comment).not.toMatch(/checkout|npm|npx|secrets\./);
  });

  it("never hands keys to code from a fork", () => {
    expect(workflow).not.toContain("pull_request_target");
    expect(workflow).toContain("persist-credentials: false");
  });

  it("puts nothing of the pull request into a script but by the environment", () => {
    for (const step of ["Preview", "Refuse what is forbidden", "Post or update the comment"]) {
      expect(scriptOf(workflow, step)).not.toContain("${{");
    }
  });
});

interface Posting {
  /** Ids of this workflow's comments on the pull request. */
  readonly found?: string;
  readonly quiet?: string;
  readonly mayWrite?: boolean;
}

/** Runs the step with a `gh` that notes its arguments. */
function post({ found = "", quiet = "false", mayWrite = true }: Posting): StepResult {
  const writes = `case "$*" in *"--method"*) ${mayWrite ? "" : "echo 'HTTP 403' >&2; exit 1"} ;; *) echo "${found}" ;; esac`;
  return runStep({
    script: scriptOf(workflow, "Post or update the comment"),
    programs: { gh: writes },
    files: { "comment.md": "<!-- compute-preview: acme/shop/dev -->\n\nthe report\n" },
    env: { STACK: "acme/shop/dev", NUMBER: "7", QUIET: quiet, GITHUB_REPOSITORY: "acme/shop" },
  });
}

onLinux("the comment", () => {
  it("is looked for by the stack's own marker, among this workflow's comments", () => {
    const { calls } = post({});
    expect(calls).toContain('startswith("<!-- compute-preview: acme/shop/dev -->")');
    expect(calls).toContain('"github-actions[bot]"');
  });

  it("is posted where there is none", () => {
    const { status, calls, summary } = post({});
    expect(calls).toContain("--method POST repos/acme/shop/issues/7/comments -F body=@comment.md");
    expect({ status, summary }).toEqual({ status: 0, summary: "" });
  });

  it("is updated where there is one", () => {
    const { calls } = post({ found: "42" });
    expect(calls).toContain("--method PATCH repos/acme/shop/issues/comments/42 -F body=@comment.md");
    expect(calls).not.toContain("POST");
  });

  it("is not posted where no compute changes, and updated all the same", () => {
    expect(post({ quiet: "true" }).calls).not.toContain("--method");
    expect(post({ quiet: "true", found: "42" }).calls).toContain("--method PATCH");
  });

  it.each([{ found: "" }, { found: "42" }])(
    "goes to the summary where the token may not write: %o",
    ({ found }) => {
      const { status, summary } = post({ found, mayWrite: false });
      expect(status).toBe(0);
      expect(summary).toContain("may not write to the pull request");
      expect(summary).toContain("the report");
    },
  );
});
