/**
 * Settings that stack programs read themselves.
 */
import * as pulumi from "@pulumi/pulumi";

/** The value of the environment, else that of the stack's configuration; undefined where neither has one. */
export function configured({
  key,
  variable,
}: {
  readonly key: string;
  readonly variable: string;
}): string | undefined {
  const [bag = "", name = ""] = key.split(":");
  // eslint-disable-next-line no-restricted-properties -- provider/config.ts loads what a program does without.
  const values = [process.env[variable], new pulumi.Config(bag).get(name)];
  return values.map((value) => value?.trim()).find((value) => value !== undefined && value !== "");
}
