/**
 * The stack of the demo: one compute, in a separate folder.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import type { Emulator } from "../../emulator/index";
import { localFolder } from "../checkout";
import type { Engine } from "../engine/engine";
import { ExpectedError } from "../expectedError";
import { localEnvironment } from "../localStack";

/** What the demo changes, with the names of the program's arguments. */
export type Settings = Readonly<Record<"cu" | "suspendTimeoutSeconds", number>>;

/** A stack with one compute, in its own folder, which is removed with it. */
export interface DemoStack {
  /** The program that the next command runs. */
  readonly write: (settings: Settings) => void;
  /** Runs a command to its end. @returns its output @throws ExpectedError with the output, if it failed */
  readonly pulumi: (...args: readonly string[]) => Promise<string>;
  readonly remove: () => void;
}

const execute = promisify(execFile);

interface DemoOptions {
  readonly engine: Engine;
  readonly emulator: Emulator;
  readonly place: Readonly<Record<"projectId" | "branchId", string>>;
  /** No command starts after this signal. */
  readonly stop: AbortSignal;
}

export function createDemoStack({ engine, emulator, place, stop }: DemoOptions): DemoStack {
  mkdirSync(localFolder, { recursive: true });
  // Inside the checkout, so that the program finds the package by its name.
  const folder = mkdtempSync(path.join(localFolder, "demo-"));
  const env = {
    ...localEnvironment(engine, emulator, { name: "demo", folder }),
  };
  writeFileSync(path.join(folder, "Pulumi.yaml"), "name: demo\nruntime: nodejs\nmain: index.js\n");

  return {
    write: ({ cu, suspendTimeoutSeconds }) => {
      const args = JSON.stringify({ ...place, suspendTimeoutSeconds });
      writeFileSync(
        path.join(folder, "index.js"),
        `const { Endpoint, fixedSize } = require("pulumi-compute-endpoint");\n` +
          `new Endpoint("app", { ...${args}, ...fixedSize(${cu}) });\n`,
      );
    },
    pulumi: async (...args) => {
      stop.throwIfAborted();
      try {
        // Passes no signal: Ctrl-C in a terminal reaches the command itself, and the demo waits for the command's end.
        const options = { cwd: folder, env };
        const words = [...args, "--color", "never", "--non-interactive"];
        return Object.values(await execute("pulumi", words, options)).join("");
      } catch (error) {
        stop.throwIfAborted();
        const { stdout, stderr } = error as Record<"stdout" | "stderr", string>;
        throw new ExpectedError(`Running the demo: pulumi ${args.join(" ")} failed.\n${stdout}${stderr}`);
      }
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
