/**
 * Reads the configuration of a provider process. Only this file reads settings from the environment.
 *
 * The settings are in `table.ts`, the order of their sources in `sources.ts`.
 */
import { ConfigurationError, type Unreadable } from "../model/errors";
import { serviceAt } from "../model/services";
import { isLoopback, readProxy, type Proxy } from "./proxy";
import {
  givenIn,
  misreadOf,
  readSetting,
  type Given,
  type SettingSource,
  type SettingSources,
} from "./sources";
import { settings, type SettingValues } from "./table";

/** What every request needs. */
export interface Connection {
  readonly apiKey: string;
  /** Without `/api/v2` and without a slash at the end. */
  readonly baseUrl: string;
  /** The proxy for requests, except to hosts in NO_PROXY. */
  readonly proxy?: Proxy | undefined;
}

/** Secrets in the environment that are not settings of this provider. No message may show them either. */
export function environmentSecrets(environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  return [environment["PULUMI_ACCESS_TOKEN"] ?? ""];
}

/** The settings that are not part of a connection. */
type UsedSettings = Omit<SettingValues, "apiKey" | "baseUrl">;

export interface ProviderConfig extends UsedSettings {
  /** The source of `onInterruption`; undefined if no source sets it. */
  readonly onInterruptionPlace: SettingSource | undefined;
  /** @throws ConfigurationError if the key or the base URL is missing or invalid. */
  connection(): Connection;
}

/** Reads one stack configuration value by its full key, such as `compute:apiKey`. */
export type ReadStackConfig = (key: string) => string | undefined;

/** The settings that a host gets from the program and the stack. */
export interface Configured {
  readonly read: ReadStackConfig;
  /**
   * The source of these settings: the engine passes a provider's arguments and the stack's configuration to a plugin in the
   * same form.
   */
  readonly place: Exclude<SettingSource, "environment">;
}

/** @throws ConfigurationError for a value that cannot be read; never for a missing key or base URL. */
export function readConfig(
  given: ReadStackConfig | Configured,
  environment: NodeJS.ProcessEnv = process.env,
): ProviderConfig {
  const { read: readGiven, place } = typeof given === "function" ? { read: given, place: "stack" } : given;
  const sources: SettingSources = {
    [place]: ({ key }: { readonly key: string }) => readGiven(key),
    environment: ({ variable }) => environment[variable],
  };
  const { apiKey: _key, baseUrl: _address, ...others } = settings;
  const read = Object.values(others).map(({ name }) => {
    const setting = readSetting(sources, name);
    if ("misread" in setting) throw new ConfigurationError(setting.misread);
    return [name, setting.value] as const;
  });
  const values = Object.fromEntries(read) as unknown as UsedSettings;
  return {
    ...values,
    onInterruptionPlace: givenIn(sources, "onInterruption")?.place,
    service:
      givenIn(sources, "service") === undefined
        ? serviceAt(givenIn(sources, "baseUrl")?.text)
        : values.service,
    connection: () => {
      const [key, address] = [givenIn(sources, "apiKey"), givenIn(sources, "baseUrl")];
      if (key === undefined && address === undefined) throw missing(neither);
      return { apiKey: readApiKey(key), baseUrl: readBaseUrl(address), proxy: readProxy(environment) };
    },
  };
}

/**
 * The environment of `pulumi` commands that this process runs. They skip the check for a newer version, which the run itself
 * makes.
 */
export function commandEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
}

const neither = {
  what: "no API key is set, and no base URL",
  fix: "Set the environment variable COMPUTE_API_KEY, or run `pulumi config set --secret compute:apiKey`. Also set COMPUTE_BASE_URL, or run `pulumi config set compute:baseUrl https://…` (without /api/v2)",
};

function readApiKey(given: Given | undefined): string {
  if (given === undefined) {
    throw missing({
      what: "no API key is set",
      fix: "Set the environment variable COMPUTE_API_KEY, or run `pulumi config set --secret compute:apiKey`",
    });
  }
  // A header cannot contain other characters. The message does not show the value.
  if (!/^[\x21-\x7e]+$/.test(given.text)) {
    throw wrong("apiKey", given, {
      what: "the API key contains spaces, line breaks or characters outside ASCII",
      fix: "Copy the key again",
    });
  }
  return given.text;
}

function missing(reason: Unreadable): ConfigurationError {
  return new ConfigurationError({ doing: "reading the configuration", doubtsConnection: true, ...reason });
}

/** @param given - the wrong value; its place is where the user has to correct it. */
function wrong(name: "apiKey" | "baseUrl", { place }: Given, reason: Unreadable): ConfigurationError {
  return new ConfigurationError({ ...misreadOf(name, place, reason), doubtsConnection: true });
}

function readBaseUrl(given: Given | undefined): string {
  if (given === undefined) {
    const fix =
      "Set COMPUTE_BASE_URL, or run `pulumi config set compute:baseUrl https://…` (without /api/v2)";
    throw missing({ what: "no base URL is set", fix });
  }
  const refused = (what: string, fix = "Write it as https://… (without /api/v2)"): ConfigurationError =>
    wrong("baseUrl", given, { what, fix });
  const url = URL.canParse(given.text) ? new URL(given.text) : undefined;
  if (url === undefined || !["https:", "http:"].includes(url.protocol))
    throw refused("the base URL is not an https address");
  if ([url.username, url.password, url.search, url.hash].join("") !== "")
    throw refused("the base URL contains more than a host and a path");
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    const what = `the base URL ${url.origin} is not https: the API key would be sent unencrypted`;
    throw refused(what, "Use https: plain http is only for services on this machine");
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "").replace(/\/api\/v2$/, "");
}
