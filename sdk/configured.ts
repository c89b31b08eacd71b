/**
 * Settings that stack programs read themselves.
 */
import * as pulumi from "@pulumi/pulumi";
import { readSetting, type Misread, type SettingSources } from "../provider/settings/sources";
import type { SettingName, SettingValues } from "../provider/settings/table";
import { unknownKeys, unknownSetting } from "../provider/settings/unknown";
import { explained } from "./explained";

/** The places that a program sees: a provider's arguments reach that provider alone. */
const sources: SettingSources = {
  stack: ({ key }) => stackConfig(key),
  // eslint-disable-next-line no-restricted-properties -- provider/settings/config.ts loads what a program does without.
  environment: ({ variable }) => process.env[variable],
};

/** What is set in the stack's configuration, by its full key. */
export function stackConfig(key: string): string | undefined {
  const [bag = "", name = ""] = key.split(":");
  return new pulumi.Config(bag).get(name);
}

/**
 * A setting as the provider reads it.
 *
 * @throws where it is set to something that cannot be read.
 */
export function configured<Name extends SettingName>(name: Name): SettingValues[Name] {
  const read = readSetting(sources, name);
  if ("misread" in read) throw refused([read.misread]);
  return read.value;
}

/**
 * The engine passes the dynamic provider's process whatever the stack has; the program is where a misspelt key can be
 * told once, before anything is planned.
 *
 * @throws where the stack's configuration has keys of the provider's that are no settings.
 */
export function refuseUnknownSettings(): void {
  const unknown = unknownKeys(Object.keys(pulumi.runtime.allConfig()), pulumi.getProject());
  if (unknown.length > 0) throw refused(unknown.map((name) => unknownSetting(name, "stack")));
}

function refused(problems: readonly Misread[]): pulumi.RunError {
  return explained(problems.map(({ doing, what, fix }) => `${doing}: ${what}. ${fix}.`).join("\n"));
}
