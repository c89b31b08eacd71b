/**
 * What the user's folders say, where the configuration says nothing. `config.ts` passes the environment.
 */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The user's state folder, as the XDG base directories have it. */
export function stateHome(environment: NodeJS.ProcessEnv): string {
  const named = environment["XDG_STATE_HOME"] ?? "";
  return isAbsolute(named) ? named : join(homedir(), ".local", "state");
}

/**
 * Where the states of this run are. Without the account in the address: each runner of a team may have its own at one
 * backend, and passwords change.
 */
export function backendOf(environment: NodeJS.ProcessEnv): string {
  const address = environment["PULUMI_BACKEND_URL"] ?? currentBackend(environment);
  return address.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, "$1").replace(/\/+$/, "");
}

/** The backend that `pulumi login` chose last; empty where nobody has. */
function currentBackend(environment: NodeJS.ProcessEnv): string {
  const home = environment["PULUMI_HOME"] ?? join(homedir(), ".pulumi");
  try {
    const file = JSON.parse(readFileSync(join(home, "credentials.json"), "utf8")) as { current?: unknown };
    return typeof file.current === "string" ? file.current : "";
  } catch {
    return "";
  }
}
