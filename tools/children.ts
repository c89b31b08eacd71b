/**
 * Starts other programs, and waits until they end.
 */
import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import os from "node:os";

import { StoppedError } from "./expectedError";

/** How a child process ended: with an exit code, or by a signal. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Children that get the signal which stops this process. If a child leads a process group, the whole group gets it. */
const running = new Map<ChildProcess, { readonly leads: boolean }>();

/** How often a process that npm started checks that npm still runs. */
const parentPollMs = 500;

/** The signal that stopped this process, if any. */
let stopSignal: NodeJS.Signals | undefined;

/**
 * One press of Ctrl-C can arrive twice, from the terminal and from npm; the engine takes a second signal to mean "stop
 * at once".
 */
const onePressMs = 300;

/**
 * Runs a command to its end. With `detached`, the command's own children end with it: npm's shell and jest pass on no
 * signal.
 *
 * @throws when it cannot be started at all.
 */
export function runChild(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<Ended> {
  // Windows has no process groups, and gives a detached process a window of its own.
  const detached = options.detached === true && process.platform !== "win32";
  return ended(spawn(command, args, { stdio: "inherit", ...options, detached }), { leads: detached });
}

/** Runs npm: the npm that started this process, if one did. */
export function runNpm(args: readonly string[], options: SpawnOptions): Promise<Ended> {
  const npm = process.env["npm_execpath"];
  if (npm !== undefined) return runChild(process.execPath, [npm, ...args], options);
  // On Windows npm is a script, which only a shell can start.
  return runChild("npm", args, { ...options, shell: process.platform === "win32" });
}

/** Waits for a child that was started elsewhere, and passes on signals to it meanwhile. */
export function ended(child: ChildProcess, { leads } = { leads: false }): Promise<Ended> {
  running.set(child, { leads });
  return new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      resolve({ code, signal });
    });
  }).finally(() => running.delete(child));
}

/** Ends what this process has started. */
export function endChildren(): void {
  for (const child of running.keys()) signalTo(child, "SIGTERM");
}

function signalTo(child: ChildProcess, signal: NodeJS.Signals): void {
  if (running.get(child)?.leads !== true || child.pid === undefined) {
    child.kill(signal);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group has already ended.
  }
}

/** The exit code that a shell would report. */
export function exitCodeOf({ code, signal }: Ended): number {
  if (signal !== null) return 128 + os.constants.signals[signal];
  return code ?? 1;
}

/**
 * From here on, this process outlives its children: they get the signals, and decide what to do with them.
 *
 * If no child is running, a signal ends this process at once.
 */
export function passSignalsOn(): void {
  let lastMs = 0;
  const pass = (signal: NodeJS.Signals): void => {
    stopSignal = signal;
    if (running.size === 0) process.exit(exitCodeOf({ code: null, signal }));
    const again = Date.now() - lastMs < onePressMs;
    lastMs = Date.now();
    if (again) return;
    // The terminal has already sent it to the other children.
    const isSent = signal === "SIGINT" && hasTerminal();
    for (const [child, { leads }] of running) if (leads || !isSent) signalTo(child, signal);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, pass);
  if (process.env["npm_lifecycle_event"] !== undefined) passParentsEndOn(pass);
}

/** Notices that npm has ended: `kill` of npm ends npm and its shell, but the signal does not reach this process. */
function passParentsEndOn(pass: (signal: NodeJS.Signals) => void): void {
  const parent = process.ppid;
  const poll = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(poll);
    pass("SIGTERM");
  }, parentPollMs);
  poll.unref();
}

/** True once a signal has come: a child's failure then says nothing about the child's work. */
export function isStopped(): boolean {
  return stopSignal !== undefined;
}

/** @throws StoppedError once a signal has come: a child's failure is then no reason to try something else. */
export function throwIfStopped(): void {
  if (stopSignal === undefined) return;
  throw new StoppedError(stopSignal, exitCodeOf({ code: null, signal: stopSignal }));
}

/** A terminal sends Ctrl-C to every process that it shows, the children included. */
function hasTerminal(): boolean {
  return process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
}
