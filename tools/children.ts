/**
 * Starts other programs, and waits until they end.
 */
import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import os from "node:os";

import { StoppedError } from "./expectedError";

/** How a child process ended: by itself with a code, or by a signal. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Children that get the signal which stops this process. */
const running = new Set<ChildProcess>();

/** The signal that stopped this process, if any. */
let stopSignal: NodeJS.Signals | undefined;

/** The same press of Ctrl-C can arrive twice, from the terminal and from npm; the engine takes a second one as "now". */
const onePressMs = 300;

/** Runs a command to its end. @throws when it cannot be started at all. */
export function runChild(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<Ended> {
  return ended(spawn(command, args, { stdio: "inherit", ...options }));
}

/** Runs npm: the one that runs this, if one does. */
export function runNpm(args: readonly string[], options: SpawnOptions): Promise<Ended> {
  const npm = process.env["npm_execpath"];
  if (npm !== undefined) return runChild(process.execPath, [npm, ...args], options);
  // On Windows it is a script, which only a shell starts.
  return runChild("npm", args, { ...options, shell: process.platform === "win32" });
}

/** Waits for a child that was started elsewhere, and passes signals on to it until then. */
export function ended(child: ChildProcess): Promise<Ended> {
  running.add(child);
  return new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      resolve({ code, signal });
    });
  }).finally(() => running.delete(child));
}

/** Ends what this process has started. */
export function endChildren(): void {
  for (const child of running) child.kill("SIGTERM");
}

/** The exit code that a shell would report. */
export function exitCodeOf({ code, signal }: Ended): number {
  if (signal !== null) return 128 + os.constants.signals[signal];
  return code ?? 1;
}

/**
 * From here on this process outlives its children: a signal goes to them, and what they make of it decides.
 *
 * With no child running a signal ends this process at once.
 */
export function passSignalsOn(): void {
  let lastMs = 0;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      stopSignal = signal;
      if (running.size === 0) process.exit(exitCodeOf({ code: null, signal }));
      const again = Date.now() - lastMs < onePressMs;
      lastMs = Date.now();
      if (again || (signal === "SIGINT" && hasTerminal())) return;
      for (const child of running) child.kill(signal);
    });
  }
}

/** @throws StoppedError once a signal has come: what a child made of it is then no reason to try something else. */
export function throwIfStopped(): void {
  if (stopSignal === undefined) return;
  throw new StoppedError(stopSignal, exitCodeOf({ code: null, signal: stopSignal }));
}

/** A terminal sends Ctrl-C to every process that it shows, the children included. */
function hasTerminal(): boolean {
  return process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
}
