/**
 * The local stack: its configuration, and the project and branch that it uses.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { checkoutFolder, localFolder } from "./checkout";
import { exitCodeOf, runChild } from "./children";
import type { ControlPlaneSession } from "./controlPlane/session";
import { isolatedStackVariables, withEngine } from "./engine/environment";
import type { Engine } from "./engine/engine";
import { ExpectedError } from "./expectedError";
import { resourceNames } from "./resourceNames";

const stackName = "local";
const projectName = "compute-quickstart";

/** The stack's configuration, where the root Pulumi.yaml has it. */
export const stackConfigFile: string = path.join(localFolder, `Pulumi.${stackName}.yaml`);

/** Everything that a command needs to work on the local stack, over the caller's own variables. */
export function localEnvironment(engine: Engine, controlPlane: ControlPlaneSession): NodeJS.ProcessEnv {
  return {
    ...withEngine(engine, process.env),
    ...isolatedStackVariables(localFolder),
    PULUMI_STACK: stackName,
    COMPUTE_BASE_URL: controlPlane.url,
    COMPUTE_API_KEY: controlPlane.apiKey,
  };
}

/** Makes sure that the stack exists, and that its configuration names a project and a branch of the control plane. */
export async function prepareLocalStack(
  env: NodeJS.ProcessEnv,
  controlPlane: ControlPlaneSession,
): Promise<void> {
  mkdirSync(localFolder, { recursive: true });
  const ids = await quickstartIds(controlPlane.url);
  if (!existsSync(path.join(localFolder, "state/.pulumi/stacks", projectName, `${stackName}.json`))) {
    await pulumi(["stack", "init", stackName], env);
  }
  const config = existsSync(stackConfigFile) ? readFileSync(stackConfigFile, "utf8") : "";
  if (Object.values(ids).every((id) => config.includes(id))) return;
  const values = Object.entries(ids).flatMap(([key, id]) => ["--plaintext", `${key}=${id}`]);
  await pulumi(["config", "set-all", ...values], env);
}

/** A project on the control plane with two branches: the default one, which has a primary compute, and one without. */
async function quickstartIds(
  url: string,
): Promise<Record<"projectId" | "defaultBranchId" | "branchId", string>> {
  const named = <T extends { name: string }>(list: readonly T[], name: string): T | undefined =>
    list.find((candidate) => candidate.name === name);

  const { projects } = await control<{ projects: Project[] }>(url, "projects");
  const project =
    named(projects, "quickstart") ??
    (await control<{ project: Project }>(url, "projects", { name: "quickstart" })).project;
  const branchesPath = `projects/${project.id}/branches`;
  const { branches } = await control<{ branches: Branch[] }>(url, branchesPath);
  const branch =
    named(branches, "preview") ??
    (await control<{ branch: Branch }>(url, branchesPath, { name: "preview", compute: false })).branch;
  return { projectId: project.id, defaultBranchId: project.default_branch_id, branchId: branch.id };
}

interface Project {
  readonly id: string;
  readonly name: string;
  readonly default_branch_id: string;
}

interface Branch {
  readonly id: string;
  readonly name: string;
}

/** Asks the control plane what no interface offers: to make a project or a branch. */
export async function control<T>(url: string, route: string, body?: object): Promise<T> {
  const response = await fetch(`${url}/_emulator/${route}`, {
    ...(body && { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json" },
  });
  if (!response.ok) {
    throw new ExpectedError(`Preparing the local project: ${route} answered ${response.status}.`);
  }
  return (await response.json()) as T;
}

/** Tells the control plane which resources declare its computes, as the stacks' states have it now. */
export async function tellResourceNames({ url }: Pick<ControlPlaneSession, "url">): Promise<void> {
  await control(url, "resources", resourceNames());
}

/** What it prints is ours to tell about, so it goes to stderr. */
async function pulumi(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const ended = await runChild("pulumi", args, { cwd: checkoutFolder, env, stdio: ["ignore", 2, 2] });
  const code = exitCodeOf(ended);
  if (code !== 0) {
    throw new ExpectedError(
      `Preparing the local stack: \`pulumi ${args.join(" ")}\` ended with ${code}, see above. ` +
        "To start over, remove the folder .local.",
    );
  }
}
