/**
 * Waits for operations, so that the computes are ready when `pulumi up` ends.
 */
import type { Deadline } from "../clock";
import { ComputeError, isKind, isNotFound, RequestError, type Problem } from "../model/errors";
import { nameOf, outcomeOf } from "./observation";
import { failedReadMs, maxTries, operationPollAfter } from "../model/timing";
import type { CallOptions } from "./request";
import type { ApiOperation } from "./schemas";

/** What a wait is for. */
export interface Purpose {
  /** `creating compute ep-x`. */
  readonly doing: string;
  /** The next run sends a deletion or a restart again; for any other change, it only continues the wait. */
  readonly kind: "change" | "deletion" | "restart";
}

export type Operations = readonly [ApiOperation, ...ApiOperation[]];

/**
 * Reads the first of these operations, and the others if that costs no further request. `operations.ts` shares the requests of
 * many waits.
 *
 * @param next.inMs - time until the read. A read for another wait may come earlier, and serves this wait too. A run that is
 * interrupted reads at once.
 * @returns all these operations, in the same order.
 */
export type ReadOperations = (
  operations: Operations,
  projectId: string,
  next: { readonly inMs: number } & ReadCall,
) => Promise<Operations>;

/** The deadline of a read, and what its retries show. */
type ReadCall = Pick<CallOptions, "onRetry"> & { readonly deadline: Deadline };

interface WaitOptions extends Purpose, ReadCall {
  readonly projectId: string;
  /** Called with the operation that is awaited at each read, for the row of the resource. */
  readonly onProgress: (operation: ApiOperation, elapsedMs: number) => void;
  /**
   * Another way to find an operation that cannot be read any more: services may forget operations once they have ended. The
   * answer is undefined if nothing tells how the operation ended.
   */
  readonly foundElsewhere?: ((operation: ApiOperation) => Promise<ApiOperation | undefined>) | undefined;
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
    options.onProgress(seen, deadline.elapsedMs());
    const outcome = outcomeOf(seen.status);
    if (outcome === "succeeded") {
      ended.push(seen);
      [seen, ...others] = others;
      reads = -1;
      continue;
    }
    if (outcome === "failed") throw new OperationFailedError(seen, options);
    // The last read is sent at the deadline itself, so that an operation that ends just before the deadline counts.
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
  { inMs: firstMs, ...options }: WaitOptions & { readonly inMs: number },
): Promise<Operations> {
  const { deadline, onRetry } = options;
  const [seen, ...others] = operations;
  for (let failed = 1, inMs = firstMs; ; failed++) {
    try {
      return await read(operations, options.projectId, { inMs, deadline, onRetry });
    } catch (error) {
      if (isNotFound(error) && failed >= maxTries) {
        const found = await options.foundElsewhere?.(seen);
        if (found === undefined) throw new OperationLostError(seen, options);
        return [found, ...others];
      }
      const isWorthReading = isNotFound(error) || isPassing(error);
      if (!isWorthReading || failed >= maxTries || deadline.leftMs() <= 0)
        throw error instanceof RequestError && error.isAway ? awayError(seen, options, error) : error;
      await deadline.wait(Math.min(failedReadMs * failed, deadline.leftMs()));
      inMs = 0;
    }
  }
}

/** Whether a failed read says nothing about the operation: no connection, a page instead of JSON, or a failing service. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof RequestError && (error.transient || isKind(error, "connection", "unreadable", "empty"))
  );
}

/** What follows the name of an operation that did not succeed: `failed`, or the service's own word for its status. */
export function failureText({ status }: Pick<ApiOperation, "status">): string {
  return status === "failed" ? status : `has the status "${status}"`;
}

/** What to do after a wait that failed. @param change - what to do if the wait was for a change. */
function fixFor({ kind }: Purpose, change: string): string {
  switch (kind) {
    case "deletion":
      return "To delete the compute if it still exists, run the same command again";
    case "restart":
      return "The restart does not count as done: the next `pulumi up` sends it again";
    case "change":
      return change;
  }
}

/** An operation failed. */
export class OperationFailedError extends ComputeError {
  override readonly name = "OperationFailedError";

  constructor(
    readonly operation: ApiOperation,
    purpose: Purpose & Pick<WaitOptions, "redact">,
  ) {
    const failures = operation.failures_count ?? 0;
    const times = failures > 1 ? ` after ${failures} attempts` : "";
    // Interface 2.2 does not list `error`; known services explain a failure in it.
    const explanation = purpose.redact(operation.error ?? "").slice(0, 300);
    super({
      doing: purpose.doing,
      what: `${nameOf(operation)} ${failureText(operation)}${times}${explanation === "" ? "" : ` (${explanation})`}`,
      fix: fixFor(
        purpose,
        "The compute exists and stays in the state. `pulumi up` checks the operation again, without sending the change twice; `pulumi destroy` removes the compute",
      ),
    });
  }
}

/** The service no longer knows an operation that it returned, and does not list it either. */
export class OperationLostError extends ComputeError {
  override readonly name = "OperationLostError";

  constructor(
    readonly operation: ApiOperation,
    purpose: Purpose,
  ) {
    super({
      doing: purpose.doing,
      what: `the service no longer shows ${nameOf(operation)}, last seen ${operation.status}`,
      fix: fixFor(purpose, "`pulumi up` reads the compute again, without sending the change twice"),
    });
  }
}

/** An operation had not ended when the time of the wait was over, or when the run was interrupted. */
export class OperationUnendedError extends ComputeError {
  override readonly name = "OperationUnendedError";

  constructor(
    readonly operation: ApiOperation,
    problem: Problem,
  ) {
    super(problem);
  }
}

/** What the user does about an operation that the next run waits for. */
export const goesOnWaiting = "Run `pulumi up` again: it goes on waiting, and sends nothing twice";

/** The error for a wait in which the service stopped answering. */
function awayError(seen: ApiOperation, purpose: Purpose, cause: RequestError): ComputeError {
  const { what, requestId } = cause.problem;
  return new ComputeError({
    doing: purpose.doing,
    what: `${nameOf(seen)} was ${seen.status} when the service last answered; the service has been unavailable since (${what})`,
    requestId,
    fix: fixFor(purpose, `The change was sent. ${goesOnWaiting}`),
    cause,
  });
}

/** The error for a wait that ended before its operation did: the time is over, or one Ctrl-C interrupted the run. */
function unendedError(
  operation: ApiOperation,
  purpose: Purpose,
  deadline: Pick<Deadline, "limitMs" | "isInterrupted">,
): ComputeError {
  const { doing } = purpose;
  const { status } = operation;
  const name = nameOf(operation);
  const fix = fixFor(purpose, goesOnWaiting);
  const seconds = Math.round(deadline.limitMs / 1000);
  if (deadline.isInterrupted()) {
    const what = `the run was interrupted while ${name} was ${status}: the operation goes on at the service`;
    return new ComputeError({ doing, what, fix });
  }
  // Waiting longer may not help: interface 2.2 does not list the status.
  if (outcomeOf(status) === "unknown")
    return new OperationUnendedError(operation, {
      doing,
      what: `after ${seconds} s, ${name} has the status ${JSON.stringify(status)}, which this version does not support`,
      fix: `Check at the service how the operation ended, then run the same command again${purpose.kind === "change" ? ". It continues if the compute is active, or was active after that operation" : ""}. A newer version of this package may support that status`,
    });
  const what = `${name} was still ${status} after ${seconds} s`;
  return new OperationUnendedError(operation, {
    doing,
    what,
    fix: `${fix}; to wait longer, set \`timeouts\``,
  });
}
