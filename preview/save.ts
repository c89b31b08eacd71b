/**
 * Carries out `compute-preview --save FILE`: saves the preview of a command, or the one in the input; and `--connections`, which
 * asks computes before the report is printed. All other calls are `command.ts`'s.
 */
import { messageOf } from "../provider/model/errors";
import {
  bytesOf,
  complaintOf,
  readConnected,
  renderReport,
  runCommand,
  type CommandProcess,
} from "./command";
import { readCommandLine, type Options } from "./commandLine";
import type { AskConnections } from "./connections/ask";
import { exitCodes } from "./judge/verdict";
import { WrongCallError } from "./read/call";
import { UnreadableInputError } from "./read/json";
import { linesFileOf } from "./read/source";
import type { Recorded } from "./record";
import { savedLines, savedText } from "./saved";

/** What the command needs from its process. */
export interface SavingProcess extends CommandProcess {
  readonly record: (command: readonly string[]) => Promise<Recorded>;
  readonly write: (file: string, text: string) => void;
  /** For `--connections`. */
  readonly ask: AskConnections;
}

/** @returns the exit code. */
export async function runProcess(args: readonly string[], surroundings: SavingProcess): Promise<number> {
  const options = optionsOf(args);
  if (options?.connections === true && !options.help && !options.version)
    return printConnected(args, options, surroundings);
  if (options?.save === undefined || options.help || options.version) return runCommand(args, surroundings);
  try {
    return await savePreview({ ...options, save: options.save }, surroundings);
  } catch (error) {
    surroundings.complain(complaintOf(messageOf(error)));
    if (error instanceof WrongCallError) return exitCodes.usage;
    return error instanceof UnreadableInputError ? exitCodes.unreadable : exitCodes.unexpected;
  }
}

async function printConnected(
  args: readonly string[],
  options: Options,
  { print, complain, ask, ...files }: SavingProcess,
): Promise<number> {
  const { report, code, complaint } = await readConnected(args, files, ask);
  if (report !== undefined) print(renderReport(report, options));
  if (complaint !== "") complain(complaint);
  return code;
}

/** Undefined for a wrong call: `runCommand` says what is wrong. */
function optionsOf(args: readonly string[]): Options | undefined {
  try {
    return readCommandLine(args);
  } catch (error) {
    if (error instanceof WrongCallError) return undefined;
    throw error;
  }
}

/** @returns the exit code of the command, so that a failed preview stays a failure. */
async function savePreview(
  { save, command, inputs: [input] }: Options & { readonly save: string },
  { read, record, write, complain, isTerminal }: SavingProcess,
): Promise<number> {
  if (command.length === 0 && input === undefined && isTerminal)
    throw new WrongCallError(
      "needs a command, a file or a pipe: compute-preview --save FILE -- pulumi preview",
    );
  const bytes = command.length === 0 ? bytesOf(input, read) : undefined;
  // A file of an earlier run must not pass for this one's: a report on an empty file says that the changes are unknown.
  write(save, "");
  if (bytes !== undefined) {
    write(save, savedText(bytes));
    return exitCodes.ok;
  }
  const { events, document, code } = await record(command);
  try {
    write(save, savedText(events));
    if (document !== undefined) write(linesFileOf(save), savedLines(document));
  } catch (error) {
    // A preview that fails early writes no events. Its own error is on stderr.
    if (!(error instanceof UnreadableInputError)) throw error;
    complain(complaintOf(error.message));
    return code === 0 ? exitCodes.unreadable : code;
  }
  return code;
}
