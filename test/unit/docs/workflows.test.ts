/** The workflows that other repositories call, the lines that docs/pull-requests.md has for them, and the release. */
import { onLinux, parseYaml, runStep, scriptOf, type StepResult } from "../action/runner";
import path from "node:path";
import { root, textOf } from "./checkout";

interface Job {
  readonly if?: string;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly with?: Readonly<Record<string, string>> }[];
}

interface Workflow {
  readonly jobs: Readonly<Record<string, Job>>;
}

const fileOf = (name: string): string => `.github/workflows/${name}.yml`;
const parsed = (name: string): Workflow => parseYaml(fileOf(name)) as Workflow;

// test/engine/linters.test.ts runs actionlint and zizmor on them.
describe.each(["compute-preview", "compute-update", "compute-drift"])("%s", (name) => {
  it("gives the secrets only to a job that can only read, and runs no npm package in the other jobs", () => {
    const { jobs } = parsed(name);
    const parts = textOf(fileOf(name)).split(/^ {2}(?=[\w-]+:$)/m);
    // These URLs belong to the other job: the code of a pull request must not see them.
    const urls = "connection-urls: ${{ secrets.connection-urls }}";
    expect(parts.filter((part) => part.includes(urls)).map((part) => part.split(":")[0])).toEqual(
      name === "compute-preview" ? ["report"] : [],
    );
    const partOf = (job: string): string =>
      parts.find((part) => part.startsWith(`${job}:`))!.replace(urls, "");
    const withKeys = Object.keys(jobs).filter((job) => partOf(job).includes("secrets."));
    expect(withKeys).toHaveLength(1);
    for (const [job, { permissions }] of Object.entries(jobs)) {
      if (withKeys.includes(job)) expect(permissions).toEqual({ contents: "read" });
      else expect(partOf(job)).not.toMatch(/secrets\.|npm|npx|inputs\.install/);
    }
    expect(textOf(fileOf(name))).toContain("default: npm ci --ignore-scripts\n");
  });
});

it.each(["compute-preview", "compute-drift"])(
  "a job of %s reads the artifacts that the other job of the same call left",
  (name) => {
    for (const each of [/(?<=(name|pattern): )compute-\w+-\$\{\{ \S+ \}\}/g, /(?<=CALL: ).*/g]) {
      const [left, taken] = textOf(fileOf(name)).match(each) as [string, string];
      expect(taken).toBe(left);
    }
  },
);

it("no event skips a job of the preview: GitHub counts a skipped check as passed", () => {
  const { preview, report } = parsed("compute-preview").jobs;
  expect([preview!.if, report!.if]).toEqual([undefined, "${{ always() }}"]);
});

it("a check without a preview passes only where no key was given", () => {
  const { preview, report } = parsed("compute-preview").jobs;
  const keys = ["api-key", "pulumi-access-token", "pulumi-config-passphrase"];
  const none = keys.map((key) => `secrets.${key} == ''`).join(" && ");
  expect(preview!.outputs).toEqual({ keyless: `\${{ ${none} }}` });
  const passes = "needs.preview.outputs.keyless == 'true' && inputs.without-secrets || 'fail'";
  expect(report!.steps.at(-1)!.with!["without-secrets"]).toBe(`\${{ ${passes} }}`);
});

describe("the workflow that docs/pull-requests.md tells a repository to add", () => {
  const callers = [...textOf("docs/pull-requests.md").matchAll(/```yaml\n([^]*?)```/g)].map(
    ([, text]) => text!,
  );

  it.each([
    { name: "compute-preview", example: "pull-request/workflow.yml", writes: ["pull-requests"] },
    { name: "compute-update", example: "pull-request/update.yml", writes: [] },
    { name: "compute-drift", example: "drift/workflow.yml", writes: ["issues"] },
  ])("is the one in examples/, and grants $name what its jobs need", ({ name, example, writes }) => {
    const text = callers.find((one) => one.includes(`/.github/workflows/${name}.yml@v0`))!;
    expect(textOf(`examples/${example}`)).toBe(text);
    const [, granted = ""] = /^permissions: \{(.*)\}$/m.exec(text) ?? [];
    const all = granted.split(",").map((one) => one.trim().split(": ") as [string, string]);
    expect(all.filter(([, right]) => right === "write").map(([scope]) => scope)).toEqual(writes);
    const asked = Object.values(parsed(name).jobs).flatMap(({ permissions = {} }) =>
      Object.entries(permissions),
    );
    for (const [scope, right] of asked) expect(all).toContainEqual([scope, right]);
  });
});

it("the release publishes only tested files, uses no npm token, and attests the files before it publishes them on GitHub", () => {
  const text = textOf(fileOf("release"));
  const job = (name: string): string =>
    new RegExp(`\\n  ${name}:\\n((?: {4,}.*\\n|\\n| {2,}#.*\\n)+)`).exec(text)![1]!;
  expect(job("sign")).toContain("needs: files");
  expect(job("start")).toContain("needs: sign");
  expect(job("npm")).toContain("needs: [test, start]");
  expect(text).not.toMatch(/NODE_AUTH_TOKEN|NPM_TOKEN/);
  for (const name of ["npm", "github"]) {
    expect(job(name)).toContain("id-token: write");
    expect(job(name)).not.toMatch(/checkout|npm (ci|install|run)|secrets\./);
    expect(job(name)).toContain("sha256sum --check --strict SHA256SUMS");
  }
  const attests = job("github").indexOf("uses: actions/attest-build-provenance@");
  expect(attests).toBeGreaterThan(0);
  expect(attests).toBeLessThan(job("github").indexOf("gh release create"));
});

onLinux("the steps of the workflows", () => {
  const env = {
    STACK: "acme/shop/dev",
    COMMAND: "bundle.js",
    GITHUB_EVENT_PATH: "event.json",
    COMPUTE_API_KEY: "k",
  };
  const run = (
    name: string,
    step: string,
    { command = env.COMMAND, ...programs }: Readonly<Record<string, string>>,
  ): StepResult =>
    runStep({
      script: `${step === "Judge" ? "mkdir out\n" : ""}export PREVIEWS="$PWD/out" RESULT="$PWD/out"\ntrap 'echo out/* > "$GITHUB_OUTPUT"' EXIT\n${scriptOf(fileOf(name), step)}`,
      programs,
      env: { ...env, COMMAND: command },
    });

  const previews = "pulumi preview --non-interactive --stack acme/shop/dev --json --event-log ";
  const refreshes =
    "pulumi refresh --preview-only --non-interactive --stack acme/shop/dev --json --event-log ";
  it.each([
    ["compute-preview", "Preview", 1, "out/acme@shop@dev.lines.json out/acme@shop@dev.ndjson", previews],
    ["compute-drift", "Look", 255, "out/drift.lines.json out/drift.ndjson", refreshes],
  ])("keep the output of %s even if its step %s ends with %d", (...row) => {
    const [name, step, code, left, called] = row;
    const pulumi = [
      `for word; do [ "$before" != --event-log ] || echo '{"sequence":1,"summaryEvent":{}}' > "$word"; before="$word"; done`,
      `echo '{"steps":[],"changeSummary":{}}'; exit ${code}`,
    ].join("\n");
    const { status, calls, outputs } = run(name, step, {
      pulumi,
      command: path.join(root, "action/bundle.js"),
    });
    expect({ status, outputs }).toEqual({ status: 0, outputs: `${left}\n` });
    expect(calls).toContain(called);
  });

  it("write an empty file for each stack without a preview, so that the report does not say that all is well", () => {
    const { status, outputs } = runStep({
      script: [
        "mkdir -p previews/compute-preview-0",
        "echo '{}' > previews/compute-preview-0/acme@shop@dev.ndjson",
        scriptOf(fileOf("compute-preview"), "Name what is missing"),
        'find previews -type f -size -1 > "$GITHUB_OUTPUT"',
      ].join("\n"),
      programs: { jq: "cat > /dev/null; printf 'acme/shop/dev\\nacme/shop.dev\\nacme/shop/prod\\n'" },
      env: {},
    });
    expect(status).toBe(0);
    expect(outputs.trim().split("\n").sort()).toEqual([
      "previews/acme@shop.dev.ndjson",
      "previews/acme@shop@prod.ndjson",
    ]);
    // The report reads this folder.
    expect(parsed("compute-preview").jobs["report"]!.steps.at(-1)!.with!["previews"]).toBe("previews");
  });

  it.each([
    { code: 0, status: 0 },
    { code: 27, status: 0 },
    { code: 4, status: 4 },
  ])("end with $status where the drift check ends with $code", ({ code, status }) => {
    const ran = run("compute-drift", "Judge", { node: `exit ${code}` });
    expect(ran.status).toBe(status);
    expect(ran.calls).toMatch(
      /^node bundle\.js preview \S+\/out\/drift\.ndjson --marker drift acme\/shop\/dev --fail-on drift$/m,
    );
    expect(ran.outputs).toBe("out/code out/issue.md\n");
  });

  const issues = "repos/acme/shop/issues";
  const title = "title=Computes of acme/shop/dev changed outside their program";
  const ends = "body=No compute differs from the program's state any more: RUN";
  it.each<[reason: string, code: number, open: string, sends: readonly string[]]>([
    ["is opened", 27, "", [`${issues} -f ${title} -F body=@issue.md`]],
    ["is updated while it is open", 27, "101", [`--method PATCH ${issues}/101 -F body=@issue.md`]],
    [
      "is closed with a comment once nothing differs",
      0,
      "101",
      [`${issues}/101/comments -f ${ends}`, `--method PATCH ${issues}/101 -f state=closed`],
    ],
    ["is not opened where nothing differs", 0, "", []],
  ])("keep one issue for drift, which %s", (...[, code, open, sends]) => {
    const { status, calls } = runStep({
      script: `echo ${code} > code\n${scriptOf(fileOf("compute-drift"), "Open, update or close the issue")}`,
      programs: { gh: `case "$*" in *--paginate*) echo "${open}" ;; esac` },
      env: { STACK: "acme/shop/dev", GH_REPO: "acme/shop", RUN: "RUN" },
    });
    expect(status).toBe(0);
    const [listed, ...sent] = calls.trim().split("\n");
    expect(listed).toMatch(
      /issues\?state=open&per_page=100 .*"github-actions\[bot\]".*drift acme\/shop\/dev -->/,
    );
    expect(sent).toEqual(sends.map((words) => `gh api --silent ${words}`));
  });
});

onLinux("the major tag", () => {
  const move = (version: string, tags: readonly string[], isThere = true): StepResult =>
    runStep({
      script: scriptOf(".github/workflows/release.yml", "Move the major tag"),
      programs: {
        gh: [
          `case "$*" in`,
          `*matching-refs*) printf 'refs/tags/%s\\n' ${tags.join(" ")} ;;`,
          `*PATCH*) exit ${isThere ? 0 : 1} ;;`,
          "esac",
        ].join("\n"),
      },
      env: { VERSION: version, GH_REPO: "acme/tool", GITHUB_SHA: "abc" },
    });
  const fields = "--raw-field sha=abc";
  const moved = `--method PATCH repos/acme/tool/git/refs/tags/v0 ${fields} --field force=true`;
  const made = `repos/acme/tool/git/refs --raw-field ref=refs/tags/v0 ${fields}`;
  const line = ["v0.9.2", "v0.10.0", "v0.11.0-rc.1"];

  it.each<[reason: string, version: string, does: string[], tags?: string[], isThere?: boolean]>([
    ["is moved to the newest version of its line", "v0.10.0", [moved]],
    ["is created if it does not exist", "v0.1.0", [moved, made], ["v0.1.0"], false],
    ["is not moved for a release of an older line", "v0.9.2", []],
    ["is not moved for a prerelease", "v0.11.0-rc.1", []],
  ])("%s", (...[, version, does, tags = line, isThere]) => {
    const { status, calls } = move(version, tags, isThere);
    expect(status).toBe(0);
    const asked = calls.trim().split("\n");
    expect(asked.filter((call) => !call.includes("matching-refs"))).toEqual(
      does.map((words) => `gh api ${words}`),
    );
  });
});
