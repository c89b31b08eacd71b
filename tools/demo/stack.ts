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
export class DemoStack {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #place: Readonly<Record<"projectId" | "branchId", string>>;
  #child: ChildProcess | undefined;
  #isClosed = false;

  constructor(engine: Engine, { url, apiKey }: Emulator, place: Record<"projectId" | "branchId", string>) {
    this.#place = place;
    mkdirSync(localFolder, { recursive: true });
    // Inside the checkout, so that the program finds the package by its name.
    this.#folder = mkdtempSync(path.join(localFolder, "demo-"));
    this.#env = {
      ...withEngine(engine, process.env),
      ...isolatedStackVariables(this.#folder),
      PULUMI_STACK: "demo",
      COMPUTE_BASE_URL: url,
      COMPUTE_API_KEY: apiKey,
      COMPUTE_JOURNAL_FOLDER: path.join(this.#folder, "journal"),
    };
    writeFileSync(path.join(this.#folder, "Pulumi.yaml"), "name: demo\nruntime: nodejs\nmain: index.js\n");
  }

  /** The program that the next command runs. */
  write({ cu, suspendTimeoutSeconds }: Settings): void {
    const args = JSON.stringify({ ...this.#place, suspendTimeoutSeconds });
    writeFileSync(
      path.join(this.#folder, "index.js"),
      `const { Endpoint, fixedSize } = require("pulumi-compute-endpoint");\n` +
        `new Endpoint("app", { ...${args}, ...fixedSize(${cu}) });\n`,
    );
  }

  /** Runs a command to its end. @returns what it printed @throws ExpectedError with that, where it failed */
  async pulumi(...args: readonly string[]): Promise<string> {
    if (this.#isClosed) throw new ExpectedError("Running the demo: its stack is closed.");
    // In a process group of its own: Ctrl-C in the terminal reaches it once, through `close`.
    const child = spawn("pulumi", [...args, "--color", "never", "--non-interactive"], {
      cwd: this.#folder,
      env: this.#env,
      detached: true,
    });
    this.#child = child;
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (text: Buffer) => (printed += text.toString()));
    }
    const code = exitCodeOf(await ended(child));
    this.#child = undefined;
    if (code !== 0)
      throw new ExpectedError(`Running the demo: pulumi ${args.join(" ")} ended with ${code}.\n${printed}`);
    return printed;
  }

  /** Ends what runs, and removes the folder. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const child = this.#child;
    if (child?.pid !== undefined) {
      const { pid } = child;
      const timer = setTimeout(() => process.kill(-pid, "SIGKILL"), endLimitMs);
      child.kill("SIGINT");
      await ended(child).catch(() => undefined);
      clearTimeout(timer);
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
