import { readFileSync } from "node:fs";
import path from "node:path";
import { expectPinned, onLinux, runStep, scriptOf, workflowOf, type StepResult } from "./workflows";

const workflow = workflowOf("drift");

describe("what the workflow for drift may do", () => {
  it("is done with pinned actions", () => {
    expectPinned(workflow);
  });

  it("gives write access only to the job without the keys, and none but to issues", () => {
    const [before, look, tell] = workflow.split(/^ {2}(?:look|tell):$/m);
    expect(before).toContain("permissions: {}");
    expect(workflow.match(/: write/g)).toEqual([": write"]);
    expect(look).not.toMatch(/: write|GH_TOKEN/);
    expect(tell).toContain("issues: write");
    expect(tell).not.toMatch(/checkout|npm|npx|secrets\./);
  });

  it("changes nothing at the service, and has one run at a time", () => {
    expect(scriptOf(workflow, "Look")).toContain("pulumi refresh --preview-only");
    expect(workflow).toContain("group: compute-drift");
  });
});

onLinux("the look", () => {
  it.each([
    { code: 0, ends: 0, outputs: "code=0\n" },
    { code: 27, ends: 0, outputs: "code=27\n" },
    { code: 1, ends: 1 },
    { code: 3, ends: 3 },
    { code: 4, ends: 4 },
  ])("ends with $ends after $code: what is no answer is passed on", ({ code, ends, outputs }) => {
    const ran = runStep({
      script: scriptOf(workflow, "Look"),
      programs: { pulumi: "echo '{}'", npx: `echo report; exit ${code}` },
      env: { STACK: "acme/shop/dev" },
    });
    expect(ran.status).toBe(ends);
    if (outputs !== undefined) expect(ran.outputs).toBe(outputs);
    expect(ran.calls).toContain("compute-preview drift.json --marker drift acme/shop/dev --fail-on drift");
  });
});

/** The same step in the workflow that other repositories call, which finds the code in a file. */
const called = readFileSync(path.join(__dirname, "../../../.github/workflows/compute-drift.yml"), "utf8");

onLinux("the issue", () => {
  const tell = (text: string, code: string, found = ""): StepResult =>
    runStep({
      script: scriptOf(text, "Open, update or close the issue"),
      programs: { gh: `if [ "$2" = list ]; then echo "${found}"; fi` },
      files: { "issue.md": "<!-- compute-preview: drift acme/shop/dev -->\n", code: `${code}\n` },
      env: { STACK: "acme/shop/dev", CODE: code, RUN: "https://example/run" },
    });

  it("is looked for by the stack's own marker, among this workflow's open ones", () => {
    const { calls } = tell(workflow, "27");
    expect(calls).toContain("gh issue list --app github-actions --state open");
    expect(calls).toContain('startswith("<!-- compute-preview: drift acme/shop/dev -->")');
  });

  it.each([
    ["is opened where there is none", "27", "", "create --title Computes of acme/shop/dev"],
    ["is updated where there is one", "27", "42", "edit 42 --body-file issue.md"],
    ["is closed where nothing differs", "0", "42", "close 42"],
    ["is let be where there is none to close", "0", "", undefined],
  ])("%s", (...[, code, found, does]) => {
    for (const text of [workflow, called]) {
      const { status, calls } = tell(text, code, found);
      const [, ...written] = calls.trim().split("\n");
      expect(status).toBe(0);
      expect(written).toEqual(does === undefined ? [] : [expect.stringContaining(`gh issue ${does}`)]);
    }
  });
});
