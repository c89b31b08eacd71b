/**
 * `npm start`: a real stack on a control plane of this machine, and the preview of a change that restarts a compute.
 */
import { copyFileSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

import { checkoutFolder, localFolder } from "../checkout";
import { exitCodeOf, passSignalsOn, runChild } from "../children";
import { computesLine, titleOf } from "../connections";
import { withControlPlane, type ControlPlaneSession } from "../controlPlane/session";
import { ensureEngine } from "../engine/ensure";
import { localEnvironment, prepareLocalStack, stackConfigFile } from "../localStack";

export async function run(): Promise<number> {
  passSignalsOn();
  const engine = await ensureEngine();
  title(`Pulumi ${engine.version}, because ${engine.reason}`);
  return withControlPlane(async (controlPlane) => {
    title(`Control plane at ${controlPlane.url}; its data stays in .local/`);
    title(computesLine(controlPlane));
    const env = localEnvironment(engine, controlPlane);
    await prepareLocalStack(env, controlPlane);
    title("pulumi up");
    return (
      (await pulumi("up", ["--yes", "--suppress-progress"], env)) ||
      (await previewSizeChange(env)) ||
      (await sayWhatNext(controlPlane))
    );
  });
}

/** Shows what a reviewer would see. The change is made in a copy of the configuration, so it leaves no trace. */
async function previewSizeChange(env: NodeJS.ProcessEnv): Promise<number> {
  const size = otherSize(readFileSync(stackConfigFile, "utf8"));
  const changed = path.join(localFolder, "size-change.yaml");
  copyFileSync(stackConfigFile, changed);
  try {
    title(
      `What would a size of ${size} CU do? (minCu ${size} in a copy of the configuration; nothing is changed)`,
    );
    const edit = ["--config", `minCu=${size}`, "--config-file", changed];
    return await pulumi("preview --diff", ["--suppress-progress", ...edit], env);
  } finally {
    rmSync(changed, { force: true });
  }
}

/** The exit code that a shell reports after Ctrl-C: whoever pressed it needs no advice. */
const interrupted = 130;

/** A size other than the stack's present size. */
function otherSize(config: string): string {
  return /:minCu: ['"]?1['"]?\s*$/m.test(config) ? "2" : "1";
}

/** Prints advice after a command that fails. @returns its exit code */
async function pulumi(command: string, options: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const args = [...command.split(" "), ...options];
  const code = exitCodeOf(await runChild("pulumi", args, { cwd: checkoutFolder, env }));
  if (code === 0 || code === interrupted) return code;
  console.error(
    `\n\`pulumi ${command}\` ended with exit code ${code}, see above. Fix the cause, and run \`npm run local -- pulumi ${command}\`. ` +
      "To start over, remove the folder .local.",
  );
  return code;
}

async function sayWhatNext(controlPlane: ControlPlaneSession): Promise<number> {
  const computes = await controlPlane.namedComputes();
  const isPlaced = computes.some(({ place }) => place !== undefined);
  const own = computes.find(({ resource }) => resource !== undefined)?.resource;
  title("What to try next");
  console.log("npm run local -- pulumi config set minCu 1    # change the size in the configuration");
  console.log("npm run local -- pulumi up                    # see what this does, and confirm it");
  if (isPlaced) {
    const command = `npm run local -- psql${own === undefined ? "" : ` ${own}`}`;
    console.log(`${command.padEnd(46)}# connect to the compute, a local Postgres server`);
  }
  console.log("npm run local -- pulumi destroy               # remove the computes");
  title(isPlaced ? "Computes (clients can connect while `npm run local -- COMMAND` runs)" : "Computes");
  for (const view of computes) console.log(`${titleOf(view)}${view.place ? `: ${view.place.uri}` : ""}`);
  return 0;
}

function title(text: string): void {
  console.log(process.stdout.isTTY ? `\n\x1b[1m${text}\x1b[0m` : `\n${text}`);
}
