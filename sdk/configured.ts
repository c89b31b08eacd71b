/**
 * Reads the settings that stack programs use themselves.
 */
import * as pulumi from "@pulumi/pulumi";
import { readSetting, type Misread, type SettingSources } from "../provider/settings/sources";
import type { SettingName, SettingValues } from "../provider/settings/table";
import { unknownKeys, unknownSetting } from "../provider/settings/unknown";
import { explained } from "./explained";

/** The sources that a program can read: a provider's arguments are visible to that provider only. */
const sources: SettingSources = {
  stack: ({ key }) => stackConfig(key),
  // eslint-disable-next-line no-restricted-properties -- provider/settings/config.ts loads what a program does without.
  environment: ({ variable }) => process.env[variable],
};

/** The value of a stack configuration key, by its full name. */
export function stackConfig(key: string): string | undefined {
  const [bag = "", name = ""] = key.split(":");
  return new pulumi.Config(bag).get(name);
}

/**
 * A setting as the provider reads it.
 *
 * @throws if its value cannot be read.
 */
export function configured<Name extends SettingName>(name: Name): SettingValues[Name] {
  const read = readSetting(sources, name);
  if ("misread" in read) throw refused([read.misread]);
  return read.value;
}

/**
 * The engine passes the whole stack configuration to the dynamic provider; only the program can report a misspelt key
 * once, before anything is planned.
 *
 * @throws if the stack's configuration has keys in the provider's namespace that are not settings.
 */
export function refuseUnknownSettings(): void {
  const unknown = unknownKeys(Object.keys(pulumi.runtime.allConfig()), pulumi.getProject());
  if (unknown.length > 0) throw refused(unknown.map((name) => unknownSetting(name, "stack")));
}

function refused(problems: readonly Misread[]): pulumi.RunError {
  return explained(problems.map(({ doing, what, fix }) => `${doing}: ${what}. ${fix}.`).join("\n"));
}
