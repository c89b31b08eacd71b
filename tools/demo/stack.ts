/**
 * The stack of the demo: one compute, in a folder of its own.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import type { Emulator } from "../../emulator/index";
import { localFolder } from "../checkout";
import { ended, exitCodeOf } from "../children";
import type { Engine } from "../engine/engine";
import { isolatedStackVariables, withEngine } from "../engine/environment";
import { ExpectedError } from "../expectedError";

/** What the demo changes, in the program's own form. */
export type Settings = Readonly<Record<"cu" | "suspendTimeoutSeconds", number>>;

/** Longest time that a command which was interrupted may take to end. */
const endLimitMs = 10_000;

/** A stack with one compute, in a folder of its own that goes with it. */
export interface DemoStack {
  /** The program that the next command runs. */
  readonly write: (settings: Settings) => void;
  /** Runs a command to its end. @returns what it printed @throws ExpectedError with that, where it failed */
  readonly pulumi: (...args: readonly string[]) => Promise<string>;
  /** Ends what runs, and removes the folder. */
  readonly close: () => Promise<void>;
}

export function createDemoStack(
  engine: Engine,
  { url, apiKey }: Emulator,
  place: Readonly<Record<"projectId" | "branchId", string>>,
): DemoStack {
  mkdirSync(localFolder, { recursive: true });
  // Inside the checkout, so that the program finds the package by its name.
  const folder = mkdtempSync(path.join(localFolder, "demo-"));
  const env = {
    ...withEngine(engine, process.env),
    ...isolatedStackVariables(folder),
    PULUMI_STACK: "demo",
    COMPUTE_BASE_URL: url,
    COMPUTE_API_KEY: apiKey,
    COMPUTE_JOURNAL_FOLDER: path.join(folder, "journal"),
  };
  writeFileSync(path.join(folder, "Pulumi.yaml"), "name: demo\nruntime: nodejs\nmain: index.js\n");
  let child: ChildProcess | undefined;
  let isClosed = false;

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
      if (isClosed) throw new ExpectedError("Running the demo: its stack is closed.");
      // In a process group of its own: Ctrl-C in the terminal reaches it once, through `close`.
      const options = { cwd: folder, env, detached: true };
      const started = spawn("pulumi", [...args, "--color", "never", "--non-interactive"], options);
      child = started;
      let printed = "";
      for (const stream of [started.stdout, started.stderr]) {
        stream.on("data", (text: Buffer) => (printed += text.toString()));
      }
      const code = exitCodeOf(await ended(started));
      child = undefined;
      if (code !== 0)
        throw new ExpectedError(`Running the demo: pulumi ${args.join(" ")} ended with ${code}.\n${printed}`);
      return printed;
    },
    close: async () => {
      isClosed = true;
      if (child !== undefined) await interrupt(child);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function interrupt(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const timer = setTimeout(() => process.kill(-pid, "SIGKILL"), endLimitMs);
  child.kill("SIGINT");
  await ended(child).catch(() => undefined);
  clearTimeout(timer);
}
