#!/usr/bin/env node
/** Runs the `compute-import` command as a process: arguments, files, the service and the exit code. */
import { readFileSync, writeFileSync } from "node:fs";
import { allowClosedPipe, readStandardInput } from "../preview/read/standardStreams";
import { packageVersion } from "../provider/version";
import { runImport, type ConnectedProject } from "./command";

allowClosedPipe();

// Sets the code instead of exiting, so that output to a pipe is completed.
void runImport(process.argv.slice(2), {
  connect,
  read: (file) => (file === "-" ? readStandardInput() : readFileSync(file)),
  // Fails if the file exists, since it may hold a program written by hand.
  write: (file, text) => {
    writeFileSync(file, text, { flag: "wx" });
  },
  version: packageVersion,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
}).then((code) => {
  process.exitCode = code;
});

/** Without a stack there is no stack configuration: the settings come from the environment. */
async function connect(): Promise<ConnectedProject> {
  const { readConfig } = await import("../provider/settings/config.js");
  const { lookupsWith } = await import("../provider/lookups.js");
  const config = readConfig(() => undefined);
  const lookups = lookupsWith(config);
  return { config, listEndpoints: (...asked) => lookups.listEndpoints(...asked) };
}
