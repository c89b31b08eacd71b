/**
 * Previews a small program with an engine, for `npm run doctor`: what ends well there ends well for `npm start`.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { checkoutFolder } from "../checkout";
import type { Engine } from "./engine";
import { isolatedStackVariables, withEngine } from "./environment";

/** Longest that a command may take, in milliseconds: a hang must end in an output that can be read. */
const commandMs = 120_000;

/**
 * Previews a small program with this engine, its language host and the SDK's provider process, with the settings of
 * `npm start`: the same Pulumi.yaml, with another program at the place that it names.
 *
 * @returns what the engine printed, if it failed.
 */
export function failureOfTrial(engine: Engine): string | undefined {
  const folder = mkdtempSync(path.join(tmpdir(), "compute-doctor-"));
  try {
    writeTrial(folder);
    const env = { ...withEngine(engine, process.env), ...isolatedStackVariables(path.join(folder, "home")) };
    const options = { cwd: folder, env, encoding: "utf8", timeout: commandMs } as const;
    for (const words of [
      ["stack", "init", "doctor"],
      ["preview", "--suppress-progress"],
    ]) {
      const ran = spawnSync("pulumi", [...words, "--non-interactive", "--color", "never"], options);
      if (ran.status !== 0) return `${ran.stdout}${ran.stderr}${ran.error?.message ?? ""}`;
    }
    return undefined;
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
