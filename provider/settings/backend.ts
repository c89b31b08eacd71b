/**
 * Finds where Pulumi stores the states of this run, as the engine does: it does not pass this to providers.
 * `config.ts` passes the environment.
 */
import { readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";

/**
 * Checks the same places in the same order as the engine: the environment, the project, the last login. The account
 * in the address is left out: each runner of a team may have its own at one backend, and passwords change.
 *
 * @param folder - where the engine runs the program.
 */
export function backendOf(environment: NodeJS.ProcessEnv, folder: string = process.cwd()): string {
  const project = projectAt(folder, environment["PULUMI_PROJECT"]);
  const named = [environment["PULUMI_BACKEND_URL"], project?.backend].find((text) => (text ?? "") !== "");
  const address = named ?? currentBackend(environment);
  return address.startsWith(folderPrefix)
    ? folderAddress(address, project?.folder ?? folder)
    : address.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, "$1").replace(/\/+$/, "");
}

const folderPrefix = "file://";

/**
 * The address of a folder by its real path: in two checkouts of a program, `file://./state` is two backends. The
 * engine resolves a relative path from its own working folder, which providers do not know: here it counts from the
 * project.
 */
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

interface PulumiProject {
  readonly folder: string;
  readonly backend: string | undefined;
}

/**
 * The project of a program: its file is in the program's folder or above it. @param name - if the engine passes it.
 */
function projectAt(folder: string, name: string | undefined): PulumiProject | undefined {
  const [text] = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].flatMap((file) => textOf(join(folder, file)));
  const said = text === undefined ? undefined : readProject(text);
  // A program may run within the folder of another project, as with the automation API.
  if (said !== undefined && (name === undefined || said.name === name))
    return { folder, backend: said.backend };
  const above = dirname(folder);
  return above === folder ? undefined : projectAt(above, name);
}

function textOf(file: string): readonly string[] {
  try {
    return [readFileSync(file, "utf8")];
  } catch {
    return [];
  }
}

/** The two members of a project file that are needed here. A JSON file looks like YAML with braces. */
function readProject(text: string): {
  readonly name?: string | undefined;
  readonly backend?: string | undefined;
} {
  if (text.trimStart().startsWith("{")) return readJson(text);
  const section = /^backend:.*(?:\r?\n(?:[ \t].*)?)*/m.exec(text)?.[0] ?? "";
  return { name: valueIn(text, /^name:\s*/m), backend: valueIn(section, /(?<=[\s{,])["']?url["']?:\s*/) };
}

function readJson(text: string): ReturnType<typeof readProject> {
  try {
    const { name, backend } = JSON.parse(text) as { name?: string; backend?: { url?: string } | null };
    return { name, backend: backend?.url };
  } catch {
    return {};
  }
}

/** The text after a name in YAML: in quotes, or up to a comment, a comma, a brace or the line's end. */
function valueIn(text: string, name: RegExp): string | undefined {
  const value = /(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'#,}][^\n,}]*?))[ \t]*(?:[,}\r\n]|\s#|$)/;
  const match = new RegExp(`${name.source}${value.source}`, "m").exec(text);
  return match?.slice(1).find((part: string | undefined) => part !== undefined);
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
