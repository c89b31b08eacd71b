#!/usr/bin/env node
/** Runs the `compute-preview` command as a process: arguments, files and exit code. */
import { readFileSync, readSync } from "node:fs";
import { runCommand } from "./command";
import { filesBelow } from "./files";
import { versionsHere } from "./versions";

// Sets the code instead of exiting, so that output to a pipe is completed.
process.exitCode = runCommand(process.argv.slice(2), {
  read: (file) => (file === undefined ? readStandardInput() : readFileSync(file)),
  list: filesBelow,
  isTerminal: process.stdin.isTTY,
  versions: versionsHere,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});

/** All of standard input. An empty pipe returns EAGAIN, for which readFileSync fails. */
function readStandardInput(): Buffer {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(64 * 1024);
  for (;;) {
    try {
      const length = readSync(0, chunk);
      if (length === 0) return Buffer.concat(chunks);
      chunks.push(Buffer.from(chunk.subarray(0, length)));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // On Windows, the end of the input is this error.
      if (code === "EOF") return Buffer.concat(chunks);
      if (code !== "EAGAIN") throw error;
      waitMs(10);
    }
  }
}

/** Waits for the other end of the pipe to write. */
function waitMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
