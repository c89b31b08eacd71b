/**
 * Runs Go, and shows its progress.
 */
import { spawn } from "node:child_process";
import readline from "node:readline";
import type { Readable } from "node:stream";

import { ended, exitCodeOf } from "./children";

/** Lines of a failed command that are worth showing. */
const tailLines = 8;

export interface GoOptions {
  /** A folder of the module. */
  readonly cwd: string;
  /** Gets each line of stderr as it comes. */
  readonly onLine?: (line: string) => void;
}

/** Builds one program of a module, with the versions that its go.sum pins. */
export async function goBuild(
  name: string,
  { to, ...options }: GoOptions & { readonly to: string },
): Promise<void> {
  await go(["build", "-mod=readonly", "-trimpath", "-ldflags", "-s -w", "-o", to, name], options);
}

/** Runs go, shows each line of its stderr to the caller, and returns the lines of its stdout. */
export async function go(
  args: readonly string[],
  { cwd, onLine = () => undefined }: GoOptions,
): Promise<string[]> {
  const child = spawn("go", args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    // No C compiler is needed, and a workspace file above the checkout has no say.
    env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off" },
  });
  const printed = collect(child.stdout, () => undefined);
  const told = collect(child.stderr, onLine);
  const end = await ended(child).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === "ENOENT") throw new Error("there is no `go` on PATH");
    throw error;
  });
  if (exitCodeOf(end) !== 0) {
    const reasons = told.filter((line) => !isPackage(line) && !line.startsWith("go: downloading "));
    throw new Error(
      `go ${args[0] ?? ""} failed: ${reasons.slice(-tailLines).join("\n      ") || "without a word"}`,
    );
  }
  return printed;
}

function collect(stream: Readable, onLine: (line: string) => void): string[] {
  const lines: string[] = [];
  readline.createInterface({ input: stream }).on("line", (line) => {
    lines.push(line);
    onLine(line);
  });
  return lines;
}

/** `go build -v` prints each package it compiles on a line of its own. */
export function isPackage(line: string): boolean {
  return /^[\w.~-]+(\/[\w.~-]+)*$/.test(line);
}
