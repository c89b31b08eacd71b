/**
 * The environment in which a `pulumi` command runs isolated, without the caller's settings.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";

import { ExpectedError } from "../expectedError";
import { cachedEngine, languageHostFile, languageHostVariable } from "./cache";
import type { Engine } from "./engine";
import { engineOnPath } from "./onPath";
import { readEngineSettings } from "./settings";

/**
 * Everything that a `pulumi` command needs to run isolated: the engine on PATH, and its own home, state and passphrase.
 *
 * None of the caller's Pulumi settings are passed on, so a test cannot reach a real stack by accident.
 *
 * @param home - the caller's folder, in which the engine's home and the state are made.
 * @throws ExpectedError if no engine is on PATH or in the cache: `npm test` and `npm start` provide one.
 */
export function engineEnvironment(home: string): NodeJS.ProcessEnv {
  return { ...withEngine(findEngine(), inheritedEnvironment()), ...isolatedStackVariables(home) };
}

/** The caller's own variables, without settings of Pulumi and of this provider, which are meant for other stacks. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  const others = /^(PULUMI|COMPUTE_(?!ENGINE_))/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.test(name)));
}

/** The variables that keep stacks in a folder, keep the engine off the network, and shorten its runs. */
export function isolatedStackVariables(home: string): Record<string, string> {
  const state = path.join(home, "state");
  mkdirSync(state, { recursive: true });
  return {
    PULUMI_HOME: path.join(home, "pulumi-home"),
    PULUMI_BACKEND_URL: fileBackend(state),
    // This protects nothing: these stacks contain only the secrets of tests.
    PULUMI_CONFIG_PASSPHRASE: "local",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    // `npm run types` checks the programs of this repository. Checking them again takes 4 s of each run.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  };
}

/**
 * A folder as a backend. With backslashes, the engine would take the URL for an address of Pulumi Cloud; after three
 * slashes, it would find no drive letter.
 */
export function fileBackend(folder: string, { sep }: Pick<path.PlatformPath, "sep"> = path): string {
  return `file://${folder.replaceAll(sep, "/")}`;
}

/** The environment with this engine on PATH. */
export function withEngine(engine: Engine, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // An engine on PATH stays where it is: moving its folder to the front would also bring other programs to the front,
  // such as another node.
  if (engine.origin === "path") return { ...env };
  return {
    ...firstOnPath(engine.binFolder, env),
    // Only a CLI that was built here has the pointer file (cache.ts) that reads this variable.
    ...(engine.origin === "build" && { [languageHostVariable]: languageHostFile }),
  };
}

/** The environment with this folder first on PATH. */
export function firstOnPath(folder: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // Windows calls it `Path`, and only process.env itself ignores case. If both spellings are set, a child gets only
  // PATH.
  const name = Object.keys(env).find((variable) => variable.toUpperCase() === "PATH") ?? "PATH";
  return { ...env, [name]: [folder, env[name] ?? ""].join(path.delimiter) };
}

/** The engine of this machine, without fetching one. */
export function findEngine(): Engine {
  return (found ??= lookForEngine());
}

/** Kept for the whole process, since asking an engine for its version takes 150 ms. */
let found: Engine | undefined;

function lookForEngine(): Engine {
  const settings = readEngineSettings(process.env);
  const onPath = engineOnPath(settings);
  const engine = "origin" in onPath ? onPath : cachedEngine(settings);
  if (engine === undefined) {
    throw new ExpectedError(
      "Looking for an engine: there is no usable pulumi on PATH or in the cache. Run `npm run doctor`.",
    );
  }
  return engine;
}
