/**
 * Joins the local control plane, or starts it if none is running.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import readline from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

import { checkoutFolder } from "../checkout";
import { ExpectedError } from "../expectedError";
import { withLock } from "../lock";
import type { NamedCompute, Quickstart } from "./contents";
import { controlPlaneFolder, daemonFile, logFile, type DaemonFacts, type Welcome } from "./files";

/** One command's use of the control plane, which runs as long as any command uses it. */
export interface ControlPlaneSession extends Welcome {
  /** The project of the local stack, created if needed. */
  readonly quickstart: () => Promise<Quickstart>;
  /** The computes, with the names of their resources. Those of the default branch come last. */
  readonly namedComputes: () => Promise<NamedCompute[]>;
  /** Ends this use. After the last use, returns once the control plane has written its data and ended. */
  readonly release: () => Promise<void>;
}

/** Runs a task with the control plane, then releases it. */
export async function withControlPlane<T>(task: (session: ControlPlaneSession) => Promise<T>): Promise<T> {
  const session = await joinControlPlane();
  try {
    return await task(session);
  } finally {
    await session.release();
  }
}

/** Joins the control plane of this checkout, or starts it. Commands that run at the same time share one. */
function joinControlPlane(): Promise<ControlPlaneSession> {
  return withLock(controlPlaneFolder, "the local control plane", async () => {
    const running = readDaemonFacts();
    const joined = running && (await join(running.port));
    if (joined) return joined;
    if (running) await untilGone(running.pid);
    const started = await join(await startDaemon());
    if (started) return started;
    throw new ExpectedError(`Starting the local control plane: it ended at once. See ${logFile}.`);
  });
}

/** What the daemon wrote about itself, if it is running or was killed. */
export function readDaemonFacts(): DaemonFacts | undefined {
  if (!existsSync(daemonFile)) return undefined;
  return JSON.parse(readFileSync(daemonFile, "utf8")) as DaemonFacts;
}

/** @returns undefined if nobody answers: the daemon was killed, or is ending. */
async function join(port: number): Promise<ControlPlaneSession | undefined> {
  const socket = net.connect({ port, host: "127.0.0.1" });
  const answers = readline.createInterface({ input: socket })[Symbol.asyncIterator]();
  const next = async <T>(): Promise<T | undefined> => {
    const line = await answers.next().catch(() => undefined);
    return line === undefined || line.done === true ? undefined : (JSON.parse(line.value) as T);
  };
  const welcome = await next<Welcome>();
  if (welcome === undefined) return undefined;
  const ask = async <T>(question: string): Promise<T> => {
    socket.write(`${question}\n`);
    const answer = await next<T>();
    if (answer !== undefined) return answer;
    throw new ExpectedError(`Querying the local control plane: it has ended. See ${logFile}.`);
  };
  return {
    ...welcome,
    quickstart: () => ask("quickstart"),
    namedComputes: () => ask("computes"),
    release: async () => {
      if (socket.destroyed) return;
      socket.end();
      await once(socket, "close");
    },
  };
}

/** Waits until a daemon has ended: until then, it may write its data, and two daemons must not share the file. */
async function untilGone(pid: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (isAlive(pid) && existsSync(daemonFile)) {
    if (Date.now() > deadline) {
      throw new ExpectedError(
        `Starting the local control plane: process ${pid} still uses its data. End that process, and try again.`,
      );
    }
    await sleep(50);
  }
}

/**
 * On Windows, a detached process would open a window. `fork` passes this option on to `spawn`, although its type does
 * not say so.
 */
const withoutWindow = { windowsHide: true };

/** @returns the port that users connect to. */
async function startDaemon(): Promise<number> {
  mkdirSync(controlPlaneFolder, { recursive: true });
  const log = openSync(logFile, "w");
  // Detached: Ctrl-C in the terminal is meant for the command, which still needs the control plane to end properly.
  const daemon = fork(path.join(checkoutFolder, "dist/tools/controlPlane/daemon.js"), {
    detached: true,
    ...withoutWindow,
    stdio: ["ignore", log, log, "ipc"],
  });
  closeSync(log);
  const started = once(daemon, "message") as Promise<[DaemonFacts]>;
  const ended = once(daemon, "exit").then(() => [undefined] as const);
  const [facts] = await Promise.race([started, ended]);
  if (facts === undefined) {
    const told = readFileSync(logFile, "utf8").trim().split("\n").slice(0, 12).join("\n");
    throw new ExpectedError(`Starting the local control plane: it failed.\n${told}`);
  }
  daemon.unref();
  return facts.port;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === "EPERM";
  }
}
