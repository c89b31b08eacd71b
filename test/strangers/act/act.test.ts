/**
 * The workflows of docs/action.md, run by nektos/act on this machine, without containers: two projects with a stack `dev` each in
 * one repository. `actions/` has what stands in for the actions of others; GitHub is a stand-in that knows GitHub's OpenAPI.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { goProgram } from "../../support/preparing";
import { npmInstall, packedOutside, writeFiles } from "../../support/packed";
import { createStack, pulumiIn, run, type TestStack } from "../../support/stack";
import { startGitHub, type FakeGitHub } from "../../unit/action/codeHosts";
import { pull } from "../../unit/action/runner";

const checkout = path.join(__dirname, "..", "..", "..");
const textOf = (file: string): string => readFileSync(path.join(checkout, file), "utf8");
const projects = ["shop", "blog"] as const;
type Project = (typeof projects)[number];
const { devDependencies } = JSON.parse(textOf("package.json")) as { devDependencies: Record<string, string> };

const outside = packedOutside();
let repository: string;
let service: TestStack;
let github: FakeGitHub;
let branchIds: Record<Project, string>;

beforeAll(async () => {
  repository = path.join(outside.folder, "repository");
  github = await startGitHub();
  github.repository.pulls.push(pull);
  service = await createStack();
  const [shop, blog] = projects.map((name) =>
    service.emulator.createBranch(service.projectId, { name, compute: false }),
  );
  branchIds = { shop: shop!.branch.id, blog: blog!.branch.id };
  for (const name of projects) {
    const project = path.join(repository, name);
    writeFiles(project, {
      "package.json": JSON.stringify({ name, private: true }),
      "Pulumi.yaml": `name: ${name}\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.js\n`,
    });
    declare(name, "...fixedSize(0.25)");
    const sdk = `@pulumi/pulumi@${devDependencies["@pulumi/pulumi"]!}`;
    await npmInstall(project, outside.tarball, sdk, "--package-lock-only");
    await pulumiIn(project, service.environment).ok(["stack", "init", "dev"]);
  }
  for (const name of ["preview", "update", "drift"])
    writeFiles(path.join(repository, ".github/workflows"), { [`${name}.yml`]: callerOf(`compute-${name}`) });
  const git = (...words: readonly string[]): unknown => spawnSync("git", words, { cwd: repository });
  git("init", "--initial-branch", "main");
  git("remote", "add", "origin", "https://github.com/acme/shop.git");
  git("add", "--all");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--message", "Two projects");
  usePrograms();
});

afterAll(async () => {
  await service.close();
  await github.close();
});

afterEach(() => {
  expect(github.repository.objections).toEqual([]);
});

function declare(name: Project, settings: string): void {
  writeFileSync(
    path.join(repository, name, "index.js"),
    `const { Endpoint, fixedSize } = require("pulumi-compute-endpoint");
new Endpoint("app", { projectId: "${service.projectId}", branchId: "${branchIds[name]}", ${settings} });\n`,
  );
}

function computeOf(name: Project): ReturnType<TestStack["emulator"]["endpoint"]>["endpoint"] {
  const found = service.emulator
    .endpoints(service.projectId)
    .filter(({ endpoint }) => endpoint.branch_id === branchIds[name]);
  expect(found).toHaveLength(1);
  return found[0]!.endpoint;
}

/** The lines of docs/action.md, once for each project, with a backend in place of Pulumi Cloud. */
function callerOf(workflow: string): string {
  const blocks = [...textOf("docs/action.md").matchAll(/```yaml\n([^]*?)```/g)].map(([, text]) => text!);
  const [head, job] = blocks.find((text) => text.includes(`/${workflow}.yml@`))!.split("  computes:\n");
  const jobs = projects.map(
    (name) => `  ${name}:\n${job!.replace(/stacks: .*/, `stacks: '["dev"]'\n      folder: ${name}`)}`,
  );
  return `${head!}${jobs.join("")}`
    .replaceAll(/base-url: .*/g, `base-url: ${service.emulator.url}`)
    .replaceAll("fail-on: delete,replace", "fail-on: restart")
    .replaceAll(
      /( +)pulumi-access-token: .*/g,
      "$1pulumi-backend-url: ${{ secrets.BACKEND }}\n$1pulumi-config-passphrase: ${{ secrets.PASSPHRASE }}",
    );
}

/** The real `gh`, which takes a server on this machine for GitHub if it is reached through a proxy. */
function usePrograms(): void {
  const { status, stdout } = spawnSync("which", ["gh"], { encoding: "utf8" });
  if (status !== 0) throw new Error("There is no `gh` on PATH, GitHub's command line: install it.");
  const bin = path.join(outside.folder, "bin");
  writeFiles(bin, {
    gh: `#!/bin/sh\nGH_HOST=github.localhost HTTP_PROXY=${github.url} exec ${stdout.trim()} "$@"\n`,
  });
  chmodSync(path.join(bin, "gh"), 0o755);
}

interface Run {
  readonly payload?: object;
  readonly hasSecrets?: boolean;
}

/** @returns how each job ended: `shop/report` → success. */
async function act(
  workflow: "preview" | "update" | "drift",
  event: string,
  { payload = {}, hasSecrets = true }: Run = {},
): Promise<Readonly<Record<string, string>>> {
  const executable = await goProgram({ name: "act", source: "github.com/nektos/act", version: "0.2.89" });
  const place = mkdtempSync(path.join(outside.folder, "run-"));
  writeFiles(place, { "event.json": JSON.stringify(payload) });
  mkdirSync(path.join(place, "artifacts"));
  const { COMPUTE_API_KEY: key, PULUMI_BACKEND_URL: backend, ...env } = service.environment;
  const secrets = { COMPUTE_API_KEY: key, BACKEND: backend, PASSPHRASE: "local" };
  const { output } = await run(
    executable,
    [
      ...[event, "--workflows", `.github/workflows/${workflow}.yml`, "--eventpath", `${place}/event.json`],
      ...["--platform", "ubuntu-24.04=-self-hosted", "--action-cache-path", `${place}/cache`],
      // One at a time: two that look up a local repository at once end act.
      ...["--concurrent-jobs", "1"],
      ...["--json", "--rm", "--no-cache-server", "--env", `GITHUB_API_URL=${github.url}`],
      ...["--local-repository", `OWNER/pulumi-compute-endpoint@v0=${checkout}`],
      ...actionsOf(workflow).flatMap((action) => ["--local-repository", `${action}=${standInOf(action)}`]),
      ...Object.entries({ GITHUB_TOKEN: "the-token", ...(hasSecrets && secrets) }).flatMap(
        ([name, value]) => ["--secret", `${name}=${value!}`],
      ),
    ],
    {
      cwd: repository,
      env: {
        ...env,
        PATH: [path.join(outside.folder, "bin"), env["PATH"]].join(path.delimiter),
        THE_PACKAGE: checkout,
        THE_ARTIFACTS: path.join(place, "artifacts"),
      },
    },
  );
  const lines = output.split("\n").filter((line) => line.startsWith("{"));
  const told = lines.map((line) => JSON.parse(line) as { job?: string; jobResult?: string; msg: string });
  const jobs = told.flatMap(({ job = "", jobResult }) =>
    jobResult ? [[job.replace(/compute-\w+\//, "").trim(), jobResult]] : [],
  );
  if (jobs.length === 0) throw new Error(`act ran no job: ${output}`);
  return Object.fromEntries(jobs) as Record<string, string>;
}

/** As `uses` has them: `actions/checkout@…`. */
function actionsOf(workflow: string): readonly string[] {
  const uses = textOf(`.github/workflows/compute-${workflow}.yml`).matchAll(/uses: ([\w-]+\/[\w-]+@\w+)/g);
  return [...new Set([...uses].map(([, action]) => action!))];
}

function standInOf(action: string): string {
  const [, name = ""] = /^actions\/(checkout|upload-artifact|download-artifact)@/.exec(action) ?? [];
  return path.join(__dirname, "actions", name || "installed");
}

it("an update creates the compute of each project", async () => {
  const jobs = await act("update", "push");
  expect(jobs).toEqual({ "shop/update": "success", "blog/update": "success" });
  for (const name of projects) expect(computeOf(name).autoscaling_limit_max_cu).toBe(0.25);
});

describe("a pull request that restarts a compute of one project", () => {
  const event = { action: "synchronize", pull_request: pull };
  const heads = (): readonly string[] =>
    github.repository.comments.map(({ body }) => body.split("\n").slice(0, 3).join(" ")).sort();

  beforeAll(() => {
    declare("shop", "...fixedSize(1)");
    declare("blog", "...fixedSize(0.25), suspendTimeoutSeconds: 900");
  });

  it("gets a comment and a check for each project", async () => {
    const jobs = await act("preview", "pull_request", { payload: event });
    expect(jobs).toEqual({
      "shop/preview": "success",
      "shop/report": "failure",
      "blog/preview": "success",
      "blog/report": "success",
    });
    expect(heads()).toEqual([
      "<!-- compute-preview: blog -->  ### ✅ Passed: no compute drops its open connections",
      "<!-- compute-preview: shop -->  ### ⛔ Refused: 1 compute drops its open connections",
    ]);
  });

  it("keeps its two comments in the next run, from Dependabot and without secrets too", async () => {
    const payload = { ...event, pull_request: { ...pull, user: { login: "dependabot[bot]" } } };
    const jobs = await act("preview", "pull_request", { payload, hasSecrets: false });
    expect(jobs).toMatchObject({ "shop/report": "failure", "blog/report": "failure" });
    const unknown = "### ⚠️ Not known: there is no preview";
    expect(heads()).toEqual(["blog", "shop"].map((name) => `<!-- compute-preview: ${name} -->  ${unknown}`));
    for (const { body } of github.repository.comments)
      expect(body).toContain("GitHub gives Dependabot's pull requests only Dependabot's own secrets");
  });
});

describe("a compute that was changed outside its program", () => {
  const resize = (cu: number): unknown =>
    service.emulator.updateEndpoint(computeOf("shop").id, {
      autoscaling_limit_min_cu: cu,
      autoscaling_limit_max_cu: cu,
    });

  it("has one issue, which is closed when nothing differs any more", async () => {
    resize(2);
    const writes: (readonly string[])[] = [];
    for (const cu of [2, 4, 0.25]) {
      resize(cu);
      github.repository.requests.length = 0;
      const jobs = await act("drift", "schedule");
      expect(new Set(Object.values(jobs))).toEqual(new Set(["success"]));
      writes.push(github.repository.requests.filter((request) => !request.startsWith("GET ")));
    }
    expect(writes).toEqual([
      ["POST issues"],
      ["PATCH issues/101"],
      ["POST issues/101/comments", "PATCH issues/101"],
    ]);
    expect(github.repository.issues).toMatchObject([
      {
        title: "Computes of dev in shop changed outside their program",
        state: "closed",
        body: expect.stringContaining("0.25 → 4 CU") as string,
      },
    ]);
  });
});
