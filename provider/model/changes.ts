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
 * The names in which a declaration differs from the state: of arguments, and of Postgres settings, each of which has a name of its
 * own (`settings.pgSettings.work_mem`). What is not declared is unmanaged, and never counts as changed. The exception is a
 * setting of ours that is no longer declared, even if the whole argument is gone: an update removes it.
 *
 * @param inputs - unknown values count as changed.
 */
export function changedNames(state: Arguments, inputs: Arguments): readonly string[] {
  const stored = valuesByName(state);
  const wanted = [...valuesByName(inputs)];
  const changed = wanted.filter(([name, value]) => !isSameNamed(name, stored.get(name), value));
  return [...changed.map(([name]) => name), ...droppedNames(state, inputs)];
}

/** The arguments in which a declaration differs from the state. */
export function changedArguments(state: Arguments, inputs: Arguments): readonly ArgumentName[] {
  const changed = new Set(changedNames(state, inputs).map(argumentOf));
  return argumentNames.filter((name) => changed.has(name));
}

/** Whether two values of an attribute mean the same. */
export function isSameValue(name: AttributeName, left: unknown, right: unknown): boolean {
  const { same } = attribute(name);
  return same === undefined ? isDeepStrictEqual(left, right) : same(left, right);
}

/** The argument whose members have names of their own: `settings.pgSettings.NAME`. */
export const settingsArgument = "settings";
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

export function isSetting(name: string): boolean {
  return name.startsWith(pgSettingPrefix);
}

/** The names of settings among other names. */
export function settingsAmong(names: readonly string[] = []): readonly string[] {
  return names.filter(isSetting);
}

/** The argument that has a name: `settings` for that of a setting. */
export function argumentOf(name: string): ArgumentName {
  return isSetting(name) ? settingsArgument : (name as ArgumentName);
}

/** The map of Postgres settings; undefined if there is none, or if it is not known yet. */
export function pgSettingsOf({ settings }: Arguments): Readonly<Record<string, unknown>> | undefined {
  const map = (settings as { readonly pgSettings?: unknown } | undefined)?.pgSettings;
  return typeof map === "object" && map !== null ? (map as Record<string, unknown>) : undefined;
}

function isSameNamed(name: string, stored: unknown, wanted: unknown): boolean {
  if (isSetting(name)) return isSamePgSetting(stored, wanted);
  const field = fields[name as ArgumentName];
  if ("own" in field) return field.own !== "compared" || isDeepStrictEqual(stored, wanted);
  // Settings whose names are not known yet may be any settings.
  return (
    wanted === undefined || (field.kind !== "settings" && isSameValue(name as AttributeName, stored, wanted))
  );
}

/** The values of a declaration or a state by their names. Settings whose names are not known yet have the name of their argument. */
function valuesByName(args: Arguments): ReadonlyMap<string, unknown> {
  const settings = pgSettingsOf(args);
  return new Map(
    argumentNames.flatMap((name): readonly (readonly [string, unknown])[] =>
      name === settingsArgument && settings !== undefined
        ? Object.entries(settings).map(([setting, value]) => [prefixed(setting), value])
        : [[name, args[name]]],
    ),
  );
}

/** Names of settings that are no longer declared, and that are ours or may be; none as long as the declared names are not known. */
export function droppedNames({ managed, unconfirmed = {} }: Arguments, inputs: Arguments): readonly string[] {
  const wanted = valuesByName(inputs);
  if (wanted.get(settingsArgument) !== undefined) return [];
  const known = [...settingsAmong(managed), ...Object.keys(unconfirmed).map(prefixed)];
  return [...new Set(known)].filter((name) => !wanted.has(name));
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
