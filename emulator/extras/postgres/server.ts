/**
 * Starts and stops one Postgres server.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { run, serverEnvironment } from "./account";
import type { Binaries } from "./binaries";
import { newFile, readLock } from "./files";
import { isAlive, type HostFolder } from "./folder";

/**
 * The shell becomes the server, and leaves behind a watcher whose stdin is a pipe of this process. When this process
 * ends, for whatever reason, the system closes the pipe, and the watcher ends the server: even `kill -9` leaves no
 * server behind. A line on the pipe means that the server has already ended, and that another process may have its id
 * now.
 */
const leash = `exec 3<&0 </dev/null
(read -r ended <&3 || kill -QUIT $$) >/dev/null 2>&1 &
exec "$@" 3<&-`;

const startLimitMs = 20_000;
/** How long connections may take to end before the server ends without them. */
const stopLimitMs = 10_000;
/** How long to wait for a server that was killed together with its emulator, and may still be ending. */
const lingerLimitMs = 5_000;

interface ServerOptions {
  readonly binaries: Binaries;
  readonly folder: HostFolder;
  readonly data: string;
  readonly configuration: string;
  readonly logFile: string;
  readonly onExit: () => void;
}

/** A Postgres server that takes connections. */
export class Server {
  readonly data: string;
  readonly #child: ChildProcess;
  #hasExited = false;

  private constructor(child: ChildProcess, { data, onExit }: ServerOptions) {
    this.data = data;
    this.#child = child;
    child.once("exit", () => {
      this.#hasExited = true;
      child.stdin?.on("error", () => undefined).end("ended\n");
      onExit();
    });
  }

  /** @throws Error with the server's last words, if it does not start */
  static async start(options: ServerOptions): Promise<Server> {
    const { binaries, folder, data, configuration, logFile } = options;
    await untilFree(data);
    const log = newFile(logFile);
    const postgres = path.join(binaries.folder, "postgres");
    const args = ["-c", leash, "sh", postgres, "-D", data, "-c", `config_file=${configuration}`];
    const child = spawn("/bin/sh", args, {
      ...folder.account.ids,
      cwd: "/",
      stdio: ["pipe", log, log],
      env: serverEnvironment(),
      // Ctrl-C in a terminal is for the emulator, which stops its servers itself.
      detached: true,
    });
    closeSync(log);
    const server = new Server(child, options);
    await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    await server.#untilReady(logFile);
    return server;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return !this.#hasExited;
  }

  /** Makes the server read its configuration again. */
  reload(): void {
    this.#child.kill("SIGHUP");
  }

  /** Stops the server; each client gets the error that Postgres sends when it shuts down. */
  async stop(): Promise<void> {
    if (this.#hasExited) return;
    const exited = once(this.#child, "exit");
    this.#child.kill("SIGINT");
    const timer = setTimeout(() => this.#child.kill("SIGQUIT"), stopLimitMs);
    await exited;
    clearTimeout(timer);
  }

  /** Waits until the server is ready. Like `pg_ctl`, it reads the server's progress from the lock file. */
  async #untilReady(logFile: string): Promise<void> {
    const deadline = Date.now() + startLimitMs;
    for (;;) {
      if (this.#hasExited) throw new Error(`Postgres did not start: ${lastWords(logFile)}`);
      const lines = (await readLock(lockFile(this.data))).split("\n");
      if (lines[7]?.trim() === "ready" && Number(lines[0]) === this.pid) return;
      if (Date.now() > deadline) {
        await this.stop();
        throw new Error(`Postgres was not ready after ${startLimitMs / 1000} s: ${lastWords(logFile)}`);
      }
      await sleep(5);
    }
  }
}

function lockFile(data: string): string {
  return path.join(data, "postmaster.pid");
}

/** Waits until no server uses a folder. A lock is removed if its owner is no longer a server. */
async function untilFree(data: string): Promise<void> {
  const pidIn = async (): Promise<number> => Number((await readLock(lockFile(data))).split("\n")[0]);
  for (let waitedMs = 0; waitedMs < lingerLimitMs; waitedMs += 20) {
    const pid = await pidIn();
    if (!(pid > 0) || !isAlive(pid)) return;
    const name = await run("ps", ["-o", "comm=", "-p", String(pid)], { account: {} }).catch(() => "postgres");
    if (!/postgres/.test(name)) rmSync(lockFile(data), { force: true });
    await sleep(20);
  }
  throw new Error(`another Postgres, process ${await pidIn()}, uses ${data}`);
}

function lastWords(logFile: string): string {
  const lines = readFileSync(logFile, "utf8").trim().split("\n");
  const informative = lines.filter((line) => /FATAL|ERROR|PANIC|HINT|DETAIL/.test(line));
  return (informative.length > 0 ? informative : lines).slice(-3).join(" ").trim() || "it printed nothing";
}
