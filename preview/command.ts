/**
 * `compute-preview` without the process around it: options and input in, a report and an exit code out.
 */
import path from "node:path";
import {
  failureCodes,
  failureKinds,
  readCommandLine,
  usage,
  UsageError,
  type FailureKind,
  type Options,
} from "./commandLine";
import { reportOf } from "./judge/report";
import type { ComputeReport, Report, StacksReport } from "./judge/shape";
import { stacksReportOf } from "./judge/stacks";
import { readPreview, UnreadableInputError } from "./read/preview";
import { toMarkdown, toStacksMarkdown } from "./render/markdown";
import { toStacksText, toText } from "./render/text";

const exitCodes = { ok: 0, unexpected: 1, usage: 2, unreadable: 3, previewFailed: 4 } as const;

/** What the command needs of its process. */
export interface Surroundings {
  /** @param file - undefined for stdin. */
  readonly read: (file: string | undefined) => Uint8Array;
  /** @returns the names in a folder; undefined for what is none. */
  readonly list: (folder: string) => readonly string[] | undefined;
  readonly isTerminal: boolean;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** @returns the exit code. The report alone is printed; everything else is a complaint. */
export function runCommand(args: readonly string[], surroundings: Surroundings): number {
  try {
    return run(readCommandLine(args), surroundings);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    surroundings.complain(`compute-preview: ${message}\n`);
    if (error instanceof UnreadableInputError) return exitCodes.unreadable;
    if (!(error instanceof UsageError)) return exitCodes.unexpected;
    surroundings.complain(`\n${usage}`);
    return exitCodes.usage;
  }
}

function run(options: Options, surroundings: Surroundings): number {
  const { isTerminal, print, complain } = surroundings;
  if (options.help) {
    print(usage);
    return exitCodes.ok;
  }
  if (options.inputs.length === 0 && isTerminal) {
    throw new UsageError("needs a file, or a pipe: pulumi preview --json | compute-preview");
  }
  const files = filesOf(options.inputs, surroundings);
  const { text, reports, unreadable } =
    files === undefined ? oneStack(options, surroundings) : manyStacks(files, { options, surroundings });
  print(text);
  for (const { file, reason } of unreadable) complain(`compute-preview: ${file} is no preview: ${reason}\n`);
  const [code, message] = endingOf(reports, options.failOn);
  if (message !== "") complain(`compute-preview: ${message}\n`);
  return unreadable.length > 0 ? exitCodes.unreadable : code;
}

/** What is printed, and what its ending follows from. */
interface Told {
  readonly text: string;
  readonly reports: readonly Report[];
  readonly unreadable: StacksReport["unreadable"];
}

/** The files of several stacks; undefined for a file alone, or stdin, whose report is that of one stack. */
function filesOf(inputs: readonly string[], { list }: Surroundings): readonly string[] | undefined {
  const folders = inputs.map((input) => list(input));
  if (inputs.length < 2 && folders.every((folder) => folder === undefined)) return undefined;
  return inputs.flatMap((input, index) => {
    const folder = folders[index];
    return folder === undefined ? [input] : previewsIn(input, folder);
  });
}

/** @throws UnreadableInputError where there is none: a job that forgot to write them must not pass. */
function previewsIn(folder: string, names: readonly string[]): readonly string[] {
  const previews = names.filter((name) => name.endsWith(".json")).sort();
  if (previews.length === 0) throw new UnreadableInputError(`there is no *.json in ${folder}`);
  return previews.map((name) => path.join(folder, name));
}

function oneStack(options: Options, { read }: Surroundings): Told {
  const [file] = options.inputs;
  const report = reportOn(() => read(file));
  return { text: render(report, options), reports: [report], unreadable: [] };
}

/** A file that cannot be read leaves the others to be told. */
function manyStacks(
  files: readonly string[],
  { options, surroundings: { read } }: { readonly options: Options; readonly surroundings: Surroundings },
): Told {
  const results = files.map((file) => {
    try {
      return { file, report: reportOn(() => read(file)) };
    } catch (error) {
      if (!(error instanceof UnreadableInputError)) throw error;
      return { file, reason: error.reason };
    }
  });
  const stacks = stacksReportOf(
    results.flatMap(({ file, report }) => (report === undefined ? [] : [{ file, report }])),
    results.flatMap(({ file, reason }) => (reason === undefined ? [] : [{ file, reason }])),
  );
  return {
    text: renderStacks(stacks, options),
    reports: stacks.stacks.map(({ report }) => report),
    unreadable: stacks.unreadable,
  };
}

function reportOn(read: () => Uint8Array): Report {
  return reportOf(readPreview(bytesOf(read)));
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

function render(report: Report, { format, marker, maxLength }: Options): string {
  switch (format) {
    case "markdown":
      return toMarkdown(report, { marker, maxLength });
    case "json":
      return toJson(report);
    case "text":
      return toText(report);
  }
}

function renderStacks(report: StacksReport, { format, marker, maxLength }: Options): string {
  switch (format) {
    case "markdown":
      return toStacksMarkdown(report, { marker, maxLength });
    case "json":
      return toJson(report);
    case "text":
      return toStacksText(report);
  }
}

function toJson(report: Report | StacksReport): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** A failed preview counts first: it may have stopped before it saw what `--fail-on` is about. */
function endingOf(
  reports: readonly Report[],
  failOn: readonly FailureKind[],
): [code: number, message: string] {
  const failed = reports.filter((report) => report.failed).length;
  if (failed > 0) {
    const which = reports.length === 1 ? "the preview itself" : `${failed} of ${reports.length} previews`;
    return [exitCodes.previewFailed, `${which} failed`];
  }
  const unseen = failOn.includes("drift") ? unseenIn(reports) : 0;
  const met = reports
    .flatMap(({ computes }) => computes)
    .filter((compute) => failOn.some((kind) => isOf(compute, kind)));
  const first = failureKinds.find(
    (kind) => failOn.includes(kind) && met.some((compute) => isOf(compute, kind)),
  );
  // Asked for what this form does not show, silence would be an all-clear.
  if (first === undefined && unseen > 0)
    return [
      failureCodes.drift,
      `whether ${unseen === 1 ? "1 compute" : `${unseen} computes`} changed outside, which --fail-on drift refuses, is in the events alone: PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true`,
    ];
  if (first === undefined) return [exitCodes.ok, ""];
  const count = met.length === 1 ? "1 compute is" : `${met.length} computes are`;
  return [failureCodes[first], `${count} what --fail-on ${failOn.join(",")} refuses`];
}

/** Computes of which nobody can say whether they changed outside. */
function unseenIn(reports: readonly Report[]): number {
  return reports.reduce((sum, { unseenRefreshes }) => sum + unseenRefreshes, 0);
}

function isOf({ outcome, certain, drops, drift }: ComputeReport, kind: FailureKind): boolean {
  if (kind === "may") return !certain;
  if (kind === "drift") return drift !== null;
  return kind === "drop" ? drops === "yes" : certain && outcome === kind;
}
