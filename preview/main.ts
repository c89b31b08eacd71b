#!/usr/bin/env node
/** Runs the `compute-preview` command as a process: arguments, files and exit code. */
import { readFileSync } from "node:fs";
import { runCommand } from "./command";
import { filesBelow } from "./files";
import { allowClosedPipe, readStandardInput } from "./read/standardStreams";

allowClosedPipe();

// Sets the code instead of exiting, so that output to a pipe is completed.
process.exitCode = runCommand(process.argv.slice(2), {
  read: (file) => (file === undefined ? readStandardInput() : readFileSync(file)),
  list: filesBelow,
  isTerminal: process.stdin.isTTY,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
