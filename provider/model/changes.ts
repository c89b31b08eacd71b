/**
 * Compares a declaration with a state, argument by argument. Pure: the provider and the report use the same
 * comparison.
 */
import { isDeepStrictEqual } from "node:util";
import { holdsUnknown } from "./unknown";
import { argumentNames, attribute, fields, type ArgumentName, type AttributeName } from "./fields";

/** The arguments of a compute, as a program declares them or a state has them. Any value may still be unknown. */
export interface Arguments extends Readonly<Partial<Record<ArgumentName, unknown>>> {
  /** In a state: names of the arguments that were declared, and of the settings that are ours (`settings.pgSettings.NAME`). */
  readonly managed?: readonly string[];
  /** In a state: settings that a change without an answer may have set. */
  readonly unconfirmed?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The arguments in which a declaration differs from the state. An argument that is not declared is unmanaged, and never counts
 * as changed. Postgres settings are the exception: an update removes a setting of ours that is no longer declared, even if the
 * whole argument is gone.
 *
 * @param inputs - unknown values count as changed.
 */
export function changedArguments(state: Arguments, inputs: Arguments): readonly ArgumentName[] {
  return argumentNames.filter((name) => isChanged(name, state, inputs));
}

function isChanged(name: ArgumentName, state: Arguments, inputs: Arguments): boolean {
  const wanted = inputs[name];
  const field = fields[name];
  if ("own" in field) return field.own === "compared" && !isDeepStrictEqual(state[name], wanted);
  if (name === "settings") return settingsDiffer(state, inputs);
  return wanted !== undefined && !isSameValue(name as AttributeName, state[name], wanted);
}

/** Whether two values of an attribute mean the same. */
export function isSameValue(name: AttributeName, left: unknown, right: unknown): boolean {
  const { same } = attribute(name);
  return same === undefined ? isDeepStrictEqual(left, right) : same(left, right);
}

/** Prefix of a Postgres setting among the managed names. */
export const pgSettingPrefix = "settings.pgSettings.";

/** Names of the declared arguments. */
export function managedNames(inputs: Arguments): readonly string[] {
  return argumentNames.filter((name) => inputs[name] !== undefined);
}

/** Names of the declared settings, with the prefix. */
export function settingNames(inputs: Arguments): readonly string[] {
  return Object.keys(pgSettingsOf(inputs) ?? {}).map(prefixed);
}

export function prefixed(setting: string): string {
  return `${pgSettingPrefix}${setting}`;
}

export function withoutPrefix(name: string): string {
  return name.slice(pgSettingPrefix.length);
}

/** The names of settings among managed names, with the prefix. */
export function settingsAmong(names: readonly string[] = []): readonly string[] {
  return names.filter((name) => name.startsWith(pgSettingPrefix));
}

/** The map of Postgres settings; undefined if there is none, or if it is not known yet. */
export function pgSettingsOf({ settings }: Arguments): Readonly<Record<string, unknown>> | undefined {
  const map = (settings as { readonly pgSettings?: unknown } | undefined)?.pgSettings;
  return typeof map === "object" && map !== null ? (map as Record<string, unknown>) : undefined;
}

/** Whether a declared setting differs, or a setting is no longer declared. All other settings belong to the service. */
function settingsDiffer(state: Arguments, inputs: Arguments): boolean {
  if (areUnknown(inputs)) return true;
  return droppedSettings(state, inputs).length > 0 || changedSettings(state, inputs).length > 0;
}

/** Whether settings are declared whose names are known only during the update. */
function areUnknown(inputs: Arguments): boolean {
  return inputs.settings !== undefined && pgSettingsOf(inputs) === undefined;
}

/** Names of the declared settings whose values differ. */
export function changedSettings(state: Arguments, inputs: Arguments): readonly string[] {
  const stored = pgSettingsOf(state) ?? {};
  const wanted = Object.entries(pgSettingsOf(inputs) ?? {});
  return wanted.filter(([name, value]) => !isSamePgSetting(stored[name], value)).map(([name]) => name);
}

/**
 * Names of settings that are no longer declared, and that are ours or may be; none as long as the declared names are not known.
 */
export function droppedSettings(
  { managed, unconfirmed = {} }: Arguments,
  inputs: Arguments,
): readonly string[] {
  if (areUnknown(inputs)) return [];
  const wanted = pgSettingsOf(inputs) ?? {};
  const known = [...settingsAmong(managed).map(withoutPrefix), ...Object.keys(unconfirmed)];
  return [...new Set(known)].filter((name) => !Object.hasOwn(wanted, name));
}

/** Services return Postgres settings as text, whatever was sent. */
export function isSamePgSetting(answered: unknown, declared: unknown): boolean {
  const asText = (value: unknown): string => String(value);
  return asText(answered) === asText(declared);
}

/**
 * Names of the triggers that are new or have another value. A removed trigger does not count.
 *
 * @param done - the triggers of a state, or of an earlier declaration.
 */
export function dueTriggers(done: unknown, wanted: unknown): readonly string[] {
  const old = membersOf(done);
  return Object.entries(membersOf(wanted))
    .filter(([name, value]) => !Object.hasOwn(old, name) || !isDeepStrictEqual(old[name], value))
    .map(([name]) => name);
}

/** Whether a restart is due, whatever the unknown values turn out to be: any value of a new trigger restarts the compute. */
export function isRestartCertain(done: unknown, wanted: unknown): boolean {
  const isNew = (name: string): boolean => !Object.hasOwn(membersOf(done), name);
  return dueTriggers(done, wanted).some((name) => isNew(name) || !holdsUnknown(membersOf(wanted)[name]));
}

/**
 * The old triggers that a state keeps until the restart is done, so that the next diff plans the restart again. Removed
 * triggers are left out. If triggers are secret, changed triggers are left out too, since the engine would store the old value
 * in plain text where the present declaration has no secret. In the next run they count as new.
 */
export function keptTriggers(
  done: Readonly<Record<string, unknown>> | undefined,
  wanted: Readonly<Record<string, unknown>> | undefined,
  isSecret: boolean,
): Readonly<Record<string, unknown>> | undefined {
  if (done === undefined || wanted === undefined) return undefined;
  const left = isSecret ? dueTriggers(done, wanted) : [];
  const isKept = (name: string): boolean => Object.hasOwn(wanted, name) && !left.includes(name);
  return Object.fromEntries(Object.entries(done).filter(([name]) => isKept(name)));
}

function membersOf(triggers: unknown): Readonly<Record<string, unknown>> {
  return typeof triggers === "object" && triggers !== null
    ? (triggers as Readonly<Record<string, unknown>>)
    : {};
}
