/**
 * Runs `compute-preview` on given options and input, and returns a report and an exit code. `main.ts` is the process
 * around it.
 */
import path from "node:path";
import { messageOf } from "../provider/model/errors";
import { packageVersion } from "../provider/version";
import { readCommandLine, usage, type Options } from "./commandLine";
import type { AskConnections } from "./connections/ask";
import { WrongCallError } from "./read/call";
import { reportOf } from "./judge/report";
import type { Report, StacksReport } from "./shape";
import { stacksReportOf } from "./judge/stacks";
import { exitCodes } from "./judge/verdict";
import { isLinesFile, linesFileOf, withLines } from "./read/source";
import { eitherAdvice, planAdvice, UnreadableInputError } from "./read/json";
import { readPreview } from "./input";
import type { Preview } from "./read/steps";
import { toAnnotations } from "./render/annotations";
import type { MarkdownOptions } from "./render/fit";
import { toMarkdown } from "./render/markdown";
import { jsonText, visible } from "./render/escape";
import { toText } from "./render/text";
import { verdictLine } from "./render/words";

/** How the command reads its input. */
export interface PreviewFiles {
  /** @param file - undefined for stdin. */
  readonly read: (file: string | undefined) => Uint8Array;
  /** @returns the paths of the files below a folder; undefined if it is not a folder. */
  readonly list: (folder: string) => readonly string[] | undefined;
  /** True if nothing is piped in: without a file there is nothing to read. */
  readonly isTerminal: boolean;
  /** True if complaints and the report appear in the same place, such as one terminal. */
  readonly isOneScreen?: boolean;
}

type Read = PreviewFiles["read"];

/** What the command needs from its process. */
export interface CommandProcess extends PreviewFiles {
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** How the command ends. */
interface PreviewEnding {
  /** The exit code. */
  readonly code: number;
  /** Complaints, for stderr; empty if there are none. */
  readonly complaint: string;
  /** undefined if no preview could be read. */
  readonly report?: Report | StacksReport;
}

/** @returns the exit code. Only the report is printed; all other output goes to `complain`. */
export function runCommand(args: readonly string[], surroundings: CommandProcess): number {
  const { code, complaint } = withErrors(() => run(readCommandLine(args), surroundings));
  if (complaint !== "") surroundings.complain(complaint);
  return code;
}

/** Reads the previews once, for a program that needs the report in several forms; `renderReport` writes each form. */
export function readReport(args: readonly string[], files: PreviewFiles): PreviewEnding {
  return withErrors(() => readPreviews(readCommandLine(args), files));
}

/** Like `readReport`, and asks interrupted computes for their connections. The exit code does not change. */
export async function readConnected(
  args: readonly string[],
  files: PreviewFiles,
  ask: AskConnections,
): Promise<PreviewEnding> {
  const previews = new Map<string, Uint8Array>();
  const read: Read = (file) => {
    const bytes = files.read(file);
    previews.set(file ?? "", bytes);
    return bytes;
  };
  const ending = readReport(args, { ...files, read });
  if (ending.report === undefined) return ending;
  const { report, complaint } = await ask(ending.report, previews);
  return { ...ending, report, complaint: `${complaintOf(complaint)}${ending.complaint}` };
}

function withErrors(act: () => PreviewEnding): PreviewEnding {
  try {
    return act();
  } catch (error) {
    const complaint = complaintOf(messageOf(error));
    if (error instanceof UnreadableInputError) return { code: exitCodes.unreadable, complaint };
    if (!(error instanceof WrongCallError)) return { code: exitCodes.unexpected, complaint };
    return { code: exitCodes.usage, complaint: `${complaint}\n${usage}` };
  }
}

function run(options: Options, surroundings: CommandProcess): PreviewEnding {
  const { print } = surroundings;
  if (options.help || options.version) {
    print(options.help ? usage : `pulumi-compute-endpoint ${packageVersion() ?? "of unknown version"}\n`);
    return { code: exitCodes.ok, complaint: "" };
  }
  const ending = readPreviews(options, surroundings);
  const { report } = ending;
  print(
    options.annotations === undefined
      ? renderReport(report, options)
      : toAnnotations(reportsOf(report), options.annotations, options.folder),
  );
  return ending;
}

function readPreviews(options: Options, surroundings: PreviewFiles): Required<PreviewEnding> {
  if (options.inputs.length === 0 && surroundings.isTerminal) {
    throw new WrongCallError("needs a file, or a pipe: pulumi preview --json | compute-preview");
  }
  const files = filesOf(options.inputs, surroundings);
  const { read } = surroundings;
  const report =
    files === undefined ? reportOn(options.inputs[0], options, read) : manyStacks(files, options, read);
  const { code, advice } = report.verdict;
  const noLines =
    options.annotations !== undefined && reportsOf(report).some(hasNoLines)
      ? noLinesReason(report, options, read)
      : "";
  const unreadable = report.format === "compute-preview" ? [] : report.unreadable;
  // A report for people begins with the verdict, so stderr does not repeat it on the same screen.
  const isShown = options.annotations === undefined && options.format !== "json" && surroundings.isOneScreen;
  const complaints = [
    ...unreadable.map(({ file, reason, advice: fix }) => `${file} cannot be used: ${reason}. ${fix}`),
    noLines,
    code === exitCodes.ok || isShown === true ? "" : [verdictLine(report.verdict), ...advice].join("\n"),
  ];
  return { report, code, complaint: complaints.map(complaintOf).join("") };
}

/** One report for each stack whose preview could be read. */
export function reportsOf(report: Report | StacksReport): readonly Report[] {
  return report.format === "compute-preview" ? [report] : report.stacks.map((stack) => stack.report);
}

/**
 * True if no compute has a line in the program. Deleted and refused computes do not count, since they never have a
 * line.
 */
function hasNoLines({ computes }: Report): boolean {
  const placed = computes.filter(({ outcome }) => outcome !== "delete" && outcome !== "refused");
  return placed.length > 0 && placed.every(({ source }) => source === null);
}

function noLinesReason(report: Report | StacksReport, { inputs }: Options, read: Read): string {
  const lines = linesFileOf(inputs[0] ?? "preview.ndjson");
  const [without] = reportsOf(report).filter(hasNoLines);
  if (without?.form === "plan") return "a plan contains no line numbers of the program";
  if (without?.form === "events" && !isOfSame(lines, without, read))
    return `the events have no line numbers: save the default output of pulumi preview --json as ${visible(lines)}, beside the events`;
  return "the preview has no line numbers of the program: Pulumi's SDK records none for ES modules";
}

/** True if a file contains the JSON document of the reported preview: it names one of the report's computes. */
function isOfSame(file: string, { computes }: Report, read: Read): boolean {
  try {
    const { steps } = readPreview(read(file));
    return steps.some(({ urn }) => computes.some((compute) => compute.urn === urn));
  } catch {
    return false;
  }
}

/** Escapes control characters, which file names may contain; an empty message gives an empty text. */
export function complaintOf(message: string): string {
  return message === "" ? "" : `compute-preview: ${message.split("\n").map(visible).join("\n")}\n`;
}

interface InputFiles {
  readonly previews: readonly string[];
  /** Files of a folder that are not read because of their extension; the report names them. */
  readonly ignored: readonly string[];
}

/** The files of several stacks; undefined for a single file or stdin, whose report covers one stack. */
function filesOf(inputs: readonly string[], { list }: PreviewFiles): InputFiles | undefined {
  const folders = inputs.map((input) => list(input));
  if (inputs.length < 2 && folders.every((folder) => folder === undefined)) return undefined;
  const found = inputs.map((input, index) => {
    const folder = folders[index];
    return folder === undefined ? { previews: [input], ignored: [] } : filesIn(input, folder);
  });
  return { previews: found.flatMap((of) => of.previews), ignored: found.flatMap((of) => of.ignored) };
}

/** @throws UnreadableInputError if the folder contains no preview: a job that forgot to write them must not pass. */
function filesIn(folder: string, names: readonly string[]): InputFiles {
  // Joins with `/`, which every operating system accepts, so that comments always show the same names.
  const files = names.map((name) => path.posix.join(folder, name));
  const readable = files.filter((file) => /\.(json|ndjson|jsonl)$/.test(file));
  const previews = readable.filter((file) => !isLinesFile(file, readable));
  if (previews.length > 0) return { previews, ignored: files.filter((file) => !readable.includes(file)) };
  const others =
    files.length === 0 ? "" : `, only files such as ${files.slice(0, 5).map(visible).join(", ")}`;
  throw new UnreadableInputError(
    `there is no *.json, *.ndjson or *.jsonl file in ${visible(folder)}${others}`,
    eitherAdvice,
  );
}

/** If one file cannot be read, the other stacks are still reported. */
function manyStacks({ previews, ignored }: InputFiles, options: Options, read: Read): StacksReport {
  const stacks: { file: string; report: Report }[] = [];
  const unreadable: { file: string; reason: string; advice: string }[] = [];
  for (const file of previews)
    try {
      stacks.push({ file, report: reportOn(file, options, read) });
    } catch (error) {
      if (!(error instanceof UnreadableInputError)) throw error;
      unreadable.push({ file, reason: error.reason, advice: error.advice });
    }
  return stacksReportOf({ read: stacks, unreadable, ignored, failOn: options.failOn });
}

/**
 * Reports on one stack, whichever provider declares its computes: `peers/judgement.ts` judges those of other providers.
 */
function reportOn(file: string | undefined, { failOn }: Options, read: Read): Report {
  try {
    const preview = readPreview(bytesOf(file, read));
    return reportOf(withLinesBeside(preview, file, read), failOn);
  } catch (error) {
    // The JSON is nested too deep for the call stack of this process. The other Pulumi stacks are still reported.
    if (error instanceof RangeError) throw new UnreadableInputError("it is nested too deeply");
    throw error;
  }
}

/**
 * Adds line numbers from the document beside the events. They are optional: a missing or unreadable document is
 * ignored.
 */
function withLinesBeside(preview: Preview, file: string | undefined, read: Read): Preview {
  if (preview.form !== "events" || file === undefined) return preview;
  try {
    return withLines(preview, readPreview(read(linesFileOf(file))));
  } catch {
    return preview;
  }
}

export function bytesOf(file: string | undefined, read: Read): Uint8Array {
  try {
    return read(file);
  } catch (error) {
    const isOfTerraform = /plan|terraform|tofu/i.test(path.basename(file ?? ""));
    const advice = isOfTerraform ? planAdvice(file) : eitherAdvice;
    throw new UnreadableInputError(`it cannot be read (${messageOf(error)})`, advice);
  }
}

/** @returns the report in one form. */
export function renderReport(
  report: Report | StacksReport,
  { format, ...options }: Pick<Options, "format"> & MarkdownOptions,
): string {
  switch (format) {
    case "markdown":
      return toMarkdown(report, options);
    case "json":
      return jsonText(report);
    case "text":
      return toText(report);
  }
}
