/**
 * The local stack: its configuration, and the project and branch that it uses.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { checkoutFolder, localFolder } from "./checkout";
import { exitCodeOf, runChild } from "./children";
import type { ControlPlaneSession } from "./controlPlane/session";
import { inheritedEnvironment, isolatedStackVariables, withEngine } from "./engine/environment";
import type { Engine } from "./engine/engine";
import { ExpectedError } from "./expectedError";

const stackName = "local";
const projectName = "compute-quickstart";

/** The stack's configuration file, at the place that the root Pulumi.yaml names. */
export const stackConfigFile: string = path.join(localFolder, `Pulumi.${stackName}.yaml`);

/**
 * The variables that a command needs for a stack of this machine, added to the caller's own.
 *
 * @param stack - its name, and the folder for its state and the engine's home.
 */
export function localEnvironment(
  engine: Engine,
  { url, apiKey }: Readonly<Record<"url" | "apiKey", string>>,
  stack = { name: stackName, folder: localFolder },
): NodeJS.ProcessEnv {
  return {
    ...withEngine(engine, inheritedEnvironment()),
    ...isolatedStackVariables(stack.folder),
    PULUMI_STACK: stack.name,
    COMPUTE_BASE_URL: url,
    COMPUTE_API_KEY: apiKey,
  };
}

/** Makes sure that the stack exists, and that its configuration names a project and a branch of the control plane. */
export async function prepareLocalStack(
  env: NodeJS.ProcessEnv,
  controlPlane: ControlPlaneSession,
): Promise<void> {
  mkdirSync(localFolder, { recursive: true });
  const ids = await controlPlane.quickstart();
  if (!existsSync(path.join(localFolder, "state/.pulumi/stacks", projectName, `${stackName}.json`))) {
    await pulumi(["stack", "init", stackName], env);
  }
  const config = existsSync(stackConfigFile) ? readFileSync(stackConfigFile, "utf8") : "";
  if (Object.values(ids).every((id) => config.includes(id))) return;
  const values = Object.entries(ids).flatMap(([key, id]) => ["--plaintext", `${key}=${id}`]);
  await pulumi(["config", "set-all", ...values], env);
}

/** Runs a command whose output goes to stderr, since it is not the user's own command. */
async function pulumi(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const ended = await runChild("pulumi", args, { cwd: checkoutFolder, env, stdio: ["ignore", 2, 2] });
  const code = exitCodeOf(ended);
  if (code !== 0) {
    throw new ExpectedError(
      `Preparing the local stack: \`pulumi ${args.join(" ")}\` ended with exit code ${code}, see above. ` +
        "To start over, remove the folder .local.",
    );
  }
}
