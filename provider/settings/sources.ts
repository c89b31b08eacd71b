/**
 * The sources of a setting, their order, and names that are not settings. The provider and stack programs follow the same
 * rules. Pure.
 */
import type { Unreadable } from "../model/errors";
import { nearestOf } from "../model/mistakes";
import {
  settingKey,
  settings,
  settingsNamespace,
  variableOf,
  type Setting,
  type SettingName,
  type SettingRow,
  type SettingValues,
} from "./table";

/**
 * The first source that sets a value counts: a provider's arguments, then the stack's configuration, then the
 * environment, which applies to every stack. So an exported variable never overrides an account that a program or a
 * stack names.
 */
const placesInOrder = ["argument", "stack", "environment"] as const;

export type SettingSource = (typeof placesInOrder)[number];

/** Looks a setting up in each source that is available to the reader. */
export type SettingSources = { readonly [P in SettingSource]?: (setting: Setting) => string | undefined };

/** A value that cannot be read, and its source. */
export interface Misread extends Unreadable {
  /** `reading the configuration compute:liveFacts`. */
  readonly doing: string;
}

/** A value, and its source. */
export interface Given {
  readonly text: string;
  readonly place: SettingSource;
}

/** @returns undefined if no source sets it; a blank value counts as not set. */
export function givenIn(sources: SettingSources, name: SettingName): Given | undefined {
  const given = placesInOrder.flatMap((place) => {
    const text = sources[place]?.(settings[name])?.trim() ?? "";
    return text === "" ? [] : [{ text, place }];
  });
  const { kind, strictestCounts } = settings[name];
  return strictestCounts === true && typeof kind === "object" ? strictest(given, kind) : given[0];
}

/** The strictest of the given words. An invalid word has priority: it is refused, wherever it is set. */
function strictest(given: readonly Given[], words: readonly string[]): Given | undefined {
  const strictness = ({ text }: Given): number => (words.includes(text) ? words.indexOf(text) : Infinity);
  return given.reduce<Given | undefined>(
    (chosen, next) => (chosen === undefined || strictness(next) > strictness(chosen) ? next : chosen),
    undefined,
  );
}

/** The value of a setting, or its default; or why its value cannot be read. */
export function readSetting<Name extends SettingName>(
  sources: SettingSources,
  name: Name,
): { readonly value: SettingValues[Name] } | { readonly misread: Misread } {
  const { kind, otherwise, parse }: Setting = settings[name];
  const given = givenIn(sources, name);
  if (given === undefined)
    return { value: (typeof kind === "object" ? kind[0] : otherwise) as SettingValues[Name] };
  const value = parse?.(given.text) ?? valueOf(given.text, kind);
  if (isUnreadable(value)) return { misread: misreadOf(name, given.place, value) };
  return { value: value as SettingValues[Name] };
}

/** The value of a setting without its own parser. */
function valueOf(text: string, kind: SettingRow["kind"]): string | boolean | Unreadable {
  if (kind === "flag") {
    if (text === "true" || text === "false") return text === "true";
    return { what: quoted(text), fix: "Set it to true or false", example: "true" };
  }
  if (typeof kind === "string" || kind.includes(text)) return text;
  return { what: quoted(text), fix: `Set it to one of ${kind.join(", ")}`, example: kind[0] };
}

function isUnreadable(value: object | string | number | boolean): value is Unreadable {
  return typeof value === "object" && "fix" in value;
}

function quoted(text: string): string {
  return `"${text.slice(0, 40)}" is not a valid value`;
}

/** Names the source of the value: setting it elsewhere would change nothing. */
export function misreadOf(name: string, place: SettingSource, { what, fix, example }: Unreadable): Misread {
  const { doing, set } = shownAt(place, name);
  return { doing, what, fix: example === undefined ? fix : `${fix}: \`${set(example)}\`` };
}

/** How messages name a setting of this source: the action that reads it, its name, and how to set and remove it. */
function shownAt(place: SettingSource, name: string) {
  const [key, variable] = [settingKey(name), variableOf(name)];
  const quotedForShell = (text: string): string => (/^[\w.-]*$/.test(text) ? text : `"${text}"`);
  return {
    argument: {
      doing: `reading the provider's argument ${name}`,
      shown: name,
      set: (text: string) => `${name}: ${JSON.stringify(text)}`,
      remove: "Remove it",
    },
    stack: {
      doing: `reading the configuration ${key}`,
      shown: key,
      set: (text: string) => `pulumi config set ${key} ${quotedForShell(text)}`,
      remove: `Remove it with \`pulumi config rm ${key}\``,
    },
    environment: {
      doing: `reading the environment variable ${variable}`,
      shown: variable,
      set: (text: string) => `${variable}=${quotedForShell(text)}`,
      remove: `Unset ${variable}`,
    },
  }[place];
}

const names = Object.keys(settings);

/**
 * The keys of a stack's configuration in the provider's namespace that are not settings. They are errors: a typo in
 * `compute:onInterruption` would forbid nothing.
 *
 * @param project - the program's project. If it is called `compute`, the program's own keys are in the same namespace.
 */
export function unknownKeys(keys: readonly string[], project: string): readonly string[] {
  if (project === settingsNamespace) return [];
  return keys.flatMap((key) => {
    const [bag, ...rest] = key.split(":");
    const name = rest.join(":");
    return bag === settingsNamespace && !names.includes(name) ? [name] : [];
  });
}

/** The error for a name that is not a setting: its value would have no effect. @param name - without `compute:`. */
export function unknownSetting(name: string, place: SettingSource): Misread {
  const { doing, remove } = shownAt(place, name);
  const what = "there is no such setting";
  const shown = (of: string): string => shownAt(place, of).shown;
  const meant = nearestOf(name, names);
  if (meant === undefined)
    return { doing, what, fix: `${remove}. The settings are ${names.map(shown).join(", ")}` };
  return {
    doing,
    what,
    fix: place === "argument" ? `Write ${shown(meant)}` : `${remove}, and set ${shown(meant)} instead`,
  };
}
