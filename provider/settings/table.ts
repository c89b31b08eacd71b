/**
 * The table of all settings. The name of a setting in the stack's configuration, in the environment and in a
 * provider's arguments follows from its name here; its type follows from its row.
 *
 * Pure: stack programs read some of the settings.
 */
import type { Unreadable } from "../model/errors";
import { serviceNames } from "../model/services";
import { policies, windowFrom } from "../model/interruptionWindow";

/** How many requests of each route the service accepts. */
export interface RateLimits {
  readonly perSecond: number;
  readonly perMinute: number;
}

/**
 * These defaults are below the limits that the best known service publishes (40 and 700): requests that are sent evenly may
 * arrive unevenly.
 */
export const defaultRateLimits: RateLimits = { perSecond: 36, perMinute: 680 };

/** Requests are sent at once, until the service refuses one. */
export const noRateLimits: RateLimits = { perSecond: Infinity, perMinute: Infinity };

/**
 * The limits that `compute:requestsPerMinute` sets. The limit per second grows with the limit per minute, in the proportion of
 * the defaults: a service that accepts more requests in a minute also accepts more at once.
 */
function rateLimitsFrom(text: string): RateLimits | Unreadable {
  if (!/^\d{1,9}$/.test(text)) {
    return {
      what: `"${text.slice(0, 40)}" is not a valid value`,
      fix: "Set it to a whole number from 0 (no limit) to 999999999",
      example: String(defaultRateLimits.perMinute),
    };
  }
  const perMinute = Number(text);
  if (perMinute === 0) return noRateLimits;
  const ofAMinute = defaultRateLimits.perSecond / defaultRateLimits.perMinute;
  return { perSecond: Math.ceil(perMinute * ofAMinute), perMinute };
}

export interface SettingRow {
  /** A list: one of these words; the first is the default. A count: a whole number, at least 0. */
  readonly kind: "secret" | "text" | "flag" | "count" | readonly string[];
  /** The description in docs/reference.md and in the plugin's schema. */
  readonly meaning: string;
  /** The default. A flag always has one; a text may have none. */
  readonly otherwise?: unknown;
  /** Parses the text of a setting with a special format. */
  readonly parse?: (text: string) => object;
  /** True if the words go from the least strict to the strictest, and the strictest word that any source sets counts. */
  readonly strictestCounts?: true;
}

const rows = {
  apiKey: {
    kind: "secret",
    meaning: "the service's API key; in the stack, set it with `pulumi config set --secret`",
  },
  baseUrl: {
    kind: "text",
    meaning: "the service's address without `/api/v2`; https, or http on this machine",
  },
  onInterruption: {
    kind: policies,
    meaning:
      "default for resources that do not set `onInterruption`; if the environment sets it too, the stricter value counts",
    strictestCounts: true,
  },
  interruptionWindow: {
    kind: "text",
    meaning:
      'when deferred changes (`onInterruption: "defer"`) are applied, unless the compute is idle earlier: `Sat,Sun 02:00-04:00 Europe/Berlin` (separate several with `;`) or `always`',
    parse: windowFrom,
  },
  liveFacts: {
    kind: "flag",
    meaning:
      "if a change interrupts a compute, previews and updates ask the service what the compute does now",
    otherwise: true,
  },
  service: {
    kind: serviceNames,
    meaning:
      "the service whose sizes and figures apply: `interface`, `neon` or `unknown` (any size is accepted, no figures appear)",
  },
  requestsPerMinute: {
    kind: "count",
    meaning:
      "how many requests a process sends to one route per minute; set it slightly below the service's limit; `0` means no limit: only a 429 slows requests down",
    parse: rateLimitsFrom,
    otherwise: defaultRateLimits,
  },
  refreshBeforeUpdate: {
    kind: "flag",
    meaning:
      "plugin only: reads each compute before a preview or update, so that changes made by hand are seen",
    otherwise: true,
  },
} as const satisfies Record<string, SettingRow>;

export type SettingName = keyof typeof rows;

/** A setting's row, with its name in each source. */
export interface Setting<Name extends SettingName = SettingName> extends SettingRow {
  /** Name of the provider's argument. */
  readonly name: Name;
  /** Key in the stack's configuration. */
  readonly key: `compute:${Name}`;
  /** Name of the environment variable: `COMPUTE_API_KEY`. */
  readonly variable: string;
  readonly kind: (typeof rows)[Name]["kind"];
}

/** The type of a setting's value. */
type SettingValueOf<R extends SettingRow> = R extends { kind: readonly (infer Word)[] }
  ? Word
  : R extends { kind: "flag" }
    ? boolean
    : R extends { parse: (text: string) => infer Parsed }
      ? Exclude<Parsed, Unreadable> | (R extends { otherwise: unknown } ? never : undefined)
      : R extends { otherwise: string }
        ? string
        : string | undefined;

export type SettingValues = { readonly [Name in SettingName]: SettingValueOf<(typeof rows)[Name]> };

/** The first part of each key in a stack's configuration. */
export const settingsNamespace = "compute";

export function settingKey<Name extends string>(name: Name): `${typeof settingsNamespace}:${Name}` {
  return `${settingsNamespace}:${name}`;
}

/** The environment variable of a setting. */
export function variableOf(name: string): string {
  return `COMPUTE_${name.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}`;
}

export const settings = Object.fromEntries(
  Object.entries(rows).map(([name, row]) => [
    name,
    { ...row, name, key: settingKey(name), variable: variableOf(name) },
  ]),
) as unknown as { readonly [Name in SettingName]: Setting<Name> };
