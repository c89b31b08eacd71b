/**
 * Compares a declaration with a state, argument by argument. Pure: the provider and the report use the same
 * comparison.
 */
import { isDeepStrictEqual } from "node:util";
import { argumentNames, attribute, fields, type ArgumentName, type AttributeName } from "./fields";

/** What a state, or an old declaration, contains about a compute. */
export interface Stored {
  readonly [argument: string]: unknown;
  /** Names of the arguments that were declared, nested ones as `settings.pgSettings.NAME`. */
  readonly managed?: readonly string[];
}

/** A declaration; any value may still be unknown. */
export type DeclaredArguments = Readonly<Partial<Record<ArgumentName, unknown>>>;

/**
 * The arguments in which a declaration differs from the state. An argument that is not declared is unmanaged, and
 * never a change.
 *
 * @param inputs - unknown values count as changed.
 */
export function changedArguments(state: Stored, inputs: DeclaredArguments): readonly ArgumentName[] {
  return argumentNames.filter((name) => isChanged(name, state, inputs));
}

function isChanged(name: ArgumentName, state: Stored, inputs: DeclaredArguments): boolean {
  const wanted = inputs[name];
  const field = fields[name];
  if ("own" in field) return field.own === "compared" && !isDeepStrictEqual(state[name], wanted);
  if (wanted === undefined) return false;
  return name === "settings"
    ? settingsDiffer(state, inputs)
    : !isSameValue(name as AttributeName, state[name], wanted);
}

/** True where two values of an attribute mean the same. */
export function isSameValue(name: AttributeName, left: unknown, right: unknown): boolean {
  const { same } = attribute(name);
  return same === undefined ? isDeepStrictEqual(left, right) : same(left, right);
}

/** Prefix of a declared Postgres setting among the managed names. */
export const pgSettingPrefix = "settings.pgSettings.";

/** Names of the declared arguments, nested Postgres settings included. */
export function managedNames(inputs: DeclaredArguments): readonly string[] {
  const settings = Object.keys(pgSettingsOf(inputs) ?? {}).map((name) => `${pgSettingPrefix}${name}`);
  return [...argumentNames.filter((name) => inputs[name] !== undefined), ...settings];
}

/** The map of Postgres settings; undefined if there is none, or if it is not known yet. */
export function pgSettingsOf({
  settings,
}: DeclaredArguments | Stored): Readonly<Record<string, unknown>> | undefined {
  const map = (settings as { readonly pgSettings?: unknown } | undefined)?.pgSettings;
  return typeof map === "object" && map !== null ? (map as Record<string, unknown>) : undefined;
}

/**
 * Declared settings that differ, and settings that are no longer declared. All other settings belong to the service.
 */
function settingsDiffer(state: Stored, inputs: DeclaredArguments): boolean {
  const wanted = pgSettingsOf(inputs);
  if (wanted === undefined) return true;
  return droppedSettings(state, inputs).length > 0 || changedSettings(state, inputs).length > 0;
}

/** Names of the declared settings whose values differ. */
export function changedSettings(state: Stored, inputs: DeclaredArguments): readonly string[] {
  const stored = pgSettingsOf(state) ?? {};
  const wanted = Object.entries(pgSettingsOf(inputs) ?? {});
  return wanted.filter(([name, value]) => !isSamePgSetting(stored[name], value)).map(([name]) => name);
}

/** Names of settings that are no longer declared. */
export function droppedSettings({ managed = [] }: Stored, inputs: DeclaredArguments): readonly string[] {
  const wanted = pgSettingsOf(inputs) ?? {};
  return managed
    .filter((name) => name.startsWith(pgSettingPrefix))
    .map((name) => name.slice(pgSettingPrefix.length))
    .filter((name) => !Object.hasOwn(wanted, name));
}

/** Services return Postgres settings as text, whatever was sent. */
export function isSamePgSetting(answered: unknown, declared: unknown): boolean {
  const asText = (value: unknown): string => String(value);
  return declared !== undefined && asText(answered) === asText(declared);
}
