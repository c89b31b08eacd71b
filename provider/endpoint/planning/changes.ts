/**
 * In which arguments a declaration differs from a state. Pure: the provider and the report ask the same.
 */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { argumentNames, attribute, fields, type ArgumentName, type AttributeName } from "../../fields";

/** What a state, or an old declaration, says of a compute. */
export interface Stored {
  readonly [argument: string]: unknown;
  readonly restartTriggers?: unknown;
  /** Names of the arguments that were declared, nested ones as `settings.pgSettings.NAME`. */
  readonly managed?: readonly string[];
  /** The triggers of the last restart as hashes, while the declared ones still owe one. */
  readonly triggers?: TriggerHashes | undefined;
}

/** A declaration; any value may still be unknown. */
export type DeclaredArguments = Readonly<Partial<Record<ArgumentName, unknown>>>;

/** By name; the values may be secret, and no longer declared. */
export type TriggerHashes = Readonly<Record<string, string>>;

/**
 * The arguments in which a declaration differs from the state. What is not declared is unmanaged, never a change.
 *
 * @param inputs - values that are not known yet count as changed.
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

/** How a declared Postgres setting is called among the managed names. */
export const pgSettingPrefix = "settings.pgSettings.";

/** Names of the declared arguments, nested Postgres settings included. */
export function managedNames(inputs: DeclaredArguments): readonly string[] {
  const settings = Object.keys(pgSettingsOf(inputs) ?? {}).map((name) => `${pgSettingPrefix}${name}`);
  return [...argumentNames.filter((name) => inputs[name] !== undefined), ...settings];
}

/** The map of Postgres settings; undefined where there is none, or where it is not known yet. */
export function pgSettingsOf({
  settings,
}: DeclaredArguments | Stored): Readonly<Record<string, unknown>> | undefined {
  const map = (settings as { readonly pgSettings?: unknown } | undefined)?.pgSettings;
  return typeof map === "object" && map !== null ? (map as Record<string, unknown>) : undefined;
}

/** Declared settings that differ, and settings declared before and not now. Others are the service's own. */
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

/** Names of settings that were declared before and are not now. */
export function droppedSettings({ managed = [] }: Stored, inputs: DeclaredArguments): readonly string[] {
  const wanted = pgSettingsOf(inputs) ?? {};
  return managed
    .filter((name) => name.startsWith(pgSettingPrefix))
    .map((name) => name.slice(pgSettingPrefix.length))
    .filter((name) => !Object.hasOwn(wanted, name));
}

/** Services answer Postgres settings as text, whatever was sent. */
export function isSamePgSetting(answered: unknown, declared: unknown): boolean {
  const asText = (value: unknown): string => String(value);
  return declared !== undefined && asText(answered) === asText(declared);
}

/** Names of the triggers that are new or have another value: each asks for a restart. Removing one does not. */
export function pulledTriggers(state: Stored, { restartTriggers }: DeclaredArguments): readonly string[] {
  const old = triggerHashes(state);
  return Object.entries(restartTriggers ?? {})
    .filter(([name, value]) => old[name] !== hashOfTrigger(value))
    .map(([name]) => name);
}

/** What the triggers were at the last restart. */
export function triggerHashes({ restartTriggers, triggers: owed }: Stored): TriggerHashes {
  if (restartTriggers === undefined && owed !== undefined) return owed;
  const triggers = Object.entries(restartTriggers ?? {});
  return Object.fromEntries(triggers.map(([name, value]) => [name, hashOfTrigger(value)]));
}

/** The same for equal values, in whatever order their members stand. */
export function hashOfTrigger(value: unknown): string {
  const sorted = (_key: string, member: unknown): unknown =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member;
  return createHash("sha256")
    .update(JSON.stringify([value], sorted))
    .digest("hex");
}
