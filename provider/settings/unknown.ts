/**
 * Finds keys that are not settings: with a typo in `compute:onInterruption`, nothing would be forbidden. Pure.
 */
import { nearestOf } from "../model/mistakes";
import type { Misread, SettingSource } from "./sources";
import { settings, variableOf } from "./table";

const names = Object.keys(settings);

const otherSizes =
  "Set compute:service to neon for Neon's sizes, or to unknown, which refuses no size and shows no figure";

const nothingOnDisk = "Nothing is written to disk any more: Pulumi's state keeps what a run began";

/** Settings of earlier versions, and what to do instead. */
const removed: Readonly<Record<string, string>> = {
  allowUnlistedSizes: otherSizes,
  sizeTable: otherSizes,
  readSingle: "The provider reads computes from the project's list",
  restartOrder: "Half of a branch's replicas keep running while others restart, and the primary is last",
  pooledHost:
    'Pass the rule to connectionString: pooled: "neon", or a pattern such as "{name}-pooler.{domain}"',
  updatePlans: "Use the plugin for saved plans: it needs no setting",
  replicaType: 'Every service that compute:service names calls a replica "read_only", and that is sent',
  missingProject:
    "If a project was deleted, take its computes out of the state with `pulumi state delete` and the URN of each",
  figures: "Notices show the figures of the service that compute:service names",
  journalFolder: nothingOnDisk,
};

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
  const isArgument = place === "argument";
  const shown = (of: string): string => (isArgument ? of : `${namespace}:${of}`);
  const doing = isArgument
    ? `reading the provider's argument ${name}`
    : `reading the configuration ${shown(name)}`;
  const remove = isArgument ? "Remove it" : `Remove it with \`pulumi config rm ${shown(name)}\``;
  const instead = removed[name];
  if (instead !== undefined) return { doing, what: noLonger, fix: `${instead}. ${remove}` };
  const meant = nearestOf(name, names);
  return {
    doing,
    what: "there is no such setting",
    fix:
      meant === undefined
        ? `${remove}: the settings are ${names.map(shown).join(", ")}`
        : `Write ${shown(meant)}${isArgument ? "" : `. ${remove}`}`,
  };
}

const noLonger = "there is no such setting any more";

/** The error for the variable of a removed setting; other variables may be another program's. */
export function removedVariable(isSet: (variable: string) => boolean): Misread | undefined {
  const name = Object.keys(removed).find((each) => each !== "journalFolder" && isSet(variableOf(each)));
  if (name === undefined) return undefined;
  const variable = variableOf(name);
  return {
    doing: `reading the environment's ${variable}`,
    what: noLonger,
    fix: `${removed[name]}. Unset ${variable}`,
  };
}

/** What to say of variables that are ignored: several versions may share an environment. */
export function ignoredVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  if ((environment["COMPUTE_JOURNAL_FOLDER"] ?? "") === "") return [];
  return [`COMPUTE_JOURNAL_FOLDER is ignored. ${nothingOnDisk}. Unset it.`];
}
