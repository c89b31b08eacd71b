#!/usr/bin/env node
/** Runs the `compute-verify` command as a process: arguments, signals, the terminal, files and the exit code. */
import { existsSync, writeFileSync } from "node:fs";
import os from "node:os";
import { allowClosedPipe } from "../preview/read/standardStreams";
import { systemClock } from "../provider/clock";
import { packageVersion } from "../provider/version";
import { runVerify } from "./command";
import { prepareConnection } from "./connection";
import { askOn } from "./question";

allowClosedPipe();

const stop = new AbortController();
const abandon = new AbortController();
let signals = 0;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    signals += 1;
    if (signals === 1) {
      say("Stopping: first deleting the computes.\n");
      stop.abort(128 + os.constants.signals[signal]);
    } else if (signals === 2)
      say("Still deleting. Press Ctrl-C once more to stop at once and list the computes that are left.\n");
    else abandon.abort();
  });

const isTerminal = process.stdin.isTTY && process.stderr.isTTY;
let isShown = false;

function say(text: string): void {
  process.stderr.write(isShown ? `\r\u001b[K${text}` : text);
  isShown = false;
}

void runVerify(process.argv.slice(2), {
  clock: systemClock,
  // Without a stack there is no stack configuration: the settings come from the environment.
  settings: () => undefined,
  pauseMs: 1_000,
  prepareConnection: (login) => prepareConnection({ login, environment: process.env, folder: process.cwd() }),
  stop: stop.signal,
  abandon: abandon.signal,
  ask: isTerminal
    ? (question) => askOn({ input: process.stdin, output: process.stderr }, question, stop.signal)
    : undefined,
  exists: existsSync,
  write: (file, text) => {
    writeFileSync(file, text, { flag: "wx" });
  },
  version: packageVersion,
  print: (text) => {
    say("");
    process.stdout.write(text);
  },
  complain: say,
  progress: (text) => {
    if (!process.stderr.isTTY) return;
    say(text.slice(0, (process.stderr.columns || 80) - 1));
    isShown = true;
  },
}).then((code) => {
  process.exitCode = code;
  // Otherwise an unfinished deletion, which nobody waits for, would keep the process alive.
  if (abandon.signal.aborted) process.exit();
});
