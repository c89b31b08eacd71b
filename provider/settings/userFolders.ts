/**
 * What the user's folders say, where the configuration says nothing. `config.ts` passes the environment.
 */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The user's state folder, as the XDG base directories have it. */
export function stateHome(environment: NodeJS.ProcessEnv): string {
  const named = environment["XDG_STATE_HOME"] ?? "";
  return isAbsolute(named) ? named : join(homedir(), ".local", "state");
}
