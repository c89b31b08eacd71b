/**
 * Finds keys that are not settings: with a typo in `compute:onInterruption`, nothing would be forbidden. Pure.
 */
import { nearestOf } from "../nearest";
import type { Misread, SettingSource } from "./sources";
import { settings } from "./table";

const names = Object.keys(settings);

/** A project with this name has its own configuration among the provider's. */
const namespace = "compute";

/**
 * The keys of a stack's configuration in the provider's namespace that are not settings.
 *
 * @param project - the project of the program.
 */
export function unknownKeys(keys: readonly string[], project: string): readonly string[] {
  if (project === namespace) return [];
  return keys.flatMap((key) => {
    const [bag, ...rest] = key.split(":");
    const name = rest.join(":");
    return bag === namespace && !names.includes(name) ? [name] : [];
  });
}

/** The error for a key or an argument that is not a setting. @param name - without `compute:`. */
export function unknownSetting(name: string, place: Exclude<SettingSource, "environment">): Misread {
  const meant = nearestOf(name, names);
  const isArgument = place === "argument";
  const shown = (of: string): string => (isArgument ? of : `${namespace}:${of}`);
  const remove = isArgument ? "Remove it" : `Remove it with \`pulumi config rm ${shown(name)}\``;
  return {
    doing: isArgument
      ? `reading the provider's argument ${name}`
      : `reading the configuration ${shown(name)}`,
    what: "there is no such setting",
    fix:
      meant === undefined
        ? `${remove}: the settings are ${names.map(shown).join(", ")}`
        : `Write ${shown(meant)}${isArgument ? "" : `. ${remove}`}`,
  };
}
