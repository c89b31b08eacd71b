#!/usr/bin/env node
/**
 * Runs the `compute-preview` command as a process: arguments, files and exit code. `input.ts` finds the preview in a file:
 * Pulumi's forms are read in `read/`, Terraform's plans in `peers/`. `judge/` judges our computes, `peers/judgement.ts` those of
 * other providers, and `render/` writes the report.
 */
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
