/**
 * What an update has done: the new state, and what the service answered of its operations. Says it on the resource's row.
 */
import { hasEnded } from "../../operations/status";
import { runningOf } from "../planning/running";
import type { Running } from "../planning/interruption";
import { receiptNotice, receiptOf, type Announcement, type Evidence } from "../receipt";
import type { Resource } from "../resource";
import type { EndpointState } from "../state";
import type { Settled, WriteOutcome } from "./settle";

export interface Applied {
  readonly state: EndpointState;
  /** One for each request, in order; empty if nothing was sent and nothing was pending. */
  readonly evidence: readonly Evidence[];
}

/** @param before - what the service answered directly before the request. */
export function evidenceIn(
  outcome: WriteOutcome,
  { ended }: Pick<Settled, "ended">,
  before?: Running,
): Evidence {
  return { operations: ended, before: runningBefore(outcome) ?? before };
}

/** The answer shows the compute as it was, unless one of its operations had ended already. */
function runningBefore({ endpoint, operations, isRepeated }: WriteOutcome): Running | undefined {
  if (endpoint === undefined || operations === undefined || isRepeated === true) return undefined;
  if (operations.some(({ status }) => hasEnded(status))) return undefined;
  // Its pending state is what the operations lead to.
  return runningOf({ ...endpoint, pending_state: undefined });
}

/** Says on the resource's row what happened. */
export async function sayReceipt(
  row: Resource["row"],
  evidence: readonly Evidence[],
  announced: Announcement | undefined,
): Promise<void> {
  const receipt = receiptOf(evidence, announced);
  const notice = receipt && receiptNotice(receipt);
  if (notice !== undefined) await row.say(notice.severity, notice.text);
}
