/** The workflows that other repositories call, and the lines that docs/action.md has for them. */
import { givenIn } from "../../../provider/settings/sources";
import type { Setting } from "../../../provider/settings/table";
import { objectionsTo } from "../action/openApi";
import { actionFile, parseYaml } from "../action/runner";
import { onLinux, runStep, scriptOf, type StepResult } from "../preview/workflows";
import { textOf } from "./checkout";

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly uses?: string;
    readonly with?: Readonly<Record<string, string>>;
    readonly env?: Readonly<Record<string, string>>;
  }[];
}

type Called = Readonly<Record<string, { readonly required?: boolean }>>;

interface Workflow {
  readonly on: { readonly workflow_call: { readonly inputs: Called; readonly secrets: Called } };
  readonly jobs: Readonly<Record<string, Job>>;
}

const names = ["compute-preview", "compute-update", "compute-drift"] as const;
const fileOf = (name: string): string => `.github/workflows/${name}.yml`;
const parsed = (name: string): Workflow => parseYaml(fileOf(name)) as Workflow;

describe.each(names)("%s", (name) => {
  const { jobs } = parsed(name);
  const parts = textOf(fileOf(name)).split(/^ {2}(?=[\w-]+:$)/m);
  const partOf = (job: string): string => parts.find((part) => part.startsWith(`${job}:`))!;

  it("takes one account for all stacks, or leaves it to each stack", () => {
    const { inputs, secrets } = parsed(name).on.workflow_call;
    const required = Object.entries({ ...inputs, ...secrets }).filter(([, { required }]) => required);
    expect(required.map(([key]) => key)).toEqual(["stacks"]);
    const given = Object.values(jobs).flatMap(({ steps }) => steps.map(({ env = {} }) => env));
    // Without the two, both variables are empty: the provider takes those as not set.
    expect(given.filter((env) => "COMPUTE_API_KEY" in env)).toMatchObject([
      { COMPUTE_API_KEY: "${{ secrets.api-key }}", COMPUTE_BASE_URL: "${{ inputs.base-url }}" },
    ]);
    const environment = ({ variable }: Setting): string | undefined =>
      ({ COMPUTE_API_KEY: "", COMPUTE_BASE_URL: "" })[variable];
    const stack = ({ name }: Setting): string => `the stack's ${name}`;
    for (const setting of ["apiKey", "baseUrl"] as const)
      expect(givenIn({ environment, stack }, setting)).toEqual({
        text: `the stack's ${setting}`,
        place: "stack",
      });
  });

  it("gives the keys to a job that may read, and what may write to one without keys", () => {
    const withKeys = Object.keys(jobs).filter((job) => partOf(job).includes("secrets."));
    expect(withKeys).toHaveLength(1);
    for (const [job, { permissions }] of Object.entries(jobs)) {
      if (withKeys.includes(job)) expect(permissions).toEqual({ contents: "read" });
      else expect(partOf(job)).not.toMatch(/secrets\.|npm|npx|inputs\.install/);
    }
  });

  it("may be called twice in one run: folders tell the calls apart", () => {
    const text = textOf(fileOf(name));
    const groups = [...text.matchAll(/group: (.*)/g)].map(([, group]) => group!);
    expect(groups.length).toBeGreaterThan(0);
    for (const group of groups) expect(group).toMatch(/inputs\.folder \}\}.*matrix\.stack/);
    const artifacts = [...text.matchAll(/(?:name|pattern): (compute-(?:preview|drift)-.*)/g)];
    for (const [, artifact] of artifacts) expect(artifact).toContain("steps.call.outputs.id");
    expect(artifacts).toHaveLength(name === "compute-update" ? 0 : 2);
  });

  it("runs the Action of its own commit, with inputs that there are", () => {
    const own = Object.values(jobs).flatMap(({ steps }) =>
      steps.filter(({ uses, env }) =>
        [uses, env?.["COMMAND"]].some((one) => one?.includes("/.compute-preview")),
      ),
    );
    expect(own).toHaveLength(name === "compute-update" ? 0 : 1);
    for (const { with: inputs = {} } of own)
      expect(Object.keys(actionFile.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
    expect(textOf(fileOf(name)).split("ref: ${{ job.workflow_sha }}")).toHaveLength(own.length + 1);
    expect(textOf(fileOf(name))).not.toContain("OWNER");
  });

  it("installs without install scripts", () => {
    expect(textOf(fileOf(name))).toContain("default: npm ci --ignore-scripts\n");
  });
});

describe("what docs/action.md has a repository write", () => {
  const callers = [...textOf("docs/action.md").matchAll(/```yaml\n([^]*?)```/g)]
    .map(([, text]) => text!)
    .filter((text) => text.includes("/.github/workflows/compute-"));

  it.each([
    ["compute-preview", "pull-request/workflow.yml"],
    ["compute-update", "pull-request/update.yml"],
    ["compute-drift", "drift/workflow.yml"],
  ])("is that of the examples: %s", (name, example) => {
    expect(callers).toContain(textOf(`examples/${example}`));
    expect(textOf(`examples/${example}`)).toContain(`${name}.yml@v0`);
  });

  it("is there for each of them, in fifteen lines or fewer", () => {
    const called = callers.map((text) => /workflows\/([\w-]+)\.yml@v0/.exec(text)?.[1]);
    expect(called.slice(0, 3).sort()).toEqual([...names].sort());
    for (const text of callers) expect(text.trim().split("\n").length).toBeLessThanOrEqual(15);
  });

  it.each(names)("gives %s what it requires, and nothing that it does not take", (name) => {
    const { inputs, secrets } = parsed(name).on.workflow_call;
    const text = callers.find((one) => one.includes(`${name}.yml@`))!;
    const given = (block: string): string[] => {
      const [, body = ""] = new RegExp(` {4}${block}:\\n((?: {6}.*\\n)+)`).exec(text) ?? [];
      return [...body.matchAll(/^ {6}([\w-]+):/gm)].map(([, key]) => key!);
    };
    for (const [block, known] of [
      ["with", inputs],
      ["secrets", secrets],
    ] as const) {
      const required = Object.keys(known).filter((key) => known[key]!.required === true);
      expect(given(block)).toEqual(expect.arrayContaining(required));
      expect(Object.keys(known)).toEqual(expect.arrayContaining(given(block)));
    }
  });

  it.each([
    { name: "compute-preview", writes: ["pull-requests"] },
    { name: "compute-update", writes: [] },
    { name: "compute-drift", writes: ["issues"] },
  ])("grants $name what its jobs ask for", ({ name, writes }) => {
    const text = callers.find((one) => one.includes(`${name}.yml@`))!;
    const [, granted = ""] = /^permissions: \{(.*)\}$/m.exec(text) ?? [];
    const all = granted.split(",").map((one) => one.trim().split(": ") as [string, string]);
    expect(all.filter(([, right]) => right === "write").map(([scope]) => scope)).toEqual(writes);
    const asked = Object.values(parsed(name).jobs).flatMap(({ permissions = {} }) =>
      Object.entries(permissions),
    );
    for (const [scope, right] of asked) expect(all).toContainEqual([scope, right]);
  });
});

onLinux("their steps", () => {
  const env = {
    STACK: "acme/shop/dev",
    COMMAND: "bundle.js",
    GITHUB_EVENT_PATH: "event.json",
    COMPUTE_API_KEY: "k",
  };
  const run = (name: string, step: string, programs: Readonly<Record<string, string>>): StepResult =>
    runStep({
      script: `${step === "Judge" ? "mkdir out\n" : ""}export PREVIEWS="$PWD/out" RESULT="$PWD/out"\ntrap 'echo out/* > "$GITHUB_OUTPUT"' EXIT\n${scriptOf(fileOf(name), step)}`,
      programs,
      env,
    });

  const previews =
    /pulumi preview --json --event-log \S+\/out\/acme\.shop\.dev\.ndjson --non-interactive --stack acme\/shop\/dev/;
  it.each([
    ["compute-preview", "Preview", 0, "out/acme.shop.dev.lines.json out/acme.shop.dev.ndjson", previews],
    ["compute-preview", "Preview", 1, "out/acme.shop.dev.lines.json out/acme.shop.dev.ndjson", previews],
    ["compute-drift", "Look", 0, "out/drift.json", /pulumi refresh --preview-only/],
    ["compute-drift", "Look", 255, "out/drift.json", /pulumi refresh --preview-only/],
  ])("leave what %s has seen where its step %s ends with %d", (...[name, step, code, left, called]) => {
    const { status, calls, outputs } = run(name, step, { pulumi: `echo '{}'; exit ${code}` });
    expect({ status, outputs }).toEqual({ status: 0, outputs: `${left}\n` });
    expect(calls).toMatch(called);
  });

  it("leave an empty preview of a stack that has none, which no report takes for an all-clear", () => {
    const { status, outputs } = runStep({
      script: [
        "mkdir -p previews/compute-preview-0",
        "echo '{}' > previews/compute-preview-0/acme.shop.dev.ndjson",
        scriptOf(fileOf("compute-preview"), "Name what is missing"),
        'find previews -type f -size -1 > "$GITHUB_OUTPUT"',
      ].join("\n"),
      programs: { jq: "cat > /dev/null; printf 'acme/shop/dev\\nacme/shop/prod\\n'" },
      env: {},
    });
    expect({ status, outputs }).toEqual({ status: 0, outputs: "previews/acme.shop.prod.ndjson\n" });
    // The folder that the report is about.
    expect(parsed("compute-preview").jobs["report"]!.steps.at(-1)!.with!["previews"]).toBe("previews");
  });

  it.each([
    { code: 0, status: 0 },
    { code: 27, status: 0 },
    { code: 4, status: 4 },
  ])("pass a drift of $code on as $status", ({ code, status }) => {
    const ran = run("compute-drift", "Judge", { node: `exit ${code}` });
    expect(ran.status).toBe(status);
    expect(ran.calls).toMatch(
      /^node bundle\.js preview \S+\/out\/drift\.json --marker drift acme\/shop\/dev --fail-on drift$/m,
    );
    expect(ran.outputs).toBe("out/code out/issue.md\n");
  });

  it("name the artifacts of two calls in one run apart", () => {
    const script = scriptOf(fileOf("compute-preview"), "Name the artifacts");
    const [shop, blog] = ["shop", "blog"].map(
      (folder) => runStep({ script, programs: {}, env: { CALL: `${folder}  ["dev"] ` } }).outputs,
    );
    expect(shop).toMatch(/^id=[0-9a-f]{12}\n$/);
    expect(shop).not.toBe(blog);
  });
});

onLinux("the issue of compute-drift", () => {
  const tell = (code: string, found = ""): StepResult =>
    runStep({
      script: scriptOf(fileOf("compute-drift"), "Open, update or close the issue"),
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
    ["is made where there is none", "v0.1.0", [moved, made], ["v0.1.0"], false],
    ["stays for a release of an older line", "v0.9.2", []],
    ["stays for a prerelease", "v0.11.0-rc.1", []],
  ])("%s", (...[, version, does, tags = line, isThere]) => {
    const { status, calls } = move(version, tags, isThere);
    expect(status).toBe(0);
    const asked = calls.trim().split("\n");
    expect(asked.filter((call) => !call.includes("matching-refs"))).toEqual(
      does.map((words) => `gh api ${words}`),
    );
  });
});
