#!/usr/bin/env node
/** Runs the `compute-preview` command as a process: arguments, files and exit code. */
import { runCommand } from "./command";
import { filesBelow, readInput } from "./files";
import { allowClosedPipe, areSeenTogether, readStandardInput } from "./read/standardStreams";

allowClosedPipe();

const args = process.argv.slice(2);
// Sets the code instead of exiting, so that output to a pipe is completed.
process.exitCode = runCommand(args, {
  read: (file) => (file === undefined ? readStandardInput() : readInput(file, args)),
  list: filesBelow,
  isTerminal: process.stdin.isTTY,
  isOneScreen: areSeenTogether(),
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
