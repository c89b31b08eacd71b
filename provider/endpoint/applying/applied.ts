/**
 * What an update has done: the new state, and what the service answered of its operations. Says it on the resource's row.
 */
import type { ApiEndpoint } from "../../api/schemas";
import { hasEnded } from "../../pure/operationStatus";
import { runningOf } from "../planning/running";
import type { Running } from "../../pure/interruption";
import { receiptNotice, receiptOf, type Announcement, type Evidence, type Receipt } from "../../pure/receipt";
import type { Resource } from "../resource";
import type { EndpointState } from "../state";
import type { Settled, WriteOutcome } from "./settle";

export interface Applied {
  readonly state: EndpointState;
  /** One for each request, in order; empty if nothing was sent and nothing was pending. */
  readonly evidence: readonly Evidence[];
}

/** What the service answered directly before a request. */
interface Before {
  readonly running?: Running | undefined;
  readonly endpoint?: ApiEndpoint | undefined;
}

export function evidenceIn(
  outcome: WriteOutcome,
  { ended, listed }: Pick<Settled, "ended" | "listed">,
  before: Before = {},
): Evidence {
  const answered = answeredBefore(outcome);
  // Its pending state is what the operations lead to.
  const running = answered && runningOf({ ...answered, pending_state: undefined });
  return {
    operations: ended,
    before: running ?? before.running,
    times: { before: answered ?? before.endpoint, after: listed },
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
  evidence: readonly Evidence[],
  announced: Announcement | undefined,
): Promise<Receipt | undefined> {
  const receipt = receiptOf(evidence, announced);
  const notice = receipt && receiptNotice(receipt);
  if (notice !== undefined) await row.say(notice.severity, notice.text);
  return receipt;
}
