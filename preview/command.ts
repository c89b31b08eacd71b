/**
 * Runs `compute-preview` for given options and input, and returns a report and an exit code; `main.ts` adds the
 * process.
 */
import path from "node:path";
import { runApplied } from "./applied/command";
import { readCommandLine, usage, UsageError, type Options } from "./commandLine";
import { endingOf, exitCodes } from "./ending";
import { runFile } from "./files";
import { withAllowances } from "./judge/failures";
import { reportOf } from "./judge/report";
import type { Report, StacksReport } from "./judge/shape";
import { stacksReportOf } from "./judge/stacks";
import { isLinesFile, linesFileOf, withLines } from "./read/lines";
import { readPreview, UnreadableInputError, type Preview } from "./read/preview";
import { toAnnotations } from "./render/annotations";
import { toMarkdown, toStacksMarkdown } from "./render/markdown";
import { visible } from "./render/escape";
import { toStacksText, toText } from "./render/text";

/** What the command needs from its process. */
export interface CommandProcess {
  /** @param file - undefined for stdin. */
  readonly read: (file: string | undefined) => Uint8Array;
  /** @returns the paths of the files below a folder; undefined if it is not a folder. */
  readonly list: (folder: string) => readonly string[] | undefined;
  readonly isTerminal: boolean;
  /** The lines that `--version` prints; the action reports versions itself. */
  readonly versions?: () => readonly string[];
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** @returns the exit code. Only the report is printed; all other output goes to `complain`. */
export function runCommand(args: readonly string[], surroundings: CommandProcess): number {
  try {
    return run(readCommandLine(args), surroundings);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    surroundings.complain(`compute-preview: ${harmless(message)}\n`);
    if (error instanceof UnreadableInputError) return exitCodes.unreadable;
    if (!(error instanceof UsageError)) return exitCodes.unexpected;
    surroundings.complain(`\n${usage}`);
    return exitCodes.usage;
  }
}

function run(options: Options, surroundings: CommandProcess): number {
  const { isTerminal, print, complain } = surroundings;
  if (options.help) {
    print(usage);
    return exitCodes.ok;
  }
  if (options.version) {
    print(`${(surroundings.versions?.() ?? []).join("\n")}\n`);
    return exitCodes.ok;
  }
  if (options.applied !== undefined) return afterUpdate(options, options.applied, surroundings);
  if (options.inputs.length === 0 && isTerminal) {
    throw new UsageError("needs a file, or a pipe: pulumi preview --json | compute-preview");
  }
  const files = filesOf(options.inputs, surroundings);
  const { text, reports, unreadable } =
    files === undefined ? oneStack(options, surroundings) : manyStacks(files, { options, surroundings });
  print(
    options.annotations === undefined ? text : toAnnotations(reports, options.annotations, options.folder),
  );
  for (const { file, reason } of unreadable)
    complain(`compute-preview: ${visible(file)} is no preview: ${visible(reason)}\n`);
  if (options.annotations !== undefined && reports.some(hasNoLines))
    complain(
      `compute-preview: the events have no lines: write the JSON document beside them, such as ${visible(linesFileOf(options.inputs[0] ?? "preview.ndjson"))}\n`,
    );
  const [code, message] = endingOf(reports, options);
  if (message !== "") complain(`compute-preview: ${harmless(message)}\n`);
  return unreadable.length > 0 ? exitCodes.unreadable : code;
}

/** A compute that is deleted has no line in any form, and one that is refused none in a preview that failed. */
function hasNoLines({ form, computes }: Report): boolean {
  const placed = computes.filter(({ outcome }) => outcome !== "delete" && outcome !== "refused");
  return form === "events" && placed.length > 0 && placed.every(({ source }) => source === null);
}

/** Lines that steer no terminal, whatever file names are in them. */
function harmless(message: string): string {
  return message.split("\n").map(visible).join("\n");
}

/** @param file - the events of the update; `-` for stdin. */
function afterUpdate(
  { format, marker, maxLength, plain, inputs }: Options,
  file: string,
  { read, print, complain }: CommandProcess,
): number {
  const [preview] = inputs;
  const { text, code, message } = runApplied({
    applied: bytesOf(() => read(file === "-" ? undefined : file)),
    preview: preview === undefined ? undefined : bytesOf(() => read(preview)),
    ...{ format, marker, maxLength, plain },
  });
  print(text);
  if (message !== "") complain(`compute-preview: ${message}\n`);
  return code;
}

/** What is printed, and what decides the exit code. */
interface Printed {
  readonly text: string;
  readonly reports: readonly Report[];
  readonly unreadable: StacksReport["unreadable"];
}

interface InputFiles {
  readonly previews: readonly string[];
  /** Files of folders that have another ending: they are not read, and the report names them. */
  readonly ignored: readonly string[];
}

/** The files of several stacks; undefined for a single file or stdin, whose report covers one stack. */
function filesOf(inputs: readonly string[], { list }: CommandProcess): InputFiles | undefined {
  const folders = inputs.map((input) => list(input));
  if (inputs.length < 2 && folders.every((folder) => folder === undefined)) return undefined;
  const found = inputs.map((input, index) => {
    const folder = folders[index];
    return folder === undefined ? { previews: [input], ignored: [] } : filesIn(input, folder);
  });
  return {
    previews: found.flatMap(({ previews }) => previews),
    ignored: found.flatMap(({ ignored }) => ignored),
  };
}

/** @throws UnreadableInputError if there are none: a job that forgot to write them must not pass. */
function filesIn(folder: string, names: readonly string[]): InputFiles {
  // Every system accepts this separator, and file names in a comment do not depend on the system.
  const files = names
    .filter((name) => path.posix.basename(name) !== runFile)
    .map((name) => path.posix.join(folder, name));
  const readable = files.filter((file) => /\.(json|ndjson|jsonl)$/.test(file));
  const previews = readable.filter((file) => !isLinesFile(file, readable));
  if (previews.length > 0) return { previews, ignored: files.filter((file) => !readable.includes(file)) };
  const others = files.length === 0 ? "" : `, only ${files.slice(0, 5).map(visible).join(", ")}`;
  throw new UnreadableInputError(`there is no *.json, *.ndjson or *.jsonl below ${visible(folder)}${others}`);
}

function oneStack(options: Options, { read }: CommandProcess): Printed {
  const [file] = options.inputs;
  const report = reportOn(file, { options, read });
  return { text: render(report, options), reports: [report], unreadable: [] };
}

/** Reports the other stacks if a file cannot be read. */
function manyStacks(
  { previews, ignored }: InputFiles,
  { options, surroundings: { read } }: { readonly options: Options; readonly surroundings: CommandProcess },
): Printed {
  const results = previews.map((file) => {
    try {
      return { file, report: reportOn(file, { options, read }) };
    } catch (error) {
      if (!(error instanceof UnreadableInputError)) throw error;
      return { file, reason: error.reason };
    }
  });
  const stacks = stacksReportOf(
    results.flatMap(({ file, report }) => (report === undefined ? [] : [{ file, report }])),
    results.flatMap(({ file, reason }) => (reason === undefined ? [] : [{ file, reason }])),
    ignored,
  );
  return {
    text: renderStacks(stacks, options),
    reports: stacks.stacks.map(({ report }) => report),
    unreadable: stacks.unreadable,
  };
}

interface ReportSource extends Pick<CommandProcess, "read"> {
  readonly options: Options;
}

function reportOn(file: string | undefined, { options, read }: ReportSource): Report {
  const preview = readPreview(bytesOf(() => read(file)));
  return withAllowances(reportOf(withLinesBeside(preview, file, read)), options);
}

/** Lines are an extra: a document that is missing or cannot be read takes nothing from the report. */
function withLinesBeside(preview: Preview, file: string | undefined, read: CommandProcess["read"]): Preview {
  if (preview.form !== "events" || file === undefined) return preview;
  try {
    return withLines(preview, readPreview(read(linesFileOf(file))));
  } catch {
    return preview;
  }
}

function bytesOf(read: () => Uint8Array): Uint8Array {
  try {
    return read();
  } catch (error) {
    throw new UnreadableInputError(
      `it cannot be read (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}

function render(report: Report, { format, ...options }: Options): string {
  switch (format) {
    case "markdown":
      return toMarkdown(report, options);
    case "json":
      return toJson(report);
    case "text":
      return toText(report);
  }
}

function renderStacks(report: StacksReport, { format, ...options }: Options): string {
  switch (format) {
    case "markdown":
      return toStacksMarkdown(report, options);
    case "json":
      return toJson(report);
    case "text":
      return toStacksText(report);
  }
}

function toJson(report: Report | StacksReport): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}
