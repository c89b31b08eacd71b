/**
 * Compares a declaration with a state, argument by argument. Pure: the provider and the report use the same
 * comparison.
 */
import { createHash, randomBytes, scryptSync } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { argumentNames, attribute, fields, type ArgumentName, type AttributeName } from "../../fields";

/** What a state, or an old declaration, contains about a compute. */
export interface Stored {
  readonly [argument: string]: unknown;
  readonly restartTriggers?: unknown;
  /** Names of the arguments that were declared, nested ones as `settings.pgSettings.NAME`. */
  readonly managed?: readonly string[];
  /** Hashes of the triggers at the last restart, while a restart for the declared ones is pending. */
  readonly triggers?: TriggerHashes | undefined;
}

/** A declaration; any value may still be unknown. */
export type DeclaredArguments = Readonly<Partial<Record<ArgumentName, unknown>>>;

/** Hashes by trigger name; the values may be secret, and no longer declared. */
export type TriggerHashes = Readonly<Record<string, string>>;

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

/** Names of the triggers that are new or have another value: each asks for a restart. Removing one does not. */
export function changedTriggers(state: Stored, { restartTriggers }: DeclaredArguments): readonly string[] {
  return Object.entries(restartTriggers ?? {})
    .filter(([name, value]) => !hadTrigger(state, name, value))
    .map(([name]) => name);
}

/** Whether a trigger had this value at the last restart. */
function hadTrigger({ restartTriggers, triggers: pending }: Stored, name: string, value: unknown): boolean {
  if (restartTriggers === undefined && pending !== undefined)
    return Object.hasOwn(pending, name) && isTriggerHash(pending[name] ?? "", value);
  const old = (restartTriggers ?? {}) as Readonly<Record<string, unknown>>;
  return Object.hasOwn(old, name) && triggerText(old[name]) === triggerText(value);
}

/** Names of the triggers at the last restart. */
export function triggerNames({ restartTriggers, triggers: pending = {} }: Stored): readonly string[] {
  return Object.keys(restartTriggers ?? pending);
}

/** Hashes of the triggers at the last restart. */
export function triggerHashes({ restartTriggers, triggers: pending }: Stored): TriggerHashes {
  if (restartTriggers === undefined && pending !== undefined) return pending;
  const triggers = Object.entries(restartTriggers ?? {});
  return Object.fromEntries(triggers.map(([name, value]) => [name, hashOfTrigger(value)]));
}

/**
 * Slow, and with a salt of its own: a trigger may be a short secret, which could be found by trying all values. It is
 * computed only while a restart is pending.
 */
export function hashOfTrigger(value: unknown, salt = randomBytes(16).toString("hex")): string {
  return `${salt}:${scryptSync(triggerText(value), salt, 32).toString("hex")}`;
}

/** Whether a hash is one of this value. Earlier versions wrote hashes without a salt. */
export function isTriggerHash(hash: string, value: unknown): boolean {
  const [salt = "", salted] = hash.split(":");
  if (salted !== undefined) return hashOfTrigger(value, salt) === hash;
  return createHash("sha256").update(triggerText(value)).digest("hex") === hash;
}

/** Equal values have equal texts, whatever the order of their members. */
function triggerText(value: unknown): string {
  const sorted = (_key: string, member: unknown): unknown =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member;
  return JSON.stringify([value], sorted);
}
