import { readFileSync } from "node:fs";
import path from "node:path";
import { objectionsTo } from "../action/openApi";
import { onLinux, runStep, scriptOf, type StepResult } from "./workflows";

const workflow = readFileSync(path.join(__dirname, "../../../.github/workflows/compute-drift.yml"), "utf8");

onLinux("the issue", () => {
  const tell = (code: string, found = ""): StepResult =>
    runStep({
      script: scriptOf(workflow, "Open, update or close the issue"),
      programs: { gh: `if [ "$1" = api ]; then echo "${found}"; fi` },
      files: { "issue.md": "<!-- compute-preview: drift acme/shop/dev -->\n", code: `${code}\n` },
      env: { STACK: "acme/shop/dev", GH_REPO: "acme/shop", RUN: "https://example/run" },
    });

  it("is looked for by the stack's own marker, among this workflow's open ones", () => {
    const { calls } = tell("27");
    expect(calls).toContain("gh api --paginate repos/acme/shop/issues?state=open&per_page=100 --jq ");
    const [, route] = /^gh api --paginate (\S+)/m.exec(calls)!;
    expect(objectionsTo({ method: "GET", route: route! })).toEqual([]);
    expect(calls).toContain('.user.login == "github-actions[bot]"');
    expect(calls).toContain('startswith("<!-- compute-preview: drift acme/shop/dev -->")');
  });

  it.each([
    ["is opened where there is none", "27", "", ["issues -f title=Computes of acme/shop/dev"]],
    ["is updated where there is one", "27", "42", ["issues/42 -F body=@issue.md"]],
    ["is updated where there are several, the newest", "27", "43\n42", ["issues/43 -F body=@issue.md"]],
    ["is closed if nothing differs", "0", "42", ["issues/42/comments -f body=", "issues/42 -f state=closed"]],
    ["is let be where there is none to close", "0", "", []],
  ])("%s", (...[, code, found, does]) => {
    const { status, calls } = tell(code, found);
    const [, ...written] = calls.trim().split("\n");
    expect(status).toBe(0);
    expect(written).toEqual(does.map((one) => expect.stringContaining(`repos/acme/shop/${one}`) as string));
  });
});
