/**
 * `npm run doctor`: what this machine has, which engine is used and why. Fetches nothing.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

import { lookForPostgres } from "../../emulator/postgres/open";
import { checkoutFolder, localFolder } from "../checkout";
import { daemonFile, stateFile } from "../controlPlane/files";
import { isAlive, readDaemonFacts } from "../controlPlane/session";
import { cachedEngine, cachedEngineFolder, languageHostFile } from "../engine/cache";
import { EngineTooOldError, type Engine } from "../engine/engine";
import { engineOnPath, hasExecutable } from "../engine/onPath";
import { readEngineSettings, type EngineSettings } from "../engine/settings";
import { minimumEngineVersion } from "../engine/version";

/** One line of the table. */
interface Finding {
  readonly what: string;
  readonly state: string;
  /** Present where something is missing. */
  readonly remedy?: string;
}

export async function run(): Promise<number> {
  const settings = readEngineSettings(process.env);
  const engine = findEngine(settings);
  const findings: Finding[] = [
    { what: "node", state: `${process.versions.node}, ${process.execPath}` },
    ...engine.findings,
    languageHost(engine.engine),
    { what: "engine cache", state: cacheState(settings) },
    { what: "go", state: goVersion() ?? "not there; needed only to build an engine" },
    { what: "postgres", state: await postgresState() },
    { what: "local data", state: existsSync(localFolder) ? localFolder : `${localFolder}, not made yet` },
    { what: "control plane", state: controlPlaneState() },
  ];
  for (const { what, state, remedy } of findings) {
    console.log(`${remedy === undefined ? "ok     " : "missing"}  ${what.padEnd(14)} ${state}`);
    if (remedy !== undefined) console.log(`${" ".repeat(24)}→ ${remedy}`);
  }
  return findings.some(({ remedy }) => remedy !== undefined) ? 1 : 0;
}

function findEngine(settings: EngineSettings): { engine?: Engine; findings: Finding[] } {
  try {
    const onPath = engineOnPath(settings);
    if ("origin" in onPath) return { engine: onPath, findings: [describeEngine(onPath)] };
    const passedOver = { what: "pulumi on PATH", state: `not used: ${onPath.why}` };
    const cached = cachedEngine(settings);
    if (cached !== undefined) return { engine: cached, findings: [passedOver, describeEngine(cached)] };
    const remedy = "npm start or npm test downloads or builds one";
    return { findings: [passedOver, { what: "engine", state: "none on PATH, none in the cache", remedy }] };
  } catch (error) {
    if (!(error instanceof EngineTooOldError)) throw error;
    const state = `older than ${minimumEngineVersion}`;
    return { findings: [{ what: "engine", state, remedy: error.message }] };
  }
}

function describeEngine({ version, binFolder, reason }: Engine): Finding {
  return { what: "engine", state: `Pulumi ${version} in ${binFolder}: ${reason}` };
}

function languageHost(engine: Engine | undefined): Finding {
  const what = "language host";
  if (engine === undefined) return { what, state: "comes with the engine" };
  if (engine.origin !== "build") return { what, state: "the engine's own" };
  const complete = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"].every((name) =>
    hasExecutable(engine.binFolder, name),
  );
  if (complete)
    return { what, state: `this repository's, ${path.relative(checkoutFolder, languageHostFile)}` };
  const remedy = `remove ${path.dirname(engine.binFolder)}, and run npm start`;
  return { what, state: `not in ${engine.binFolder}`, remedy };
}

function cacheState(settings: EngineSettings): string {
  const folder = cachedEngineFolder(settings);
  return cachedEngine(settings) === undefined ? `${folder}, empty` : folder;
}

function goVersion(): string | undefined {
  const ran = spawnSync("go", ["version"], { encoding: "utf8" });
  return ran.status === 0 ? ran.stdout.trim() : undefined;
}

/** Computes are real where there is one; nothing fails for want of it. */
async function postgresState(): Promise<string> {
  try {
    return (await lookForPostgres(process.env)).reason;
  } catch (error) {
    return `none, so computes are simulated: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function controlPlaneState(): string {
  const facts = existsSync(daemonFile) ? readDaemonFacts() : undefined;
  if (facts !== undefined && isAlive(facts.pid)) return `running, process ${facts.pid}`;
  return existsSync(stateFile) ? "not running; its data is kept" : "not running; no data yet";
}
