/**
 * Previews a small program with an engine, for `npm run doctor`: what ends well there ends well for `npm start`.
 */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { ended, exitCodeOf } from "../children";
import type { Engine } from "./engine";
import { isolatedStackVariables, withEngine } from "./environment";

export interface Trial {
  readonly code: number;
  /** What the engine printed, both streams as they came. */
  readonly output: string;
}

/**
 * Previews a small program with this engine, its language host and the SDK's provider process, with the settings of
 * `npm start`: the same Pulumi.yaml, with another program at the place that it names.
 */
export async function previewTrial(engine: Engine): Promise<Trial> {
  const folder = mkdtempSync(path.join(tmpdir(), "compute-doctor-"));
  try {
    writeTrial(folder);
    const env = { ...withEngine(engine, process.env), ...isolatedStackVariables(path.join(folder, "home")) };
    const made = await pulumi(["stack", "init", "doctor"], folder, env);
    return made.code === 0 ? await pulumi(["preview", "--suppress-progress"], folder, env) : made;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const program = `import * as pulumi from "@pulumi/pulumi";

class Trial extends pulumi.dynamic.Resource {}

new Trial({ create: async () => ({ id: "trial", outs: {} }) }, "trial", {});
export const project: string = pulumi.getProject();
`;

const quickstart = path.join("examples", "quickstart");

function writeTrial(folder: string): void {
  for (const file of ["Pulumi.yaml", "tsconfig.json", path.join(quickstart, "tsconfig.json")]) {
    cpSync(path.join(checkoutFolder, file), path.join(folder, file));
  }
  writeFileSync(path.join(folder, quickstart, "index.ts"), program);
  writeFileSync(path.join(folder, "package.json"), '{ "name": "trial", "private": true }');
  // Where the settings keep a stack's configuration.
  mkdirSync(path.join(folder, ".local"));
  // A junction, because Windows lets anybody make one.
  symlinkSync(path.join(checkoutFolder, "node_modules"), path.join(folder, "node_modules"), "junction");
}

/** Longest that a command may take, in milliseconds: a hang must end in an output that can be read. */
const commandMs = 120_000;

async function pulumi(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Trial> {
  const child = spawn("pulumi", [...words, "--non-interactive", "--color", "never"], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: commandMs,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  try {
    return { code: exitCodeOf(await ended(child)), output };
  } catch (error) {
    return { code: 1, output: `${output}${error instanceof Error ? error.message : String(error)}` };
  }
}
