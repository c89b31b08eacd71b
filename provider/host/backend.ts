/**
 * What a run asks Pulumi's backend: `pulumi stack export`, once. The command takes no lock, asks for no passphrase, and
 * leaves secrets encrypted. What earlier runs left is said on rows.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "../clock";
import { backendAnswersWithinMs, declaredWithinMs } from "../model/timing";
import type { Resource } from "../run/resource";
import type { CutOffCreate, KnownStack, StackBackend } from "../run/stackBackend";
import { commandEnvironment } from "../settings/config";

/** What a session asks Pulumi's backend, and says of its answers on rows. */
export interface BackendRows {
  /**
   * Asks once in a run. The first row that needs an answer which could not be had says so.
   *
   * @returns undefined if it could not be had: then nothing is known of the stack.
   */
  readonly askBackend: (resource: Resource) => Promise<KnownStack | undefined>;
  /**
   * Says once in a run what earlier runs began to create and this run's program does not declare. Steps ask, at their
   * end, so that their own computes are known by then, and creates that are refused: a preview that creates nothing asks
   * nobody.
   */
  readonly nameLeft: (resource: Resource) => Promise<void>;
}

/** @param cutOffText - what to say of a create that no resource of this run answers for. */
export function backendRows(
  backend: StackBackend,
  clock: Clock,
  cutOffText: (create: CutOffCreate) => Promise<string | undefined>,
): BackendRows {
  let hasSaidUnasked = false;
  let leftNamed: Promise<void> | undefined;
  const sayLeft = async (resource: Resource): Promise<void> => {
    const { urn, row } = resource;
    if (urn === undefined) return;
    // A run that needs the answer says why it could not be had.
    if ((await backend.ask(stackNamesOf(resource))) !== undefined) return;
    // The engine checks one resource after the other: it may check some of these in a moment.
    const left = (): readonly CutOffCreate[] => backend.known()?.cutOffElsewhere(urn) ?? [];
    if (left().length > 0) await clock.sleep(declaredWithinMs);
    for (const create of left()) {
      const text = await cutOffText(create);
      if (text !== undefined && left().includes(create)) await row.say("warning", text);
    }
  };
  return {
    askBackend: async (resource) => {
      if (resource.urn === undefined) return backend.known();
      const problem = await backend.ask(stackNamesOf(resource));
      if (problem === undefined || hasSaidUnasked) return backend.known();
      hasSaidUnasked = true;
      await resource.row.say(
        "warning",
        `Pulumi's backend could not be asked for this stack's state and its unfinished creates (${problem}). If a run of this stack was killed, check at the service what it made before you create more computes. Do not adopt a compute that another resource has.`,
      );
      return undefined;
    },
    nameLeft: (resource) => (leftNamed ??= sayLeft(resource).catch(() => undefined)),
  };
}

/**
 * The names of the stack for the option `--stack`. The full one is understood in any folder. Plugins are not told the
 * stack's organisation: the short name is understood in the program's folder, and backends without organisations have one
 * of a fixed name.
 */
function stackNamesOf({ urn = "", organization }: Resource): readonly string[] {
  const [first = "", project = ""] = urn.split("::");
  const name = first.slice(first.lastIndexOf(":") + 1);
  if (organization !== undefined) return [`${organization}/${project}/${name}`];
  return [`organization/${project}/${name}`, name];
}

/** By the `pulumi` that PATH names. @param limitMs - of each time that it is asked. */
export async function exportStack(
  [stackName = "", ...others]: readonly string[],
  limitMs = backendAnswersWithinMs,
): Promise<string> {
  try {
    return await exported(stackName, limitMs);
  } catch (error) {
    if (others.length === 0) throw error;
    return exportStack(others, limitMs);
  }
}

function exported(stackName: string, limitMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const words = ["stack", "export", "--stack", stackName, "--non-interactive"];
    const options = {
      cwd: projectFolder(process.cwd()),
      env: commandEnvironment(),
      timeout: limitMs,
      killSignal: "SIGKILL",
      maxBuffer: Infinity,
      windowsHide: true,
    } as const;
    execFile("pulumi", words, options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(new Error(reasonOf(error, limitMs)));
    });
  });
}

/**
 * The folder of the project's Pulumi.yaml: a relative address of a backend counts from there, and the engine starts this
 * process in the folder that `main` names.
 */
function projectFolder(started: string, folder = started): string {
  const isHere = ["yaml", "yml", "json"].some((type) => existsSync(join(folder, `Pulumi.${type}`)));
  if (isHere) return folder;
  return dirname(folder) === folder ? started : projectFolder(started, dirname(folder));
}

/** What the command has printed stays out of messages: it may name a password of the backend. */
function reasonOf(
  { code, killed }: { readonly code?: unknown; readonly killed?: boolean },
  limitMs: number,
): string {
  if (code === "ENOENT") return "PATH has no `pulumi`";
  if (killed === true) return `\`pulumi stack export\` did not end within ${limitMs / 1000} s`;
  return `\`pulumi stack export\` ended with ${String(code)}`;
}
