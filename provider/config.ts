/**
 * Where the service is and how to speak to it. The only file that reads the environment.
 *
 * The environment wins over the stack's configuration: a key in it leaves no trace in any of the engine's logs.
 */
import { join } from "node:path";
import { backendOf } from "./backend";
import { ConfigurationError, type Unreadable } from "./errors";
import { windowFrom, windowSetting, type InterruptionWindow } from "./interruptionWindow";
import { pooledHostRuleFrom, pooledHostSetting } from "./pooledHosts";
import { isLoopback, readProxy, type Proxy } from "./proxy";
import { defaultRateLimits, rateLimitsFrom, rateSetting, type RateLimits } from "./rates";
import { interfaceSizes, type SizeTable } from "./sizes";
import { sizeTableFrom, sizeTableSetting, withoutFigures } from "./sizeTables";
import { stateHome } from "./userFolders";

export const policies = ["warn", "forbid", "forbid-when-active", "defer"] as const;

/** What a change that drops open connections does to a run. */
export type InterruptionPolicy = (typeof policies)[number];

/** One setting: its stack configuration key, its environment variable, what it takes, and what it does. */
interface Setting {
  readonly key: `compute:${string}`;
  readonly variable: string;
  /** A list: one of these words. A count: a whole number from 0 on. */
  readonly kind: "secret" | "text" | "flag" | "count" | readonly string[];
  /** docs/reference.md and the plugin's schema tell it. */
  readonly meaning: string;
}

/** The one table of settings: what is read here, and told elsewhere. */
export const settings = {
  apiKey: {
    key: "compute:apiKey",
    variable: "COMPUTE_API_KEY",
    kind: "secret",
    meaning: "the service's API key; in the stack with `pulumi config set --secret`",
  },
  baseUrl: {
    key: "compute:baseUrl",
    variable: "COMPUTE_BASE_URL",
    kind: "text",
    meaning: "the service's address without `/api/v2`; https, or http on this machine",
  },
  onInterruption: {
    key: "compute:onInterruption",
    variable: "COMPUTE_ON_INTERRUPTION",
    kind: policies,
    meaning: "`onInterruption` of resources that say nothing of it",
  },
  interruptionWindow: {
    ...windowSetting,
    kind: "text",
    meaning:
      'when what `onInterruption: "defer"` holds back is applied: `Sat,Sun 02:00-04:00 Europe/Berlin`, with `;` between several, or `always`',
  },
  liveFacts: {
    key: "compute:liveFacts",
    variable: "COMPUTE_LIVE_FACTS",
    kind: "flag",
    meaning: "a preview asks the service how a compute is now, where a change interrupts it",
  },
  updatePlans: {
    key: "compute:updatePlans",
    variable: "COMPUTE_UPDATE_PLANS",
    kind: "flag",
    meaning: "keeps the notice of an interruption through the update, for saved plans",
  },
  sizeTable: {
    ...sizeTableSetting,
    kind: "text",
    meaning:
      "which sizes there are, and their figures: `interface`, `neon`, or a JSON list of rows `{ cu, ramGb, maxConnections, localFileCacheGb }`, of which `cu` alone is required",
  },
  figures: {
    key: "compute:figures",
    variable: "COMPUTE_FIGURES",
    kind: "flag",
    meaning: "notices and reports give max_connections, RAM and file cache",
  },
  pooledHost: {
    ...pooledHostSetting,
    kind: "text",
    meaning:
      "what the service calls a compute's pooled host, for `connectionString`: `neon`, or a pattern such as `{name}-pooler.{domain}`",
  },
  allowUnlistedSizes: {
    key: "compute:allowUnlistedSizes",
    variable: "COMPUTE_ALLOW_UNLISTED_SIZES",
    kind: "flag",
    meaning: "takes every size above 0",
  },
  replicaType: {
    key: "compute:replicaType",
    variable: "COMPUTE_REPLICA_TYPE",
    kind: "text",
    meaning: "what the service calls a replica in `type`",
  },
  readSingle: {
    key: "compute:readSingle",
    variable: "COMPUTE_READ_SINGLE",
    kind: "flag",
    meaning: "the service also answers `GET …/endpoints/{id}`, which the interface has not",
  },
  restartOrder: {
    key: "compute:restartOrder",
    variable: "COMPUTE_RESTART_ORDER",
    kind: ["replicas-first", "any"],
    meaning: "`any` restarts computes of one branch together, as the engine hands them out",
  },
  missingProject: {
    key: "compute:missingProject",
    variable: "COMPUTE_MISSING_PROJECT",
    kind: ["error", "gone"],
    meaning: "`gone`, for one run: a project that the service does not know was deleted, with its computes",
  },
  requestsPerMinute: {
    ...rateSetting,
    kind: "count",
    meaning:
      "how many requests of one route a process sends in a minute: a little below what the service takes; `0` keeps no limit, and obeys answers of 429 alone",
  },
  journalFolder: {
    key: "compute:journalFolder",
    variable: "COMPUTE_JOURNAL_FOLDER",
    kind: "text",
    meaning: "where creates are written down before they are sent",
  },
  refreshBeforeUpdate: {
    key: "compute:refreshBeforeUpdate",
    variable: "COMPUTE_REFRESH_BEFORE_UPDATE",
    kind: "flag",
    meaning:
      "plugin alone: reads each compute before a preview or update, so that it sees what was changed by hand",
  },
} as const satisfies Record<string, Setting>;

/** What every request needs. */
export interface Connection {
  readonly apiKey: string;
  /** Without `/api/v2` and without a slash at its end. */
  readonly baseUrl: string;
  /** What requests go through, but for hosts in NO_PROXY. */
  readonly proxy?: Proxy | undefined;
}

export interface ProviderConfig {
  /** The sizes that there are; without figures where notices and reports are to give none. Default: interface 8.1. */
  readonly sizeTable: SizeTable;
  /** Sizes outside that table pass. Default false. */
  readonly allowUnlistedSizes: boolean;
  /** What the service calls a read replica on the wire: interface 2.1 does not show it. Default `read_only`. */
  readonly replicaType: string;
  /** The service also answers `GET …/endpoints/{id}`, which the interface does not have. Default false. */
  readonly readSingle: boolean;
  /** What an interruption does where a resource says nothing of it. Default `warn`. */
  readonly onInterruption: InterruptionPolicy;
  /** When what `defer` holds back is applied; without it, never. */
  readonly interruptionWindow?: InterruptionWindow | undefined;
  /** A preview whose change interrupts asks the service how the compute is now. Default true. */
  readonly liveFacts: boolean;
  /** Keeps the notice of an interruption through the update, as saved plans need it. Default false. */
  readonly updatePlans: boolean;
  /** The plugin has the engine read each compute before it plans, so that a preview sees drift. Default true. */
  readonly refreshBeforeUpdate: boolean;
  /** Computes of one branch are interrupted one after the other, the primary last. Default true. */
  readonly ordersRestarts: boolean;
  /** What requests of each route are kept to. */
  readonly rateLimits: RateLimits;
  /** Where creates are written down before they are sent. Default: `pulumi-compute-endpoint/journal` in the user's state folder. */
  readonly journalFolder: string;
  /** Where Pulumi keeps its states, as far as this machine says: stacks of one name on two backends are two. */
  readonly backend: string;
  /** A project that the service does not know counts as deleted, with all its computes. Default false: an error. */
  readonly missingProjectIsGone: boolean;
  /** @throws ConfigurationError where the key or the base URL is missing or cannot be right. */
  connection(): Connection;
}

/** Reads one stack configuration value by its full key, such as `compute:apiKey`. */
export type ReadStackConfig = (key: string) => string | undefined;

/** @throws ConfigurationError for a value that cannot be read; never for a missing key or base URL. */
export function readConfig(
  stack: ReadStackConfig,
  environment: NodeJS.ProcessEnv = process.env,
): ProviderConfig {
  const read = (setting: Setting): string | undefined => {
    const values = [environment[setting.variable], stack(setting.key)].map((value) => value?.trim() ?? "");
    return values.find((value) => value !== "");
  };
  const sizeTable = readForm(settings.sizeTable, read, sizeTableFrom) ?? interfaceSizes;
  // Programs alone go by it; a wrong one is told by each run, not only by the first that asks for it.
  readForm(settings.pooledHost, read, pooledHostRuleFrom);
  return {
    sizeTable: readFlag(settings.figures, read, true) ? sizeTable : withoutFigures(sizeTable),
    allowUnlistedSizes: readFlag(settings.allowUnlistedSizes, read, false),
    replicaType: read(settings.replicaType) ?? "read_only",
    readSingle: readFlag(settings.readSingle, read, false),
    onInterruption: readWord(settings.onInterruption, read),
    interruptionWindow: readForm(settings.interruptionWindow, read, windowFrom),
    liveFacts: readFlag(settings.liveFacts, read, true),
    updatePlans: readFlag(settings.updatePlans, read, false),
    refreshBeforeUpdate: readFlag(settings.refreshBeforeUpdate, read, true),
    ordersRestarts: readWord(settings.restartOrder, read) !== "any",
    rateLimits: readForm(settings.requestsPerMinute, read, rateLimitsFrom) ?? defaultRateLimits,
    journalFolder:
      read(settings.journalFolder) ?? join(stateHome(environment), "pulumi-compute-endpoint", "journal"),
    backend: backendOf(environment),
    missingProjectIsGone: readWord(settings.missingProject, read) === "gone",
    connection: () => ({
      apiKey: readApiKey(read),
      baseUrl: readBaseUrl(read),
      proxy: readProxy(environment),
    }),
  };
}

type Read = (setting: Setting) => string | undefined;

function readFlag(setting: Setting & { readonly kind: "flag" }, read: Read, otherwise: boolean): boolean {
  const value = read(setting);
  if (value === undefined) return otherwise;
  if (value === "true" || value === "false") return value === "true";
  const fix = `Set it to true or false: \`pulumi config set ${setting.key} true\`, or ${setting.variable}`;
  throw unreadable(setting, { what: quoted(value), fix });
}

function unreadable({ key }: Setting, problem: Unreadable): ConfigurationError {
  return new ConfigurationError({ doing: `reading the configuration ${key}`, ...problem });
}

function quoted(value: string): string {
  return `it is "${value.slice(0, 40)}"`;
}

/** @returns the first of its words where it is not set. */
function readWord<Word extends string>(
  setting: Omit<Setting, "kind"> & { readonly kind: readonly [Word, ...Word[]] },
  read: Read,
): Word {
  const [otherwise] = setting.kind;
  const value = read(setting) ?? otherwise;
  const word = setting.kind.find((name) => name === value);
  if (word !== undefined) return word;
  const words = setting.kind.join(setting.kind.length === 2 ? " or " : ", ");
  throw unreadable(setting, {
    what: quoted(value),
    fix: `Set it to ${words}: \`pulumi config set ${setting.key} ${otherwise}\`, or ${setting.variable}`,
  });
}

/** A text with a form of its own; undefined where it is not set. */
function readForm<T extends object>(
  setting: Setting,
  read: Read,
  parse: (text: string) => T | Unreadable,
): T | undefined {
  const text = read(setting);
  const value = text === undefined ? undefined : parse(text);
  if (value !== undefined && "fix" in value) throw unreadable(setting, value);
  return value;
}

function readApiKey(read: Read): string {
  const key = read(settings.apiKey);
  if (key === undefined) {
    throw wrongConnection({
      what: "there is no API key",
      fix: "Set the environment variable COMPUTE_API_KEY, or run `pulumi config set --secret compute:apiKey`",
    });
  }
  // A header cannot carry anything else; the value itself stays out of the message.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw wrongConnection({
      what: "the API key holds spaces, line breaks or characters outside ASCII",
      fix: "Copy the key again into COMPUTE_API_KEY or `pulumi config set --secret compute:apiKey`",
    });
  }
  return key;
}

function wrongConnection(problem: Unreadable): ConfigurationError {
  return new ConfigurationError({ doing: "reading the configuration", doubtsConnection: true, ...problem });
}

function readBaseUrl(read: Read): string {
  const text = read(settings.baseUrl);
  const fix = "Set COMPUTE_BASE_URL, or run `pulumi config set compute:baseUrl https://…` (without /api/v2)";
  if (text === undefined) throw wrongConnection({ what: "there is no base URL of the service", fix });
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["https:", "http:"].includes(url.protocol)) {
    throw wrongConnection({ what: "the base URL is not an https address", fix });
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw wrongConnection({ what: "the base URL holds more than a host and a path", fix });
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    const what = `the base URL ${url.origin} is not https: the API key would be readable on its way`;
    throw wrongConnection({
      what,
      fix: "Use https; plain http is for services on this machine alone",
    });
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "").replace(/\/api\/v2$/, "");
}
