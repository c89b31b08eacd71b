/**
 * Waits for operations, so that the computes are ready when `pulumi up` ends.
 */
import { isKind, isNotFound, RequestError } from "../model/errors";
import type { ApiOperation } from "./schemas";
import { failedReadMs, maxTries, operationPollAfter } from "../model/timing";
import type { Deadline } from "../clock";
import { OperationFailedError, OperationLostError, unendedError, type Awaited } from "./operationErrors";
import { verdictOf } from "../model/operationStatus";

/** When a wait reads its operations again. */
export interface NextRead {
  /** Time until the read, or less: a read for another wait serves this one too. Ends with the run's interruption. */
  readonly inMs: number;
  readonly deadline: Deadline;
}

/**
 * Reads the first of these operations, and the others where that costs nothing; `batch.ts` shares the requests of many
 * waits.
 *
 * @returns all of them, in the same order.
 */
export type ReadOperations = (
  operations: Operations,
  projectId: string,
  next: NextRead,
) => Promise<Operations>;

export type Operations = readonly [ApiOperation, ...ApiOperation[]];

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
 * @throws OperationLostError if the service no longer knows an operation, and nothing tells how it ended.
 * @throws ComputeError if the deadline passes or the run is interrupted before an operation has ended.
 * @see interface 3.2, 4.7
 */
export async function waitForOperations(
  operations: readonly ApiOperation[],
  read: ReadOperations,
  options: WaitOptions,
): Promise<readonly ApiOperation[]> {
  const { deadline } = options;
  const ended: ApiOperation[] = [];
  let [seen, ...others] = operations;
  for (let reads = 0; seen !== undefined; reads++) {
    options.onProgress?.({ operation: seen, elapsedMs: deadline.elapsedMs() });
    const verdict = verdictOf(seen.status);
    if (verdict === "succeeded") {
      ended.push(seen);
      [seen, ...others] = others;
      reads = -1;
      continue;
    }
    if (verdict === "failed")
      throw new OperationFailedError(seen, options, explanationOf(seen, options.redact));
    // The last read is sent at the deadline itself, so that an end just before it counts.
    const leftMs = deadline.leftMs();
    if (leftMs <= 0) throw unendedError(seen, options, deadline);
    const inMs = Math.min(operationPollAfter(reads), leftMs);
    [seen, ...others] = await readPatiently([seen, ...others], read, { ...options, inMs });
  }
  return ended;
}

/** Reads operations; ignores a few failures in a row. */
async function readPatiently(
  operations: Operations,
  read: ReadOperations,
  { inMs: firstMs, ...options }: WaitOptions & NextRead,
): Promise<Operations> {
  const { deadline } = options;
  const [seen, ...others] = operations;
  for (let failed = 1, inMs = firstMs; ; failed++) {
    try {
      return await read(operations, options.projectId, { inMs, deadline });
    } catch (error) {
      if (isNotFound(error) && failed >= maxTries) {
        const listed = await options.listed?.(seen);
        if (listed !== undefined) return [listed, ...others];
        // Nobody knows when it ended.
        if ((await options.endedWell?.(seen)) === true)
          return [{ ...seen, status: "finished", updated_at: undefined }, ...others];
        throw new OperationLostError(seen, options);
      }
      const isWorthReading = isNotFound(error) || isPassing(error);
      if (!isWorthReading || failed >= maxTries || deadline.leftMs() <= 0) throw error;
      await deadline.wait(Math.min(failedReadMs * failed, Math.max(deadline.leftMs(), 0)));
      inMs = 0;
    }
  }
}

/** A failed read that says nothing about the operation: no connection, a page instead of JSON, a failing service. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof RequestError && (error.transient || isKind(error, "connection", "unreadable", "empty"))
  );
}

/** Known services explain a failure in `error`, which interface 2.2 does not list. */
function explanationOf({ error }: ApiOperation, redact: (text: string) => string): string | undefined {
  return (error ?? "") === "" ? undefined : redact(error ?? "").slice(0, 300);
}
