/**
 * `compute-preview` without the process around it: options and input in, a report and an exit code out.
 */
import { readCommandLine, usage, UsageError, type Options } from "./commandLine";
import { endingOf, exitCodes } from "./exitCode";
import { readPreview, UnreadableInputError } from "./input";
import { toMarkdown } from "./markdown";
import { reportOf } from "./report";
import type { Report } from "./shape";
import { toText } from "./text";

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
  const { code, message } = endingOf(report, options.failOn);
  if (message !== undefined) complain(`compute-preview: ${message}\n`);
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
