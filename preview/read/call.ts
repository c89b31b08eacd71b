/**
 * What the calls of all commands share: errors for invalid arguments, and the option `--project`.
 */
import { parseArgs, type ParseArgsConfig } from "node:util";

/** The command was called incorrectly: the message says how to call it. */
export class WrongCallError extends Error {}

/** Parses the arguments of a call. @throws WrongCallError */
export function readCall<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new WrongCallError(error instanceof Error ? error.message : String(error));
  }
}

/** The value of `--project`. @param missing - what to name if there is none. @throws WrongCallError */
export function projectIn(id: string | undefined, missing: string): string {
  if (id === undefined) throw new WrongCallError(`--project is missing: name ${missing}`);
  if (/^(?!br-|ep-)[A-Za-z0-9][\w-]*$/.test(id)) return id;
  throw new WrongCallError(`--project takes the id of a project such as shy-sun-123456, not "${id}"`);
}
