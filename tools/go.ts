/**
 * Runs Go.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { ended } from "./children";

const execute = promisify(execFile);

/** How many of the last lines of a failed command are shown. */
const tailLines = 8;

/** Builds one program of a module, with the versions that its go.sum pins. */
export async function goBuild(name: string, { cwd, to, flags = "" }: GoBuild): Promise<void> {
  await go(["build", "-mod=readonly", "-trimpath", "-ldflags", `-s -w ${flags}`, "-o", to, name], cwd);
}

interface GoBuild {
  /** A folder of the module. */
  readonly cwd: string;
  /** Where the program goes. */
  readonly to: string;
  /** More flags for the linker. */
  readonly flags?: string;
}

/** @returns its output @throws with the last lines of its output, if it failed */
export async function go(args: readonly string[], cwd: string): Promise<string> {
  // No C compiler is needed, and a Go workspace above the checkout is ignored.
  const env = { ...process.env, CGO_ENABLED: "0", GOWORK: "off" };
  const running = execute("go", args, { cwd, env, maxBuffer: Infinity });
  const [{ stdout }] = await Promise.all([running, ended(running.child)]).catch(explain(args));
  return stdout;
}

function explain([command = ""]: readonly string[]): (error: unknown) => never {
  return (error) => {
    const { code, stderr = "" } = error as { code?: unknown; stderr?: string };
    if (code === "ENOENT") throw new Error("there is no `go` on PATH");
    const reasons = stderr.split("\n").filter((line) => !/^go: downloading |^$/.test(line));
    const told = reasons.slice(-tailLines).join("\n      ");
    throw new Error(`go ${command} failed: ${told || "no output"}`);
  };
}
