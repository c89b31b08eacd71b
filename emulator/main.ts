#!/usr/bin/env node
/**
 * The emulator as a separate process: one ready line on stdout, everything else on stderr.
 */
import { parseArgs } from "node:util";
import { startEmulator, type Emulator, type EmulatorOptions } from "./emulator";
import { guideLines, prepareProject } from "./guide";
import type { LoggedRequest } from "./service/http/requestLog";
import { switchTable, type Switches } from "./service/switches";

const options = {
  port: { type: "string", default: "8787" },
  host: { type: "string", default: "127.0.0.1" },
  "api-key": { type: "string", default: "local-key" },
  "state-file": { type: "string" },
  "operation-ms": { type: "string" },
  seed: { type: "string", default: "1" },
  project: { type: "boolean", default: false },
  branch: { type: "string", multiple: true, default: [] as string[] },
  computes: { type: "string" },
  switch: { type: "string", multiple: true },
  verbose: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

const usage = `Usage: compute-emulator [options]

Runs a local control plane for compute endpoints until Ctrl-C. To try a Pulumi program without an account:

  compute-emulator --project                     Prints four lines to paste: two exports, project, branch
  compute-emulator --branch dev --branch test    Also creates two branches, for two stacks
  compute-emulator --project --state-file compute.json    Keeps the project for the next start

To see every compute, its connection string and what happens to it, open the printed address of the console page.
Options, with their defaults in brackets:

  --port <number>        Port to listen on; 0 for any free port (8787)
  --host <address>       Address to listen on (127.0.0.1)
  --api-key <key>        The only valid API key (local-key)
  --state-file <path>    Keep the state in this file (in memory only)
  --operation-ms <ms>    Minimum duration of an operation (400; 0 with --computes postgres)
  --seed <number>        The same seed gives the same ids in the same order (1)
  --project              Create a project if there is none, and print on stderr what to paste
  --branch <name>        Create a branch without a compute if no branch has that name; may be repeated;
                         includes --project
  --computes <kind>      simulated, or postgres: each compute is a local Postgres server, if Postgres is available
                         (postgres with --project, otherwise simulated)
  --switch <name=value>  Set a switch; may be repeated
  --verbose              Print one line on stderr for each request
  --help                 Print this text

Switches, for choices that the API's description leaves open (the default is in brackets):

`;

function switchLines(): string {
  return Object.entries(switchTable)
    .map(([name, row]) => {
      const taken = "values" in row ? row.values.join("|") : row.range.join(" to ");
      return `  ${name}=${taken} [${String(row.default)}]\n      ${row.meaning}\n`;
    })
    .join("");
}

// The type is inferred from the table above.
function readCommandLine() {
  return parseArgs({ options }).values;
}

function toOptions(values: ReturnType<typeof readCommandLine>): EmulatorOptions {
  return {
    port: wholeNumber("--port", values.port),
    host: values.host,
    apiKey: values["api-key"],
    seed: wholeNumber("--seed", values.seed),
    computes: toComputes(values.computes ?? (wantsProject(values) ? "postgres" : "simulated")),
    onNotice: say,
    switches: toSwitches(values.switch ?? []),
    ...(values["operation-ms"] !== undefined && {
      operationMs: wholeNumber("--operation-ms", values["operation-ms"]),
    }),
    ...(values["state-file"] !== undefined && { stateFile: values["state-file"] }),
    ...(values.verbose && { onRequest: printRequest }),
  };
}

function wantsProject({ project, branch }: ReturnType<typeof readCommandLine>): boolean {
  return project || branch.length > 0;
}

function wholeNumber(option: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new RangeError(`${option} takes a whole number, not "${text}".`);
}

function toComputes(kind: string): "simulated" | "postgres" {
  if (kind === "simulated" || kind === "postgres") return kind;
  throw new RangeError(`--computes takes simulated or postgres, not "${kind}".`);
}

/** The emulator checks the values when it starts. */
function toSwitches(pairs: readonly string[]): Partial<Switches> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = "", ...value] = pair.split("=");
      if (value.length === 0) throw new RangeError(`--switch takes name=value, not "${pair}".`);
      return [name, value.join("=")];
    }),
  );
}

function printRequest(request: LoggedRequest): void {
  const { method, path, status, isAborted } = request;
  const outcome = isAborted ? "cut off" : String(status ?? "no answer");
  process.stderr.write(`${method} ${path} ${outcome}${request.fault ? ` (${request.fault})` : ""}\n`);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Tells users who asked for real computes which host these have, and how to connect. */
async function printComputes(emulator: Emulator): Promise<void> {
  const { kind, reason } = emulator.computes;
  say(kind === "hosted" ? `computes: ${reason}` : `computes: simulated, because ${reason}`);
  await emulator.addressed();
  const endpoints = emulator.projects().flatMap(({ id }) => emulator.endpoints(id));
  for (const { endpoint, place } of endpoints) if (place) say(`${endpoint.id} ${place.uri}`);
  const [first] = endpoints;
  if (first?.place) say(`any compute: ${first.place.sharedUri.replace(first.endpoint.id, "ep-…")}`);
}

const parentPollMs = 500;

function closeOnSignals(emulator: Emulator): void {
  const close = (): void => {
    emulator.close().catch(fail);
  };
  process.once("SIGINT", close);
  process.once("SIGTERM", close);
  // `kill` of npx ends npx and its shell: the signal does not reach this process, which would keep the port.
  if (process.env["npm_lifecycle_event"] !== "npx") return;
  const parent = process.ppid;
  const poll = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(poll);
    close();
  }, parentPollMs);
  poll.unref();
}

function fail(error: unknown): void {
  process.stderr.write(`emulator: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const values = readCommandLine();
  if (values.help) {
    process.stdout.write(usage + switchLines());
    return;
  }
  const emulator = await startEmulator(toOptions(values));
  const isGuided = wantsProject(values);
  if (isGuided) prepareProject(emulator, values.branch);
  if (isGuided || values.computes === "postgres") await printComputes(emulator);
  if (isGuided) guideLines(emulator).forEach(say);
  say(`console ${emulator.url}/_emulator/console`);
  closeOnSignals(emulator);
  process.stdout.write(`emulator ready ${emulator.url}\n`);
}

main().catch(fail);
