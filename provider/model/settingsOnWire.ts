/**
 * Whose setting is it? A service may replace all settings at once, so a PATCH of settings sends the whole map: what is declared,
 * and what is somebody else's, unchanged. A setting is ours if a run of ours has set it: only such a setting is removed once it is
 * no longer declared.
 */
import type { ApiEndpoint } from "../service/schemas";
import {
  droppedNames,
  isSamePgSetting,
  pgSettingsOf,
  prefixed,
  withoutPrefix,
  type Arguments,
} from "./changes";
import { isIgnored } from "./ignored";

/** What a PATCH does to the settings of a compute as it is now. */
export interface SettingsPlan {
  /** `settings` of the PATCH. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Names of the declared settings that are ours once the PATCH is done, as managed names. */
  readonly ours: readonly string[];
  /** Names of the settings that the PATCH removes, as managed names. */
  readonly removed: readonly string[];
  /** Names of undeclared settings that stay, since nobody knows whose they are. */
  readonly kept: readonly string[];
}

/** What is known about a compute's settings besides their values. */
interface Known extends Pick<Arguments, "managed" | "unconfirmed"> {
  /** Paths that the program ignores. */
  readonly ignores: readonly string[];
}

/** Stands for the value of a secret setting, which must not be stored: it is equal to no value. */
export const hiddenValue: object = {};

export function planSettings({ settings }: ApiEndpoint, inputs: Arguments, known: Known): SettingsPlan {
  const { managed = [], unconfirmed = {}, ignores } = known;
  const live = settings?.pg_settings ?? {};
  const isLive = (name: string): boolean => Object.hasOwn(live, name);
  const isOurs = (name: string): boolean => managed.includes(prefixed(name));
  const isDoubtful = (name: string): boolean => !isOurs(name) && Object.hasOwn(unconfirmed, name);
  const isSameAs = (name: string, value: unknown): boolean =>
    isLive(name) && isSamePgSetting(live[name], value);
  // What the program ignores is not sent: the live value stays.
  const declared = Object.entries(pgSettingsOf(inputs) ?? {}).filter(
    ([name]) => !isLive(name) || !isIgnored(prefixed(name), ignores),
  );
  const ours = declared.filter(([name, value]) => isOurs(name) || isDoubtful(name) || !isSameAs(name, value));
  const dropped = droppedNames(known, inputs).map(withoutPrefix);
  // The change without an answer has set a setting that has the value of that change.
  const removed = dropped.filter((name) => isOurs(name) || isSameAs(name, unconfirmed[name]));
  const others = Object.entries(live).filter(([name]) => !removed.includes(name));
  return {
    settings: { ...settings, pg_settings: Object.fromEntries([...others, ...declared]) },
    ours: ours.map(([name]) => prefixed(name)),
    removed: removed.map(prefixed),
    kept: dropped.filter((name) => isLive(name) && !removed.includes(name)),
  };
}
