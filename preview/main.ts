#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { runCommand } from "./command";

// Sets the code instead of exiting: what is still on its way to a pipe gets there.
process.exitCode = runCommand(process.argv.slice(2), {
  read: (file) => readFileSync(file ?? 0),
  isTerminal: process.stdin.isTTY,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
