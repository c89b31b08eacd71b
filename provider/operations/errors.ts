/**
 * How a wait can end badly. Each names the operation, so that it can be looked up in the service's own list.
 */
import type { ApiOperation } from "../api/schemas";
import { ComputeError } from "../errors";

/** `start_compute (op-id)`: how an operation is called in messages. */
export function nameOf(operation: Pick<ApiOperation, "action" | "id">): string {
  return `operation ${operation.action} (${operation.id})`;
}

/** An operation ended as failed. */
export class OperationFailedError extends ComputeError {
  override readonly name = "OperationFailedError";

  constructor(
    readonly operation: ApiOperation,
    doing: string,
    explanation: string | undefined,
  ) {
    const failures = operation.failures_count ?? 0;
    const times = failures > 1 ? ` after ${failures} failures` : "";
    super({
      doing,
      what: `${nameOf(operation)} ended as ${operation.status}${times}${explanation === undefined ? "" : ` (${explanation})`}`,
      fix: "The compute exists and stays in the state: `pulumi up` looks at it again without sending the change twice, `pulumi destroy` removes it",
    });
  }
}

/** The deadline passed; carries the operations as last seen. */
export class OperationTimeoutError extends ComputeError {
  override readonly name = "OperationTimeoutError";

  constructor(
    readonly operation: ApiOperation,
    doing: string,
    limitMs: number,
  ) {
    super({
      doing,
      what: `${nameOf(operation)} was still ${operation.status} after ${Math.round(limitMs / 1000)} s`,
      fix: "`pulumi up` goes on waiting for it without sending the change again; a longer wait is set with `timeouts`",
    });
  }
}

/** The service no longer knows an operation that it returned, and does not list it either. */
export class OperationLostError extends ComputeError {
  override readonly name = "OperationLostError";

  constructor(
    readonly operation: ApiOperation,
    doing: string,
  ) {
    super({
      doing,
      what: `the service no longer knows ${nameOf(operation)}, last seen ${operation.status}`,
      fix: "`pulumi up` looks at the compute again, without sending the change twice",
    });
  }
}
