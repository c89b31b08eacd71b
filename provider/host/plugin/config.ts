/**
 * Reads the inputs of a provider, which are the plugin's configuration.
 */
import { isDeepStrictEqual } from "node:util";
import { readConfig, type Configured } from "../../settings/config";
import type { CheckFailure } from "../../model/inputs";
import { unknownValue } from "../../model/unknown";
import { ConfigurationError } from "../../model/errors";
import {
  misreadOf,
  unknownKeys,
  unknownSetting,
  type Misread,
  type SettingSource,
} from "../../settings/sources";
import { settings } from "../../settings/table";
import type { Session } from "../session";
import { markSecret, withoutMarks } from "./propertyValues";
import type { Values } from "../../model/stored";

/** The answer to a check, of a resource or of a provider. */
export interface CheckAnswer {
  readonly inputs: Values;
  readonly failures: readonly CheckFailure[];
}

/**
 * Reports each wrong value once, for the provider. A missing key is reported by each resource instead: a configuration that no
 * resource uses needs no key.
 *
 * @param provider.urn - empty if the engine does not pass it.
 */
export function checkConfig({ urn, news }: { readonly urn: string; readonly news: Values }): CheckAnswer {
  const { apiKey, ...others } = news;
  // The engine stores a provider's inputs in the state: mark the key as secret, even if the program did not.
  const inputs =
    apiKey === undefined ? others : { ...others, apiKey: markSecret(withoutMarks({ apiKey })["apiKey"]) };
  const wrong = [...unknownIn(urn, news), ...emptyIn(urn, news)].map(
    (misread) => new ConfigurationError(misread),
  );
  try {
    readConfig(configuredIn(urn, news));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    wrong.push(error);
  }
  // Failures name no property: the engine would print the property's value, and so reveal a key under a misspelt name.
  return { inputs, failures: wrong.map(({ message }) => ({ property: "", reason: message })) };
}

/**
 * A provider's inputs as stack configuration: the input `apiKey` is read as `compute:apiKey`. Flags are text or booleans.
 *
 * The engine passes the stack's configuration to a provider that no program declares; a declared provider gets only
 * its own arguments.
 */
function configuredIn(urn: string, args: Values): Configured {
  const plain = withoutMarks(args);
  return {
    place: settingSourceOf(urn),
    read: (key) => {
      const value = plain[key.replace(/^compute:/, "")];
      if (value === undefined || value === null || value === unknownValue) return undefined;
      return typeof value === "string" ? value : JSON.stringify(value);
    },
  };
}

/** The names of the engine's default providers begin with `default`. */
function settingSourceOf(urn: string): Exclude<SettingSource, "environment"> {
  const [name = ""] = urn.split("::").slice(3);
  return urn === "" || name.startsWith("default") ? "stack" : "argument";
}

/** Inputs that the engine adds: the plugin's version, where to download it, and names with two leading underscores. */
const enginesOwn = /^(version|pluginDownloadURL|pluginChecksums|__.*)$/;

function unknownIn(urn: string, news: Values): readonly Misread[] {
  const place = settingSourceOf(urn);
  const [, project = ""] = urn.split("::");
  const keys = Object.keys(news).filter((key) => !enginesOwn.test(key));
  const unknown = unknownKeys(
    keys.map((key) => `compute:${key}`),
    place === "stack" ? project : "",
  );
  return unknown.map((key) => unknownSetting(key, place));
}

/**
 * Finds empty arguments of a declared provider, for example from an unset variable: with them, the provider would silently use
 * the environment's account.
 */
function emptyIn(urn: string, news: Values): readonly Misread[] {
  if (settingSourceOf(urn) !== "argument") return [];
  const plain = withoutMarks(news);
  const empty = Object.values(settings).filter(({ name }) => {
    const value = plain[name];
    return typeof value === "string" && value.trim() === "";
  });
  return empty.map((setting) =>
    misreadOf(setting.name, "argument", {
      what: "it is empty",
      fix: `Set it, or leave it out to use the value of ${setting.variable}`,
    }),
  );
}

/**
 * Takes the configuration of a plugin's process once. Every user of the machine can reach the plugin's port: a second
 * configuration could send the key of the environment to another address, or turn off a policy.
 *
 * @returns a function that throws a ConfigurationError if it is called again with other values.
 */
export function createConfigurator(session: Session): (args: Values, urn?: string) => void {
  let first: { readonly args: Values; readonly urn: string } | undefined;
  return (args, urn = "") => {
    if (first === undefined) {
      first = { args, urn };
      session.configure(configuredIn(urn, args));
    } else if (!isDeepStrictEqual(first, { args, urn })) throw secondConfiguration();
  };
}

function secondConfiguration(): ConfigurationError {
  return new ConfigurationError({
    doing: "configuring the provider",
    what: "this process already has another configuration, and keeps it",
    fix: "Run the command again: each run starts a new process. If PULUMI_DEBUG_PROVIDERS names this process, restart it first. If the error comes back, another program on this machine may have configured the process: see SECURITY.md of pulumi-compute-endpoint",
  });
}
