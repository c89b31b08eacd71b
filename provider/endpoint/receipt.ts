/**
 * The receipt of an update: what its operations show that it did to the compute, beside what was announced. Pure: the
 * resource's row, the state and the report use the same data and the same sentence.
 */
import type { Effect } from "../fields";
import { secondsText } from "../operations/history";
import type { Observation } from "../operations/interruptions";
import { runsNothing } from "./planning/verdict";
import type { Interruption, Running } from "./planning/interruption";
import type { Severity } from "./resource";

/** What was announced before an update. */
export interface Announcement {
  /** `none` if nothing was announced. */
  readonly effect: Effect;
  /** False if the notice said "may". */
  readonly certain: boolean;
  /**
   * - `plan`: check and diff of this run, which warn as every preview does.
   * - `update`: they did not run in this process, so that the update's own plan counts.
   * - `earlier`: an earlier or another run began the operations; what was announced then is not known.
   */
  readonly by: "plan" | "update" | "earlier";
}

/** A receipt as data. The state keeps it until the next update. */
export interface Receipt {
  /** `idle`: the compute ran nothing that could be interrupted. `unknown`: the operations do not show it. */
  readonly happened: Observation["happened"] | "idle";
  /** For a restart, the longest time without the compute in milliseconds; absent if the times are missing. */
  readonly mostMs?: number | undefined;
  /** The operation that shows it; absent if none did. */
  readonly action?: string | undefined;
  /** The announced effect; absent if nothing was announced, or if it is not known. */
  readonly announced?: Exclude<Effect, "none"> | undefined;
  /** True if the notice said "may". */
  readonly may?: true | undefined;
  /** Absent for what this run announced. */
  readonly by?: Exclude<Announcement["by"], "plan"> | undefined;
}

export function announcementOf(
  interruption: Pick<Interruption, "effect" | "certain"> | undefined,
  by: Announcement["by"],
): Announcement {
  return { effect: interruption?.effect ?? "none", certain: interruption?.certain ?? true, by };
}

/** @param before - what the compute did directly before; undefined if the service did not say. */
export function receiptOf(
  { happened, mostMs, action }: Observation,
  { effect, certain, by }: Announcement,
  before: Running | undefined,
): Receipt {
  return {
    ...(runsNothing(before) ? { happened: "idle" } : { happened, mostMs, action }),
    announced: effect === "none" ? undefined : effect,
    may: certain || effect === "none" ? undefined : true,
    by: by === "plan" ? undefined : by,
  };
}

export function wasInterrupted({ happened }: Receipt): boolean {
  return happened === "restarted" || happened === "suspended";
}

/** Whether the compute was interrupted, although nothing announced it. */
export function isUnannounced(receipt: Receipt): boolean {
  return wasInterrupted(receipt) && receipt.announced === undefined && receipt.by !== "earlier";
}

/** The sentence for the resource's row; undefined if there is nothing to say. */
export function receiptNotice(receipt: Receipt): { severity: Severity; text: string } | undefined {
  if (!wasInterrupted(receipt) && receipt.announced === undefined) return undefined;
  return { severity: isUnannounced(receipt) ? "warning" : "info", text: receiptText(receipt) };
}

/** What happened, in words, beside what was announced. */
function receiptText(receipt: Receipt): string {
  const text = happenedText(receipt);
  if (wasInterrupted(receipt)) return `${text}${comparedWith(receipt)}`;
  return receipt.happened === "none" ? `${text}${though(receipt)}` : text;
}

/** What happened, in words. */
export function happenedText(receipt: Receipt): string {
  const { action, by, happened } = receipt;
  const named = action === undefined ? "" : ` (${action})`;
  switch (happened) {
    case "restarted":
      // What the compute did before is not known to a run that began nothing: it may have been idle.
      return `${by === "earlier" ? "started or restarted" : "restarted"}: ${awayFor(receipt)}${named}`;
    case "suspended":
      return `suspended${named}: it starts with the next connection, unless it is disabled`;
    case "idle":
      return "nothing was interrupted: the compute ran nothing when it changed";
    case "none":
      return "no restart seen: the service applied it while running";
    case "unknown":
      return `whether it was interrupted is not known: ${
        action === undefined
          ? "the service's answer does not name its operations"
          : `this version does not know the operation ${action}`
      }`;
  }
}

function awayFor({ mostMs }: Receipt): string {
  return mostMs === undefined
    ? "for how long is not known, because its operations have no times"
    : `not active for at most ${secondsText(mostMs)}`;
}

const nouns = {
  replace: "a replacement",
  move: "a move",
  suspend: "a suspension",
  restart: "a restart",
  unstated: "an interruption",
} as const satisfies Record<Exclude<Effect, "none">, string>;

/** What each effect does to a compute that runs. */
const expected: Partial<Record<Effect, Receipt["happened"]>> = {
  restart: "restarted",
  move: "suspended",
  suspend: "suspended",
};

function comparedWith({ announced, may, by, happened }: Receipt): string {
  if (by === "earlier") return "; an earlier or another run began it";
  const was = by === "update" ? "planned" : "announced";
  if (announced === undefined)
    return by === "update" ? ", which was not planned" : ", which no preview announced";
  if (may === true) return `, as ${was}: it said that it may be`;
  return expected[announced] === happened ? `, as ${was}` : `; ${nouns[announced]} was ${was}`;
}

function though({ announced, may, by }: Receipt): string {
  if (announced === undefined) return "";
  const was = by === "update" ? "planned" : "announced";
  return may === true
    ? "; it was said that it may be interrupted"
    : `, though ${nouns[announced]} was ${was}`;
}
