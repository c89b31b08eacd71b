#!/usr/bin/env node
/**
 * Runs the `compute-preview` command as a process: arguments, files and exit code. `input.ts` finds the preview in a file:
 * Pulumi's forms are read in `read/`, Terraform's plans in `peers/`. `judge/` judges our computes, `peers/judgement.ts` those of
 * other providers, and `render/` writes the report.
 */
import { writeFileSync } from "node:fs";
import { createAsker } from "./connections/ask";
import { loadPostgres } from "./connections/postgres";
import { filesBelow, readInput } from "./files";
import { allowClosedPipe, areSeenTogether, readStandardInput } from "./read/standardStreams";
import { recordPreview } from "./record";
import { runProcess } from "./save";

allowClosedPipe();

const args = process.argv.slice(2);
void runProcess(args, {
  read: (file) => (file === undefined ? readStandardInput() : readInput(file, args)),
  list: filesBelow,
  isTerminal: process.stdin.isTTY,
  isOneScreen: areSeenTogether(),
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  record: (command) => recordPreview(command, process.env),
  write: writeFileSync,
  ask: (report, previews) =>
    createAsker({ pg: loadPostgres(process.cwd()), environment: process.env, now: () => new Date() })(
      report,
      previews,
    ),
}).then((code) => {
  // Sets the code instead of exiting, so that output to a pipe is completed.
  process.exitCode = code;
});
