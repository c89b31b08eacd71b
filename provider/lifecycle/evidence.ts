/**
 * What the service answered to a change, as evidence for its receipt, and the receipt on the resource's row.
 */
import type { ApiEndpoint } from "../service/schemas";
import { hasEnded } from "../model/observation";
import { runningOf } from "../service/running";
import type { Interruption } from "../model/interruption";
import { receiptNotice, receiptOf, type Evidence, type Receipt } from "../model/receipt";
import type { Resource } from "../run/resource";
import type { Ending, WriteAnswer } from "./settle";

/** What the service answered to a change that has ended. */
export function evidenceOf(
  answer: WriteAnswer,
  { ended, listed }: Pick<Ending, "ended" | "listed">,
): Evidence {
  const before = answeredBefore(answer);
  return {
    operations: ended,
    // Its pending state is what the operations lead to.
    before: (before && runningOf({ ...before, pending_state: undefined })) ?? answer.running,
    times: { before, after: listed },
  };
}

/** The answer shows the compute as it was, unless one of its operations had ended already. */
function answeredBefore({ endpoint, operations, isRepeated }: WriteAnswer): ApiEndpoint | undefined {
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
