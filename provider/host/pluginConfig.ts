/**
 * The inputs of a provider, which are the plugin's configuration.
 */
import { readConfig, type ReadStackConfig } from "../config";
import type { CheckFailure } from "../endpoint/inputs";
import { unknownValue } from "../endpoint/verdict";
import { ConfigurationError } from "../errors";
import { markSecret, withoutMarks } from "./marks";

type Values = Record<string, unknown>;

/** What a check answers, of a resource and of a provider alike. */
export interface CheckAnswer {
  readonly inputs: Values;
  readonly failures: readonly CheckFailure[];
}

/** A wrong value is told once. A missing key is told by each resource: another configuration may not need it. */
export function checkConfig(news: Values): CheckAnswer {
  const { apiKey, ...others } = news;
  // The engine keeps a provider's inputs in the state: the key encrypted, whatever the program said of it.
  const inputs =
    apiKey === undefined ? others : { ...others, apiKey: markSecret(withoutMarks({ apiKey })["apiKey"]) };
  try {
    readConfig(configReader(news));
    return { inputs, failures: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { inputs, failures: [{ property: "", reason: error.message }] };
  }
}

/** A provider's inputs as stack configuration: `compute:apiKey` is `apiKey` there. Flags come as text or as such. */
export function configReader(args: Values): ReadStackConfig {
  const plain = withoutMarks(args);
  return (key) => {
    const value = plain[key.replace(/^compute:/, "")];
    if (value === undefined || value === null || value === unknownValue) return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
  };
}
