/**
 * The process that runs the local control plane, and ends when no command needs it any longer.
 */
import { rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import readline from "node:readline";

import { startEmulator } from "../../emulator/index";
import { resourceNames } from "../resourceNames";
import { computesOn, quickstartOn } from "./contents";
import { daemonFile, stateFile, type DaemonFacts, type Welcome } from "./files";

/**
 * Each command holds a connection to this process. The system closes the connections of a process however it ends. So
 * when the last connection is gone, nobody needs the control plane, and no process stays behind, even after `kill -9`.
 */
async function keep(): Promise<void> {
  const emulator = await startEmulator({
    stateFile,
    computes: "postgres",
    onNotice: (text) => process.stderr.write(`${text}\n`),
  });
  // Only simulated operations need a delay: real computes take time anyway.
  if (emulator.computes.kind === "simulated") emulator.setTimeline({ runningMs: operationSeconds * 1000 });
  const welcome: Welcome = { url: emulator.url, apiKey: emulator.apiKey, computes: emulator.computes };
  const answers: Readonly<Record<string, () => unknown>> = {
    computes: () => computesOn(emulator),
    quickstart: () => quickstartOn(emulator),
  };
  const users = new Set<net.Socket>();
  const sessions = net.createServer({ allowHalfOpen: true });

  const leave = async (): Promise<void> => {
    sessions.close();
    await emulator.close();
    // The file is removed last. Until then, a new command finds this daemon and waits for its end, so that no second
    // daemon starts before the data is written.
    rmSync(daemonFile, { force: true });
    process.exit(0);
  };

  sessions.on("connection", (user) => {
    users.add(user);
    const release = (): void => {
      if (!users.delete(user)) return;
      // The command that disconnected may have created computes: now the console shows their resources' names.
      emulator.nameResources(resourceNames());
      if (users.size === 0) void leave();
      else user.end();
    };
    user.on("end", release).on("close", release).on("error", release);
    const say = (answer: unknown): boolean => user.write(`${JSON.stringify(answer)}\n`);
    readline.createInterface({ input: user }).on("line", (question) => say(answers[question]?.()));
    say(welcome);
  });
  sessions.listen(0, "127.0.0.1", () => {
    const facts: DaemonFacts = { pid: process.pid, port: (sessions.address() as net.AddressInfo).port };
    writeFileSync(daemonFile, JSON.stringify(facts));
    if (!process.connected) return;
    process.send?.(facts);
    process.disconnect();
  });
  process.on("SIGTERM", () => void leave());
  setTimeout(() => {
    if (users.size === 0) void leave();
  }, firstUserMs).unref();
}

/** Long enough for people to see that operations are awaited, short enough not to bore them. */
const operationSeconds = 1;

/** How long the daemon waits for its first connection: the command that started it may have been killed. */
const firstUserMs = 5_000;

void keep();
