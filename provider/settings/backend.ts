/**
 * Finds where Pulumi stores the states of this run: the engine does not pass it to providers. `config.ts` passes the
 * environment.
 */
import { readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";

/**
 * The environment counts before the project's file, and that before the last login. The account in the address is left
 * out: each runner of a team may have its own at one backend, and passwords change.
 *
 * @param folder - where the engine runs the program.
 */
export function backendOf(environment: NodeJS.ProcessEnv, folder: string = process.cwd()): string {
  const named = environment["PULUMI_BACKEND_URL"] ?? "";
  const address = named === "" ? (projectBackend(folder) ?? currentBackend(environment)) : named;
  return address.startsWith(folderPrefix)
    ? folderAddress(address, folder)
    : address.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, "$1").replace(/\/+$/, "");
}

const folderPrefix = "file://";

/** The address of a folder by its real path: in two checkouts of a program, `file://./state` is two backends. */
function folderAddress(address: string, base: string): string {
  const [written = ""] = address.slice(folderPrefix.length).split("?");
  const path = resolve(base, written.startsWith("~") ? join(homedir(), written.slice(2)) : written);
  return `${folderPrefix}${realPath(path).split(sep).join("/")}`;
}

/** A folder that cannot be read keeps its name. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** What `backend:` says in the project's file: the Pulumi.yaml of this folder, or the nearest one above it. */
function projectBackend(folder: string): string | undefined {
  try {
    const sections = readFileSync(join(folder, "Pulumi.yaml"), "utf8").split(/^(?=\S)/m);
    const section = sections.find((text) => text.startsWith("backend:")) ?? "";
    return /\burl:\s*["']?([^"'\s,}]+)/.exec(section)?.[1];
  } catch {
    return dirname(folder) === folder ? undefined : projectBackend(dirname(folder));
  }
}

/** The backend of the last `pulumi login`; empty if there was none. */
function currentBackend(environment: NodeJS.ProcessEnv): string {
  const home = environment["PULUMI_HOME"] ?? join(homedir(), ".pulumi");
  try {
    const file = JSON.parse(readFileSync(join(home, "credentials.json"), "utf8")) as { current?: unknown };
    return typeof file.current === "string" ? file.current : "";
  } catch {
    return "";
  }
}

/** Whether stacks of a backend have organisations of its own. The others call their only one "organization". */
export function hasOrganizations(backend: string): boolean {
  return backend === "" || /^https?:/.test(backend);
}
