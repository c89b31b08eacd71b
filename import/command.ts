/**
 * Runs `compute-import` for given options and a given service; `main.ts` is the process around it.
 */
import { decoded } from "../preview/read/standardStreams";
import type { Lookups } from "../provider/lookups";
import { importUsage, readImportOptions, type ImportOptions } from "./commandLine";
import { WrongCallError } from "../preview/read/call";
import { emptyStack, NoStackError, readExportedStack, type HeldByStack } from "./exportedStack";
import { sortOut, type ImportRules } from "./found";
import { tableOf } from "./table";
import { toImportFile, toProgram } from "./written";

/** What the command needs from its process. */
interface ImportProcess {
  /** Loads the settings and connects, when needed. @throws for a setting that is missing or wrong. */
  readonly connect: () => Promise<ConnectedProject>;
  /** @param file - `-` for stdin. */
  readonly read: (file: string) => Uint8Array;
  /** @throws if the file exists. */
  readonly write: (file: string, text: string) => void;
  /** This package's version; undefined if its package.json is missing. */
  readonly version: () => string | undefined;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** The service, and the settings that decide which sizes a program may declare. */
export interface ConnectedProject extends Pick<Lookups, "listEndpoints"> {
  readonly config: ImportRules["config"];
}

const endings = { written: 0, failed: 1, wrongCall: 2, nothing: 3 } as const;

/** @returns the exit code. Only the computes to import are printed; all other output goes to `complain`. */
export async function runImport(args: readonly string[], surroundings: ImportProcess): Promise<number> {
  try {
    return await importProject(readImportOptions(args), surroundings);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    surroundings.complain(`compute-import: ${ofEnvironment(message)}\n`);
    if (!(error instanceof WrongCallError)) return endings.failed;
    surroundings.complain(`\n${importUsage}`);
    return endings.wrongCall;
  }
}

async function importProject(options: ImportOptions, surroundings: ImportProcess): Promise<number> {
  const { print, complain, version, write } = surroundings;
  if (options.help) print(importUsage);
  if (options.version) print(`pulumi-compute-endpoint ${version() ?? "of unknown version"}\n`);
  if (options.help || options.version) return endings.written;
  const stack = stackOf(options, surroundings);
  const { config, listEndpoints } = await surroundings.connect();
  const { projectId, variant, out } = options;
  const unreadable: string[] = [];
  const readable = await listEndpoints({ projectId }, (reason) => unreadable.push(reason));
  const found = sortOut({ readable, unreadable }, { options, config, stack });
  complain(`${tableOf(projectId, found)}\n`);
  if (found.computes.length === 0) return endings.nothing;
  const text =
    variant === "dynamic"
      ? toProgram(projectId, found.computes)
      : toImportFile(found.computes, variant === "yaml" ? undefined : version());
  if (out === undefined) print(text);
  else writeNew(out, text, write);
  complain(`${nextSteps(options)}\n`);
  return endings.written;
}

function writeNew(file: string, text: string, write: ImportProcess["write"]): void {
  try {
    write(file, text);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST")
      throw new Error(
        `${file} could not be written (${message}). Make room for it, or choose another file with --out`,
        { cause: error },
      );
    const fix = "Choose another file with --out, or remove this one first";
    throw new Error(`${file} already exists and was not overwritten. ${fix}`, { cause: error });
  }
}

/** The command reads no stack, so only the provider's advice about environment variables helps. */
function ofEnvironment(message: string): string {
  return message.replaceAll(/, or (?:run )?`pulumi config set [^`]*`| or compute:\w+/g, "");
}

function stackOf({ stack }: ImportOptions, { read }: ImportProcess): HeldByStack {
  if (stack === undefined) return emptyStack;
  const text = decoded(read(stack));
  try {
    return readExportedStack(text);
  } catch (error) {
    if (!(error instanceof NoStackError)) throw error;
    const place = stack === "-" ? "stdin" : stack;
    throw new WrongCallError(`${place} is not the output of \`pulumi stack export\`: ${error.message}`);
  }
}

function nextSteps({ variant, out }: ImportOptions): string {
  if (variant === "dynamic")
    return `Next: \`pulumi preview\` with ${out ?? "this program"} shows a create with \`adopt\` for each compute, and no interruption. \`pulumi up\` then changes nothing at the service.`;
  const imports = `Next, once the plugin is installed (see docs/install.md), run \`pulumi import --file ${out ?? "FILE"} --out ${variant === "yaml" ? "imported.yaml" : "PROGRAM"}\`. It asks before it imports, protects what it imports, and writes the program.`;
  const added =
    'If the stack has a program already, name a new file as PROGRAM, and load that file in the program, in TypeScript with `import "./imported";`, in Python with `import imported`. Otherwise the next preview fails, because it would delete what was imported.';
  return variant === "yaml"
    ? `${imports} Then append its resources to Pulumi.yaml by hand.`
    : `${imports}\n${added}`;
}
