/**
 * `npm run doctor`: what this machine has, which engine is used and why, and which versions were tested. It downloads
 * nothing.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { lookForPostgres } from "../../emulator/extras/postgres/open";
import { checkoutFolder, localFolder } from "../checkout";
import { stateFile } from "../controlPlane/files";
import { isAlive, readDaemonFacts } from "../controlPlane/session";
import { cachedEngine, cachedEngineFolder } from "../engine/cache";
import type { Engine } from "../engine/engine";
import { engineOnPath } from "../engine/onPath";
import { readEngineSettings } from "../engine/settings";
import { testsOfEngine, testsOfNode, testsOfSdk } from "../tested";

/** One line of the table. */
interface Finding {
  readonly what: string;
  readonly state: string;
  /** Present if something is missing or fails. */
  readonly remedy?: string;
}

export async function run(): Promise<number> {
  const go = spawnSync("go", ["version"], { encoding: "utf8" });
  const findings: Finding[] = [
    {
      what: "node",
      state: `${process.versions.node} in ${process.execPath}: ${testsOfNode(process.versions.node)}`,
    },
    sdkFinding(),
    ...engineFindings(),
    { what: "go", state: go.status === 0 ? go.stdout.trim() : "not found; needed only to build an engine" },
    { what: "postgres", state: await postgresState() },
    { what: "local data", state: existsSync(localFolder) ? localFolder : `${localFolder}, not created yet` },
    { what: "control plane", state: controlPlaneState() },
  ];
  for (const { what, state, remedy } of findings) {
    console.log((remedy === undefined ? "ok" : "fails").padEnd(7), what.padEnd(14), state);
    if (remedy !== undefined) console.log(`${" ".repeat(23)}→ ${remedy}`);
  }
  return findings.some(({ remedy }) => remedy !== undefined) ? 1 : 0;
}

/** The SDK that programs of this checkout load. */
function sdkFinding(): Finding {
  const folder = path.join(checkoutFolder, "node_modules/@pulumi/pulumi");
  const { version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
    version: string;
  };
  return { what: "sdk", state: `@pulumi/pulumi ${version}: ${testsOfSdk(version)}` };
}

/** @throws ExpectedError if the engine on PATH is too old: no command works then. */
function engineFindings(): Finding[] {
  const settings = readEngineSettings(process.env);
  const onPath = engineOnPath(settings);
  if ("origin" in onPath) return [describeEngine(onPath)];
  const passedOver = { what: "pulumi on PATH", state: `not used: ${onPath.why}` };
  const cached = cachedEngine(settings);
  if (cached !== undefined) return [passedOver, describeEngine(cached)];
  const state = `no usable pulumi on PATH or in the cache (${cachedEngineFolder(settings)})`;
  return [
    passedOver,
    { what: "engine", state, remedy: "npm start or npm test downloads or builds an engine" },
  ];
}

function describeEngine({ origin, version, binFolder, reason }: Engine): Finding {
  const host = origin === "build" ? "; with this repository's language host" : "";
  const tests = testsOfEngine(version);
  return { what: "engine", state: `Pulumi ${version} in ${binFolder}: ${tests}; ${reason}${host}` };
}

/** Computes are real if there is a Postgres. Nothing fails without one. */
async function postgresState(): Promise<string> {
  try {
    return (await lookForPostgres(process.env)).reason;
  } catch (error) {
    return `none, so computes are simulated: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function controlPlaneState(): string {
  const facts = readDaemonFacts();
  if (facts !== undefined && isAlive(facts.pid)) return `running, process ${facts.pid}`;
  return existsSync(stateFile) ? "not running; its data is kept" : "not running; no data yet";
}
