/**
 * `npm run doctor`: what this machine has, which engine is used and why, and whether it runs a program. Fetches nothing.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

import { lookForPostgres } from "../../emulator/extras/postgres/open";
import { checkoutFolder, localFolder } from "../checkout";
import { daemonFile, stateFile } from "../controlPlane/files";
import { isAlive, readDaemonFacts } from "../controlPlane/session";
import { cachedEngine, cachedEngineFolder, languageHostFile } from "../engine/cache";
import { EngineTooOldError, type Engine } from "../engine/engine";
import { engineOnPath, hasExecutable } from "../engine/onPath";
import { readEngineSettings, type EngineSettings } from "../engine/settings";
import { previewTrial } from "../engine/trial";
import { minimumEngineVersion } from "../engine/version";

/** One line of the table. */
interface Finding {
  readonly what: string;
  readonly state: string;
  /** Present where something is missing or fails. */
  readonly remedy?: string;
  /** With a remedy: what is there, and does not work. */
  readonly fails?: true;
}

export async function run(): Promise<number> {
  const settings = readEngineSettings(process.env);
  const engine = findEngine(settings);
  const findings: Finding[] = [
    { what: "node", state: `${process.versions.node}, ${process.execPath}` },
    ...engine.findings,
    languageHost(engine.engine),
    ...(engine.engine === undefined ? [] : [await programState(engine.engine)]),
    { what: "engine cache", state: cacheState(settings) },
    { what: "go", state: goVersion() ?? "not there; needed only to build an engine" },
    { what: "postgres", state: await postgresState() },
    { what: "local data", state: existsSync(localFolder) ? localFolder : `${localFolder}, not made yet` },
    { what: "control plane", state: controlPlaneState() },
  ];
  for (const { what, state, remedy, fails } of findings) {
    const verdict = remedy === undefined ? "ok" : fails ? "fails" : "missing";
    console.log(`${verdict.padEnd(7)}  ${what.padEnd(14)} ${state}`);
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

/** That an engine is there does not mean that `npm start` works: so a program is run as it runs one. */
async function programState(engine: Engine): Promise<Finding> {
  const what = "a program";
  const { code, output } = await previewTrial(engine);
  if (code === 0) return { what, state: "was previewed by this engine, in a temporary folder" };
  const state = `\`pulumi preview\` of a small program ended with ${code}:\n${indented(output)}`;
  return { what, state, fails: true, remedy: remedyFor(engine) };
}

function indented(output: string): string {
  return output
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => `${" ".repeat(24)}${line}`)
    .join("\n");
}

function remedyFor({ origin, binFolder }: Engine): string {
  const packages =
    "the engine's message says why. `npm ci` brings the packages of package-lock.json back; for another engine, ";
  return origin === "path"
    ? `${packages}install Pulumi again, or set COMPUTE_ENGINE_IGNORE_PATH=true`
    : `${packages}remove ${path.dirname(binFolder)}. Then run npm start`;
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
