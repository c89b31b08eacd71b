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
export async function go(args: readonly string[], { cwd, onLine }: GoOptions): Promise<readonly string[]> {
  const child = spawn("go", args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    // No C compiler is needed, and a workspace file above the checkout has no say.
    env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off" },
  });
  const [printed, told] = [linesOf(child.stdout), linesOf(child.stderr, onLine)];
  const end = await ended(child).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === "ENOENT") throw new Error("there is no `go` on PATH");
    throw error;
  });
  if (exitCodeOf(end) === 0) return printed;
  // `go build -v` prints each package that it compiles on a line of its own.
  const reasons = told.filter((line) => !/^go: downloading |^\S+$/.test(line));
  throw new Error(
    `go ${args[0] ?? ""} failed: ${reasons.slice(-tailLines).join("\n      ") || "without a word"}`,
  );
}

/** The lines of a stream, as they come. */
function linesOf(stream: Readable, onLine: (line: string) => void = () => undefined): readonly string[] {
  const lines: string[] = [];
  readline.createInterface({ input: stream }).on("line", (line) => {
    lines.push(line);
    onLine(line);
  });
  return lines;
}
