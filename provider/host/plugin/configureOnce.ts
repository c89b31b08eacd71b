/**
 * Takes the configuration of a plugin's process once. Every user of the machine can reach the plugin's port: a second
 * configuration could send the key of the environment to another address, or turn off a policy.
 */
import { isDeepStrictEqual } from "node:util";
import { ConfigurationError } from "../../model/errors";
import { configure, type Session } from "../session";
import type { Values } from "../../model/stored";
import { configuredIn } from "./config";

/** @returns a function that throws a ConfigurationError if it is called again with other values. */
export function createConfigurator(session: Session): (args: Values, urn?: string) => void {
  let first: { readonly args: Values; readonly urn: string } | undefined;
  return (args, urn = "") => {
    if (first !== undefined) {
      if (isDeepStrictEqual(first, { args, urn })) return;
      throw secondConfiguration();
    }
    first = { args, urn };
    configure(session, configuredIn(urn, args));
  };
}

function secondConfiguration(): ConfigurationError {
  return new ConfigurationError({
    doing: "configuring the provider",
    what: "this process has another configuration already, and keeps it",
    fix: "Run the command again: each run starts a process of its own. If PULUMI_DEBUG_PROVIDERS names this process, start it again first. Otherwise another program on this machine configured it: the project's SECURITY.md has more",
  });
}
