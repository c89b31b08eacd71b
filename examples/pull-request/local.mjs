/**
 * Does on this machine what the workflows do: brings up the three stacks of index.ts on the local control plane, with
 * eight computes, makes the change of a pull request, and prints the one comment that the pull request would get. It posts
 * nothing, and does not apply the change.
 *
 *   node examples/pull-request/local.mjs [options of compute-preview, such as --fail-on drop]
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, "../..");
const results = path.join(root, ".local", "pull-request");
const previews = path.join(results, "previews");
const computePreview = path.join(root, "dist", "preview", "main.js");
const { env, argv, execPath } = process;

// A command that `npm run local` runs has an engine, a control plane and a state of its own.
const isLocal = env["COMPUTE_BASE_URL"]?.startsWith("http://127.0.0.1:") && env["PULUMI_STACK"] === "local";

/** The configuration that each stack starts from, and what the pull request changes in it. */
const stacks = {
  dev: { starts: { reports: false }, becomes: () => ({ suspendSeconds: 900 }) },
  staging: { starts: {}, becomes: () => ({ suspendSeconds: 900, appCu: 0.5 }) },
  prod: {
    starts: {},
    becomes: ({ appBranchId }) => ({ suspendSeconds: 900, appCu: 1, jobsBranchId: appBranchId }),
  },
};

process.exitCode = isLocal ? await previewChange() : runUnderLocal();

function runUnderLocal() {
  const bootstrap = path.join(root, "tools", "bootstrap.js");
  const command = [bootstrap, "local", execPath, fileURLToPath(import.meta.url), ...argv.slice(2)];
  return spawnSync(execPath, command, { stdio: "inherit" }).status ?? 1;
}

async function previewChange() {
  rmSync(previews, { recursive: true, force: true });
  mkdirSync(previews, { recursive: true });
  const ids = {};
  for (const stack of Object.keys(stacks)) ids[stack] = await projectIds(`pull-request-${stack}`);
  for (const [stack, { starts }] of Object.entries(stacks)) bringUp(stack, { ...ids[stack], ...starts });
  // The commands blocked this process: give it time to notice that the control plane closed an idle connection.
  await setTimeout(200);
  for (const { projectId } of Object.values(ids)) await connectClients(projectId);
  for (const [stack, { becomes }] of Object.entries(stacks)) previewStack(stack, becomes(ids[stack]));
  return report();
}

function bringUp(stack, config) {
  env["PULUMI_STACK"] = stack;
  // Selects the stack if it already exists.
  pulumi(["stack", "select", "--create", stack]);
  setConfig(config);
  say(`Before the pull request, in ${stack}: pulumi up`);
  pulumi(["up", "--yes", "--skip-preview", "--suppress-progress", "--suppress-outputs"]);
}

function previewStack(stack, change) {
  env["PULUMI_STACK"] = stack;
  say(`The pull request, in ${stack}: pulumi preview with a new ${Object.keys(change).join(", ")}`);
  const changed = path.join(results, `changed.${stack}.yaml`);
  copyFileSync(path.join(here, `Pulumi.${stack}.yaml`), changed);
  setConfig(change, ["--config-file", changed]);
  // The preview may fail, for example because of a forbidden interruption: the report then says so.
  const preview = ["pulumi", "preview", "--non-interactive", "--config-file", changed];
  const saving = [computePreview, "--save", path.join(previews, `${stack}.ndjson`), "--", ...preview];
  spawnSync(execPath, saving, { cwd: here, env, stdio: ["ignore", 2, 2] });
}

function setConfig(values, options = []) {
  const pairs = Object.entries(values).flatMap(([key, value]) => ["--plaintext", `${key}=${value}`]);
  pulumi(["config", "set-all", ...pairs, ...options]);
}

function report() {
  const args = [computePreview, previews, ...argv.slice(2)];
  const ran = spawnSync(execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const comment = path.join(results, "comment.md");
  writeFileSync(comment, ran.stdout);
  say(`The comment, also in ${path.relative(process.cwd(), comment)} (a Markdown viewer renders it):`);
  process.stdout.write(`\n${ran.stdout}`);
  say(`compute-preview ended with exit code ${ran.status}`);
  return ran.status ?? 1;
}

/** Makes a project and its branches, which no stack declares, through the control plane's own controls. */
async function projectIds(projectName) {
  const named = (list, name) => list.find((candidate) => candidate.name === name);
  const { projects } = await control("projects");
  const project = named(projects, projectName) ?? (await control("projects", { name: projectName })).project;
  const route = `projects/${project.id}/branches`;
  const { branches } = await control(route);
  const branchId = async (name) =>
    (named(branches, name) ?? (await control(route, { name, compute: false })).branch).id;
  return {
    projectId: project.id,
    appBranchId: await branchId("app"),
    jobsBranchId: await branchId("jobs"),
  };
}

/** Gives every compute a client: a compute that nobody uses goes idle, and then no connection would drop. */
async function connectClients(projectId) {
  const { endpoints } = await control(`projects/${projectId}/endpoints`);
  for (const { endpoint } of endpoints) await control(`endpoints/${endpoint.id}/connections`, {});
}

async function control(route, body) {
  const response = await globalThis.fetch(`${env["COMPUTE_BASE_URL"]}/_emulator/${route}`, {
    ...(body && { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json" },
  });
  if (!response.ok) throw new Error(`Preparing the project: ${route} answered ${response.status}.`);
  return response.json();
}

/** Pulumi's messages go to stderr: stdout contains only the comment, for a pipe. */
function pulumi(args) {
  const ran = spawnSync("pulumi", args, { cwd: here, env, stdio: ["ignore", 2, 2] });
  if (ran.error) throw ran.error;
  if (ran.status !== 0)
    throw new Error(`\`pulumi ${args.join(" ")}\` ended with exit code ${ran.status}, see above.`);
}

function say(text) {
  process.stderr.write(`\n${text}\n`);
}
