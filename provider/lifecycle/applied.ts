/**
 * What the service answered to a change, as evidence for its receipt, and the receipt on the resource's row.
 */
import type { ApiEndpoint, ApiOperation } from "../service/schemas";
import { hasEnded } from "../model/observation";
import { runningOf } from "../plan/running";
import type { Interruption, Running } from "../model/interruption";
import { receiptNotice, receiptOf, type Evidence, type Receipt } from "../model/receipt";
import type { Resource } from "../run/resource";

/** The result of a write; `operations` is undefined if the answer names none. */
export interface WriteOutcome {
  readonly endpoint: ApiEndpoint | undefined;
  readonly operations: readonly ApiOperation[] | undefined;
  /** True if an earlier send may have been carried out as well: the answer does not name its operations. */
  readonly isRepeated?: boolean;
  /** What the compute did directly before, if that was asked. */
  readonly running?: Running | undefined;
  /** What was sent, and how to take it back, for the error if an operation fails; by name, since values may be secret. */
  readonly sent?: { readonly what: string; readonly undo: string } | undefined;
}

/**
 * @param ended - the operations of the change as last read; undefined if it is not known which ones belong to it.
 *
 * @param listed - the compute as listed after them; undefined if the list does not show the change.
 */
export function evidenceIn(
  outcome: WriteOutcome,
  ended: Evidence["operations"],
  listed: ApiEndpoint | undefined,
): Evidence {
  const before = answeredBefore(outcome);
  return {
    operations: ended,
    // Its pending state is what the operations lead to.
    before: (before && runningOf({ ...before, pending_state: undefined })) ?? outcome.running,
    times: { before, after: listed },
  };
}

/** The answer shows the compute as it was, unless one of its operations had ended already. */
function answeredBefore({ endpoint, operations, isRepeated }: WriteOutcome): ApiEndpoint | undefined {
  if (endpoint === undefined || operations === undefined || isRepeated === true) return undefined;
  return operations.some(({ status }) => hasEnded(status)) ? undefined : endpoint;
}

/** Says on the resource's row what happened. @returns the same as data; undefined if nothing was sent. */
export async function sayReceipt(
  row: Resource["row"],
  evidence: Evidence | undefined,
  announced: Interruption | undefined,
): Promise<Receipt | undefined> {
  const receipt = receiptOf(evidence, announced);
  const notice = receipt && receiptNotice(receipt);
  if (notice !== undefined) await row.say(notice.severity, notice.text);
  return receipt;
}
