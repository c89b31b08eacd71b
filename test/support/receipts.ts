/**
 * The receipt that the provider would give for requests that a test sends to a control plane itself.
 */
import { sawIn, withReceipt } from "../../provider/endpoint/applying/applied";
import type { WriteOutcome } from "../../provider/endpoint/applying/settle";
import type { PlannedChange } from "../../provider/endpoint/planning/plan";
import { announcementOf, isUnannounced, type Receipt } from "../../provider/endpoint/receipt";
import type { EndpointState } from "../../provider/endpoint/state";

const silent = { say: () => Promise.resolve(), progress: () => undefined };

/** What a service answers to a PATCH or a restart, and its operations once they have ended. */
export interface Request {
  readonly answer: object;
  /** Absent where operations take no time: they end as they began. */
  readonly ended?: readonly object[];
}

export async function receiptFor(
  requests: readonly Request[],
  { interruption }: PlannedChange,
  state: EndpointState,
): Promise<Receipt | undefined> {
  const saw = requests.map(({ answer, ended }) => {
    const outcome = answer as WriteOutcome;
    const operations =
      ended ?? outcome.operations?.map((operation) => ({ ...operation, status: "finished" }));
    return sawIn(outcome, { ended: operations as WriteOutcome["operations"] });
  });
  return (await withReceipt(silent, { state, saw }, announcementOf(interruption, "plan"))).receipt;
}

/** Whether a receipt says what the control plane counted, and that it was announced. */
export function agrees(receipt: Receipt | undefined, interrupted: boolean): boolean {
  const saw = receipt !== undefined && ["restarted", "suspended"].includes(receipt.happened);
  return saw === interrupted && !(receipt !== undefined && isUnannounced(receipt));
}
