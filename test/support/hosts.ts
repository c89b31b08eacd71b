/** Both Node language hosts that can run a program: the official one, and the stand-in for machines without it. */
import { copyFileSync, linkSync, mkdirSync } from "node:fs";
import path from "node:path";
import { addNodePlugins, cachedEngine, makeCachedEngine } from "../../tools/engine/cache";
import { engineEnvironment, findEngine, withEngine } from "../../tools/engine/environment";
import { engineVariables, readEngineSettings } from "../../tools/engine/settings";
import { isWindows } from "./systems";

export const hosts = ["official", "stand-in"] as const;
export type Host = (typeof hosts)[number];

/** Why this machine does not have a host; undefined if it has. */
export function whyNot(host: Host): string | undefined {
  const { origin, binFolder } = findEngine();
  if (host === "stand-in") return isWindows ? "the stand-in is a script of sh" : undefined;
  if (origin !== "build") return undefined;
  return `the engine in ${binFolder} was built here, and none with an official host is on PATH`;
}

/** Tests of one host; without it they are skipped, and their name says why. */
export function describeHost(host: Host, name: string, tests: () => void): void {
  const why = whyNot(host);
  if (why === undefined) describe(`${name}, by the ${host} host`, tests);
  else describe.skip(`${name}, by the ${host} host (skipped: ${why})`, tests);
}

/** The hosts that this machine has. */
export function hostsHere(): Host[] {
  return hosts.filter((host) => whyNot(host) === undefined);
}

/** The part of a test's name that says which hosts are missing; empty if this machine has both. */
export function hostsMissing(): string {
  const missing = hosts.filter((host) => whyNot(host) !== undefined);
  return missing.map((host) => ` (the ${host} host is left out: ${whyNot(host) ?? ""})`).join("");
}

/**
 * The variables with which this project's own commands choose an engine with this host.
 *
 * @param folder - a folder of the caller's, where the stand-in can get an engine of its own.
 */
export async function choosing(host: Host, folder: string): Promise<Record<string, string>> {
  const { origin, binFolder } = findEngine();
  if (host === "official" || origin === "build") return {};
  // The existing CLI, in a cache of its own, with the stand-in beside it.
  const choice = {
    [engineVariables.ignorePath]: "true",
    [engineVariables.cacheFolder]: path.join(folder, "engine-with-stand-in"),
  };
  const settings = readEngineSettings({ ...process.env, ...choice });
  await makeCachedEngine(settings, "build", (staging) => {
    const bin = path.join(staging, "bin");
    mkdirSync(bin);
    linkOrCopy(path.join(binFolder, "pulumi"), path.join(bin, "pulumi"));
    addNodePlugins(bin);
    return Promise.resolve();
  });
  return choice;
}

/** What a `pulumi` command needs to run programs by this host. */
export async function hostEnvironment(host: Host, folder: string): Promise<NodeJS.ProcessEnv> {
  const own = engineEnvironment(path.join(folder, "home"));
  const choice = await choosing(host, folder);
  const chosen = cachedEngine(readEngineSettings({ ...process.env, ...choice }));
  return engineVariables.cacheFolder in choice && chosen
    ? { ...own, ...choice, ...withEngine(chosen, own) }
    : own;
}

/** Makes no symbolic link: a CLI finds its plugins beside the file that the link leads to. */
function linkOrCopy(file: string, link: string): void {
  try {
    linkSync(file, link);
  } catch {
    copyFileSync(file, link);
  }
}
