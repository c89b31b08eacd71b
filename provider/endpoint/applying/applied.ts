/**
 * What an update has done: the new state, and what its operations show. Gives the receipt for it.
 */
import type { ApiOperation } from "../../api/schemas";
import { hasEnded } from "../../operations/status";
import { observationOf, together, type Observation } from "../../operations/interruptions";
import { runningOf } from "../planning/running";
import { runsNothing } from "../planning/verdict";
import type { Running } from "../planning/interruption";
import { announcementOf, receiptNotice, receiptOf, type Announcement } from "../receipt";
import type { Resource } from "../resource";
import type { EndpointState } from "../state";
import type { Settled, WriteOutcome } from "./settle";

/** What one request did. */
interface Saw {
  readonly observation: Observation;
  /** What the compute did directly before; undefined if the service did not say. */
  readonly before: Running | undefined;
  /** Those that are known to be of the request. */
  readonly operations: readonly ApiOperation[];
  /** True if the row says so already. */
  readonly isSaid?: true | undefined;
}

export interface Applied {
  readonly state: EndpointState;
  /** One for each request, in order; empty if nothing was sent and nothing was pending. */
  readonly saw: readonly Saw[];
  /**
   * Absent if this update began what it saw.
   *
   * - `earlier`: only operations of an earlier run were awaited.
   * - `others`: operations of an earlier or another run ended meanwhile.
   */
  readonly begunBy?: "earlier" | "others" | undefined;
}

/** @param before - what the compute did when the update looked at it. */
export function sawIn(outcome: WriteOutcome, { ended }: Pick<Settled, "ended">, before?: Running): Saw {
  return {
    observation: ended === undefined ? { happened: "unknown" } : observationOf(ended),
    before: runningBefore(outcome) ?? before,
    operations: ended ?? outcome.operations ?? [],
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
  { state, saw, begunBy }: Applied,
  announced: Announcement,
): Promise<EndpointState> {
  const running = saw.filter(({ before }) => !runsNothing(before));
  const [first] = saw;
  const seen = together((running.length > 0 ? running : saw).map(({ observation }) => observation));
  const before = running.length > 0 ? undefined : first?.before;
  // What this run announced is not what an earlier run did.
  const told = begunBy === "earlier" ? announcementOf(undefined, "earlier") : announced;
  const receipt = seen && receiptOf(seen, begunBy === undefined ? told : { ...told, by: "earlier" }, before);
  const notice = receipt && receiptNotice(receipt);
  if (notice !== undefined && !saw.some(({ isSaid }) => isSaid)) await row.say(notice.severity, notice.text);
  return { ...state, receipt };
}
