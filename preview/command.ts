/**
 * `compute-preview` without the process around it: options and input in, a report and an exit code out.
 */
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
import type { ComputeReport, Report } from "./judge/shape";
import { readPreview, UnreadableInputError } from "./read/preview";
import { toMarkdown } from "./render/markdown";
import { toText } from "./render/text";

const exitCodes = { ok: 0, unexpected: 1, usage: 2, unreadable: 3, previewFailed: 4 } as const;

/** What the command needs of its process. */
export interface Surroundings {
  /** @param file - undefined for stdin. */
  readonly read: (file: string | undefined) => Uint8Array;
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

function run(options: Options, { read, isTerminal, print, complain }: Surroundings): number {
  if (options.help) {
    print(usage);
    return exitCodes.ok;
  }
  if (options.file === undefined && isTerminal) {
    throw new UsageError("needs a file, or a pipe: pulumi preview --json | compute-preview");
  }
  const report = reportOf(readPreview(bytesOf(() => read(options.file))));
  print(render(report, options));
  const [code, message] = endingOf(report, options.failOn);
  if (message !== "") complain(`compute-preview: ${message}\n`);
  return code;
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
      return `${JSON.stringify(report, undefined, 2)}\n`;
    case "text":
      return toText(report);
  }
}

/** A failed preview counts first: it may have stopped before it saw what `--fail-on` is about. */
function endingOf(
  { computes, failed }: Report,
  failOn: readonly FailureKind[],
): [code: number, message: string] {
  if (failed) return [exitCodes.previewFailed, "the preview itself failed"];
  const met = computes.filter((compute) => failOn.some((kind) => isOf(compute, kind)));
  const first = failureKinds.find(
    (kind) => failOn.includes(kind) && met.some((compute) => isOf(compute, kind)),
  );
  if (first === undefined) return [exitCodes.ok, ""];
  const count = met.length === 1 ? "1 compute is" : `${met.length} computes are`;
  return [failureCodes[first], `${count} what --fail-on ${failOn.join(",")} refuses`];
}

function isOf({ outcome, certain, drops }: ComputeReport, kind: FailureKind): boolean {
  if (kind === "may") return !certain;
  return kind === "drop" ? drops === "yes" : certain && outcome === kind;
}
