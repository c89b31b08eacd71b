/**
 * Reads the stack's configuration in the program itself.
 */
import * as pulumi from "@pulumi/pulumi";
import { unknownKeys, unknownSetting } from "../provider/settings/sources";
import { explained } from "./explained";

/** The value of a stack configuration key, by its full name. */
export function stackConfig(key: string): string | undefined {
  const [bag = "", name = ""] = key.split(":");
  return new pulumi.Config(bag).get(name);
}

/**
 * The engine passes the whole stack configuration to the dynamic provider; only the program can report a misspelt key
 * once, before anything is planned.
 *
 * @throws if the stack's configuration has keys in the provider's namespace that are not settings.
 */
export function refuseUnknownSettings(): void {
  const unknown = unknownKeys(Object.keys(pulumi.runtime.allConfig()), pulumi.getProject());
  const problems = unknown.map((name) => unknownSetting(name, "stack"));
  if (problems.length > 0)
    throw explained(problems.map(({ doing, what, fix }) => `${doing}: ${what}. ${fix}.`).join("\n"));
}
