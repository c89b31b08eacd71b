/**
 * The errors of a wait. Each names the operation, so that users can find it in the service's own list.
 */
import type { ApiOperation } from "../api/schemas";
import { ComputeError } from "../errors";

/** The change that an operation belongs to. */
export interface Awaited {
  /** `creating compute ep-x`. */
  readonly doing: string;
  /** The next run sends a deletion again; for any other change, it only continues the wait. */
  readonly kind: "change" | "deletion";
}

/** `operation start_compute (op-id)`: the name of an operation in messages. */
export function nameOf({ action, id }: Pick<ApiOperation, "action" | "id">): string {
  return `operation ${action} (${id})`;
}

/** What to do after a wait that ended badly. @param change - if the wait was not for a deletion. */
function fixFor({ kind }: Awaited, change: string): string {
  return kind === "deletion"
    ? "Run the same command again: it finds out first whether the compute is gone"
    : change;
}

const waitOn = "`pulumi up` goes on waiting for it without sending the change again";

/** An operation failed. */
export class OperationFailedError extends ComputeError {
  override readonly name = "OperationFailedError";

  constructor(
    readonly operation: ApiOperation,
    awaited: Awaited,
    explanation: string | undefined,
  ) {
    const failures = operation.failures_count ?? 0;
    const times = failures > 1 ? ` after ${failures} failures` : "";
    super({
      doing: awaited.doing,
      what: `${nameOf(operation)} ended as ${operation.status}${times}${explanation === undefined ? "" : ` (${explanation})`}`,
      fix: fixFor(
        awaited,
        "The compute exists and stays in the state: `pulumi up` looks at it again without sending the change twice, `pulumi destroy` removes it",
      ),
    });
  }
}

/** The deadline passed; carries the operation as last read. */
export class OperationTimeoutError extends ComputeError {
  override readonly name = "OperationTimeoutError";

  constructor(
    readonly operation: ApiOperation,
    awaited: Awaited,
    limitMs: number,
  ) {
    super({
      doing: awaited.doing,
      what: `${nameOf(operation)} was still ${operation.status} after ${Math.round(limitMs / 1000)} s`,
      fix: `${fixFor(awaited, waitOn)}; a longer wait is set with \`timeouts\``,
    });
  }
}

/** The run was interrupted by one Ctrl-C; carries the operation as last read. */
export class OperationInterruptedError extends ComputeError {
  override readonly name = "OperationInterruptedError";

  constructor(
    readonly operation: ApiOperation,
    awaited: Awaited,
  ) {
    super({
      doing: awaited.doing,
      what: `the run was interrupted while ${nameOf(operation)} was ${operation.status}: it goes on at the service`,
      fix: fixFor(awaited, waitOn),
    });
  }
}

/** The deadline passed, and interface 2.2 does not list the operation's status. */
export class OperationStatusUnknownError extends ComputeError {
  override readonly name = "OperationStatusUnknownError";

  constructor(
    readonly operation: ApiOperation,
    { doing }: Awaited,
    limitMs: number,
  ) {
    super({
      doing,
      what: `${nameOf(operation)} is ${operation.status} after ${Math.round(limitMs / 1000)} s, a status that this version does not know`,
      fix: "See at the service how it ended, then run the same command again; a newer version of this package may know the status",
    });
  }
}

/** The service no longer knows an operation that it returned, and does not list it either. */
export class OperationLostError extends ComputeError {
  override readonly name = "OperationLostError";

  constructor(
    readonly operation: ApiOperation,
    awaited: Awaited,
  ) {
    super({
      doing: awaited.doing,
      what: `the service no longer knows ${nameOf(operation)}, last seen ${operation.status}`,
      fix: fixFor(awaited, "`pulumi up` looks at the compute again, without sending the change twice"),
    });
  }
}
