/**
 * The errors of a wait. Each names the operation, so that users can find it in the service's own list.
 */
import type { ApiOperation } from "./schemas";
import type { Deadline } from "../clock";
import { ComputeError } from "../model/errors";
import { verdictOf } from "../model/operationStatus";

/** The change that an operation belongs to. */
export interface Awaited {
  /** `creating compute ep-x`. */
  readonly doing: string;
  /** The next run sends a deletion or a restart again; for any other change, it only continues the wait. */
  readonly kind: "change" | "deletion" | "restart";
}

/** `operation start_compute (op-id)`: the name of an operation in messages. */
export function nameOf({ action, id }: Pick<ApiOperation, "action" | "id">): string {
  return `operation ${action} (${id})`;
}

/** What to do after a wait that ended badly. @param change - if the wait was for a change. */
function fixFor({ kind }: Awaited, change: string): string {
  switch (kind) {
    case "deletion":
      return "Run the same command again: it finds out first whether the compute is gone";
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

/** The error for a wait that ended before its operation did: the time is over, or one Ctrl-C interrupted the run. */
export function unendedError(
  operation: ApiOperation,
  awaited: Awaited,
  deadline: Pick<Deadline, "limitMs" | "isInterrupted">,
): ComputeError {
  const { doing } = awaited;
  const { status } = operation;
  const name = nameOf(operation);
  const fix = fixFor(awaited, "`pulumi up` goes on waiting for it without sending the change again");
  const seconds = Math.round(deadline.limitMs / 1000);
  if (deadline.isInterrupted()) {
    const what = `the run was interrupted while ${name} was ${status}: it goes on at the service`;
    return new ComputeError({ doing, what, fix });
  }
  // Waiting longer may not help: interface 2.2 does not list the status.
  if (verdictOf(status) === "unknown")
    return new ComputeError({
      doing,
      what: `${name} is ${status} after ${seconds} s, a status that this version does not know`,
      fix: `See at the service how it ended, then run the same command again${awaited.kind === "change" ? ": it goes on once the compute has been active since" : ""}; a newer version of this package may know the status`,
    });
  const what = `${name} was still ${status} after ${seconds} s`;
  return new ComputeError({ doing, what, fix: `${fix}; a longer wait is set with \`timeouts\`` });
}
