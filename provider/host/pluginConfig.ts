/**
 * The inputs of a provider, which are the plugin's configuration.
 */
import { readConfig, type Configured } from "../settings/config";
import type { CheckFailure } from "../endpoint/planning/inputs";
import { unknownValue } from "../endpoint/planning/verdict";
import { ConfigurationError } from "../errors";
import { misreadOf, type Misread, type SettingSource } from "../settings/sources";
import { settings } from "../settings/table";
import { unknownKeys, unknownSetting } from "../settings/unknown";
import { markSecret, withoutMarks } from "./marks";
import type { Values } from "./stored";

/** What a check answers, of a resource and of a provider alike. */
export interface CheckAnswer {
  readonly inputs: Values;
  readonly failures: readonly CheckFailure[];
}

/** A provider as the engine names it, and its inputs. */
export interface OfProvider {
  /** Empty where the engine does not say. */
  readonly urn: string;
  readonly news: Values;
}

/** A wrong value is told once. A missing key is told by each resource: another configuration may not need it. */
export function checkConfig({ urn, news }: OfProvider): CheckAnswer {
  const { apiKey, ...others } = news;
  // The engine keeps a provider's inputs in the state: the key encrypted, whatever the program said of it.
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
  // Of a failure that names its property the engine prints the value as well: a key under a misspelt name would be read.
  return { inputs, failures: wrong.map(({ message }) => ({ property: "", reason: message })) };
}

/**
 * A provider's inputs as stack configuration: `compute:apiKey` is `apiKey` there. Flags come as text or as such.
 *
 * Into a provider that no program declares the engine puts the stack's configuration; one that a program declares gets
 * its own arguments, and nothing of the stack's.
 */
export function configuredIn(urn: string, args: Values): Configured {
  const plain = withoutMarks(args);
  return {
    place: placeOf(urn),
    read: (key) => {
      const value = plain[key.replace(/^compute:/, "")];
      if (value === undefined || value === null || value === unknownValue) return undefined;
      return typeof value === "string" ? value : JSON.stringify(value);
    },
  };
}

/** The engine knows its own providers by the same beginning of their name. */
function placeOf(urn: string): Exclude<SettingSource, "environment"> {
  const [name = ""] = urn.split("::").slice(3);
  return urn === "" || name.startsWith("default") ? "stack" : "argument";
}

/** The engine passes the version of the plugin along; what begins with two underscores is its own as well. */
const enginesOwn = /^(version|pluginDownloadURL|pluginChecksums|__.*)$/;

function unknownIn(urn: string, news: Values): readonly Misread[] {
  const [place, [, project = ""]] = [placeOf(urn), urn.split("::")];
  const keys = Object.keys(news).filter((key) => !enginesOwn.test(key));
  const unknown = unknownKeys(
    keys.map((key) => `compute:${key}`),
    place === "stack" ? project : "",
  );
  return unknown.map((key) => unknownSetting(key, place));
}

/** An argument that came out empty, such as a variable's that is not set, is not to mean the environment's account. */
function emptyIn(urn: string, news: Values): readonly Misread[] {
  const [place, plain] = [placeOf(urn), withoutMarks(news)];
  const empty = Object.values(settings).filter(({ name }) => {
    const value = plain[name];
    return place === "argument" && typeof value === "string" && value.trim() === "";
  });
  return empty.map((setting) =>
    misreadOf(setting, place, {
      what: "it is empty",
      fix: `Give it a value, or leave it out to take that of ${setting.variable}`,
    }),
  );
}
