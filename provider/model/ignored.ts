/**
 * What a program ignores (Pulumi's option `ignoreChanges`): it counts as unchanged, and is never sent.
 */
import { pgSettingsOf, prefixed, type Arguments } from "./changes";
import type { ArgumentName } from "./fields";

/** @param ignores - paths as programs write them: `settings`, `settings.pgSettings["work_mem"]`, `*`. */
export function isIgnored(path: string, ignores: readonly string[]): boolean {
  return ignores
    .map((ignored) => ignored.replaceAll(/\["?([^"\]]+)"?\]/g, ".$1"))
    .some((ignored) => ignored === "*" || `${path}.`.startsWith(`${ignored}.`));
}

/** A declaration in which everything that the program ignores is as before. */
export function withIgnored<Inputs extends Arguments>(
  before: Arguments,
  inputs: Inputs,
  ignores: readonly string[],
): Inputs {
  if (ignores.length === 0) return inputs;
  const members = Object.entries(inputs).map(([name, value]: [string, unknown]): [string, unknown] => [
    name,
    isIgnored(name, ignores) ? (before[name as ArgumentName] ?? value) : value,
  ]);
  const all = Object.fromEntries(members) as Arguments as Inputs;
  const pgSettings = pgSettingsOf(all);
  if (pgSettings === undefined || isIgnored("settings", ignores)) return all;
  const old = pgSettingsOf(before) ?? {};
  const settings = Object.entries(pgSettings).map(([name, value]) => [
    name,
    isIgnored(prefixed(name), ignores) && Object.hasOwn(old, name) ? old[name] : value,
  ]);
  return { ...all, settings: { pgSettings: Object.fromEntries(settings) as unknown } };
}
