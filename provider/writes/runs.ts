/**
 * Which process wrote a journal entry, so that another one can tell whether its run goes on: a preview takes no lock,
 * and may stand beside an update of the same stack.
 */
import { hostname } from "node:os";
import * as z from "zod";
import { hashOf } from "./flushedFile";

/** A process, and a hash of its machine's name. */
export const runSchema = z.object({ pid: z.number(), host: z.string() });

type Run = z.infer<typeof runSchema>;

export function thisRun(): Run {
  return { pid: process.pid, host: hashOf([hostname()]) };
}

/** Whether a run is of another process that is still at work on this machine. Nothing is known of other machines. */
export function isAtWork(run: Run | undefined): boolean {
  const { pid, host } = thisRun();
  if (run === undefined || run.host !== host || run.pid === pid) return false;
  try {
    // Sends nothing: it only asks whether the process exists.
    process.kill(run.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
