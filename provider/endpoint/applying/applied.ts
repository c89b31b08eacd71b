/**
 * What an update has done: the new state, and what its operations show. Gives the receipt for it.
 */
import { hasEnded } from "../../operations/status";
import { observationOf, together, type Observation } from "../../operations/interruptions";
import { runningOf } from "../planning/running";
import { runsNothing, type Now, type Running } from "../planning/verdict";
import { receiptNotice, receiptOf, type Announcement } from "../receipt";
import type { Resource } from "../resource";
import type { EndpointState } from "../state";
import type { Settled, WriteOutcome } from "./settle";

/** What one request did. */
interface Saw {
  readonly observation: Observation;
  /** What the compute did directly before; undefined if the service did not say. */
  readonly before: Running | undefined;
  /** True if the row says so already. */
  readonly isSaid?: true | undefined;
}

export interface Applied {
  readonly state: EndpointState;
  /** One for each request, in order; empty if nothing was sent and nothing was pending. */
  readonly saw: readonly Saw[];
  /** True if only operations of an earlier run were awaited. */
  readonly isResumed?: boolean;
}

/** @param now - what the compute did when the update looked at it. */
export function sawIn(outcome: WriteOutcome, { ended }: Settled, now?: Now): Saw {
  return {
    observation: ended === undefined ? { happened: "unknown" } : observationOf(ended),
    before: runningBefore(outcome) ?? now?.running,
  };
}

/** The answer shows the compute as it was, unless one of its operations had ended already. */
function runningBefore({ endpoint, operations, isRepeated }: WriteOutcome): Running | undefined {
  if (endpoint === undefined || operations === undefined || isRepeated === true) return undefined;
  if (operations.some(({ status }) => hasEnded(status))) return undefined;
  // Its pending state is what the operations lead to.
  return runningOf({ ...endpoint, pending_state: undefined });
}

/** Says on the row what happened, and keeps it in the state until the next update. */
export async function withReceipt(
  row: Resource["row"],
  { state, saw, isResumed = false }: Applied,
  announced: Announcement,
): Promise<EndpointState> {
  const running = saw.filter(({ before }) => !runsNothing(before));
  const [first] = saw;
  const seen = together((running.length > 0 ? running : saw).map(({ observation }) => observation));
  const before = running.length > 0 ? undefined : first?.before;
  const receipt = seen && receiptOf(seen, isResumed ? { ...announced, by: "earlier" } : announced, before);
  const notice = receipt && receiptNotice(receipt);
  if (notice !== undefined && !saw.some(({ isSaid }) => isSaid)) await row.say(notice.severity, notice.text);
  return { ...state, receipt };
}
