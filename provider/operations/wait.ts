/**
 * Waits for operations, so that the computes are ready when `pulumi up` ends.
 */
import { isKind, isNotFound, RequestError, type ComputeError } from "../errors";
import type { CallOptions } from "../api/answers";
import type { ApiOperation } from "../api/schemas";
import { failedReadMs, failedReadsAllowed, operationPollMs } from "../timing";
import type { Deadline } from "../clock";
import {
  OperationFailedError,
  OperationInterruptedError,
  OperationLostError,
  OperationStatusUnknownError,
  OperationTimeoutError,
  type Awaited,
} from "./errors";
import { verdictOf } from "./status";

/** Reads one operation; `batch.ts` shares the requests of many waits. */
export type LookAtOperation = (
  operation: ApiOperation,
  projectId: string,
  call?: CallOptions,
) => Promise<ApiOperation>;

/** The operation that a wait is for, shown on the resource's row. */
export interface WaitProgress {
  readonly operation: ApiOperation;
  readonly elapsedMs: number;
}

interface WaitOptions extends Awaited {
  readonly projectId: string;
  readonly deadline: Deadline;
  readonly onProgress?: ((progress: WaitProgress) => void) | undefined;
  /** An operation as the list of its project shows it, for one that cannot be read; undefined if it does not. */
  readonly listed?: ((operation: ApiOperation) => Promise<ApiOperation | undefined>) | undefined;
  /**
   * Whether an operation that the service no longer knows has ended well. Services may forget an operation once it has
   * ended; what it was for tells how.
   */
  readonly endedWell?: ((operation: ApiOperation) => Promise<boolean>) | undefined;
  /** Removes secrets from the service's text, before it is cut to a length. */
  readonly redact: (text: string) => string;
}

/**
 * Waits until every operation has succeeded, in the order given.
 *
 * A failed operation stops the wait at once; later ones may still run.
 *
 * @returns the operations as last read.
 * @throws OperationFailedError if an operation fails.
 * @throws OperationTimeoutError if the deadline passes; it carries the operation as last read.
 * @throws OperationStatusUnknownError if the deadline passes and interface 2.2 does not list the status.
 * @throws OperationLostError if the service no longer knows an operation, and nothing tells how it ended.
 * @throws OperationInterruptedError if the run is interrupted before an operation has ended.
 * @see interface 3.2, 4.7
 */
export async function waitForOperations(
  operations: readonly ApiOperation[],
  look: LookAtOperation,
  options: WaitOptions,
): Promise<readonly ApiOperation[]> {
  const ended: ApiOperation[] = [];
  for (const operation of operations) {
    // Refresh it first: its status is from before the earlier wait.
    const isOld = ended.some((earlier, index) => earlier !== operations[index]);
    const first = isOld ? await lookPatiently(operation, look, options) : operation;
    ended.push(await waitForOne(first, look, options));
  }
  return ended;
}

async function waitForOne(
  first: ApiOperation,
  look: LookAtOperation,
  options: WaitOptions,
): Promise<ApiOperation> {
  const { deadline } = options;
  let seen = first;
  for (let polls = 0; ; polls++) {
    options.onProgress?.({ operation: seen, elapsedMs: deadline.elapsedMs() });
    const verdict = verdictOf(seen.status);
    if (verdict === "succeeded") return seen;
    if (verdict === "failed")
      throw new OperationFailedError(seen, options, explanationOf(seen, options.redact));
    // The last read is sent at the deadline itself, so that an end just before it counts.
    const leftMs = deadline.leftMs();
    if (deadline.isInterrupted()) throw new OperationInterruptedError(seen, options);
    if (leftMs <= 0) throw timeoutError(seen, options);
    await deadline.wait(Math.min(operationPollMs[Math.min(polls, operationPollMs.length - 1)] ?? 0, leftMs));
    seen = await lookPatiently(seen, look, options);
  }
}

/** Names an undocumented status in the error: waiting longer may not help then. */
function timeoutError(seen: ApiOperation, options: WaitOptions): ComputeError {
  const { limitMs } = options.deadline;
  return verdictOf(seen.status) === "unknown"
    ? new OperationStatusUnknownError(seen, options, limitMs)
    : new OperationTimeoutError(seen, options, limitMs);
}

/** Reads an operation; ignores a few failures in a row. */
async function lookPatiently(
  seen: ApiOperation,
  look: LookAtOperation,
  options: WaitOptions,
): Promise<ApiOperation> {
  for (let failed = 1; ; failed++) {
    try {
      return await look(seen, options.projectId, { deadline: options.deadline });
    } catch (error) {
      if (isNotFound(error) && failed >= failedReadsAllowed) {
        const listed = await options.listed?.(seen);
        if (listed !== undefined) return listed;
        // Nobody knows when it ended.
        if ((await options.endedWell?.(seen)) === true)
          return { ...seen, status: "finished", updated_at: undefined };
        throw new OperationLostError(seen, options);
      }
      const worthAnotherLook = isNotFound(error) || isPassing(error);
      if (!worthAnotherLook || failed >= failedReadsAllowed || options.deadline.leftMs() <= 0) throw error;
      await options.deadline.wait(Math.min(failedReadMs * failed, Math.max(options.deadline.leftMs(), 0)));
    }
  }
}

/** A failed read that says nothing about the operation: no connection, a page instead of JSON, a failing service. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof RequestError &&
    (error.transient || isKind(error, "connection", "unreadable", "accepted"))
  );
}

/** Known services explain a failure in `error`, which interface 2.2 does not list. */
function explanationOf({ error }: ApiOperation, redact: (text: string) => string): string | undefined {
  return (error ?? "") === "" ? undefined : redact(error ?? "").slice(0, 300);
}
