/**
 * The receipt of an update: the operations that ended, what they show that was interrupted, and what was announced.
 * Pure: the sentence on the resource's row is made from it. Nothing is concluded from
 * what is missing: operations that show no interruption do not prove that there was none.
 */
import type { ApiOperation } from "../api/schemas";
import type { Effect } from "../fields";
import { durationOf, hasDone, observationOf, together } from "../operations/interruptions";
import { runsNothing } from "./planning/verdict";
import type { Interruption, Running } from "./planning/interruption";
import type { Severity } from "./resource";

/** What check and diff of a run announced before its update. */
export type Announcement = Pick<Interruption, "effect" | "certain">;

/** What the service answered to one request, or of the operations that an earlier run left. */
export interface Evidence {
  /** Those that are known to be of the request, as last read, in order; undefined if none is known. */
  readonly operations: readonly ApiOperation[] | undefined;
  /** What the compute did directly before; undefined if the service did not say. */
  readonly before?: Running | undefined;
  /** True if an earlier run sent the request. */
  readonly isEarlier?: true | undefined;
}

/** A receipt as data. */
export interface Receipt {
  /**
   * - `restarted`, `suspended`: an operation shows it.
   * - `idle`: the service's answer says that the compute ran nothing directly before.
   * - `earlier`: an earlier run began the operations; what it announced is not known.
   * - `not shown`: no operation shows whether connections dropped.
   */
  readonly happened: "restarted" | "suspended" | "idle" | "earlier" | "not shown";
  /** `apply_config 1 s, start_compute 1.8 s`: each from its creation to its end. Empty if no operation is known. */
  readonly operations: string;
  /** For a restart, the longest time without the compute in milliseconds; absent if the times are missing. */
  readonly mostMs?: number | undefined;
  /** The announced effect; absent if nothing was announced. */
  readonly announced?: Exclude<Effect, "none"> | undefined;
  /** True if the notice said "may". */
  readonly may?: true | undefined;
}

/** @returns undefined if nothing was sent and nothing was pending. */
export function receiptOf(
  evidence: readonly Evidence[],
  announced: Announcement | undefined,
): Receipt | undefined {
  if (evidence.length === 0) return undefined;
  const operations = evidence
    .flatMap((each) => each.operations ?? [])
    .map(operationText)
    .join(", ");
  if (evidence.some(({ isEarlier }) => isEarlier)) return { happened: "earlier", operations };
  const running = evidence.filter(({ before }) => !runsNothing(before));
  const { happened = "not shown", mostMs } = together(
    running.map((each) => observationOf(each.operations ?? [])),
  );
  return {
    happened: running.length === 0 ? "idle" : happened,
    operations,
    mostMs,
    announced: announced?.effect,
    may: announced?.certain === false ? true : undefined,
  };
}

/** `start_compute 1.8 s`; without a time if the service gives none. */
function operationText(operation: ApiOperation): string {
  const { action, status } = operation;
  if (!hasDone(operation)) return `${action} ${status}`;
  const ms = durationOf(operation);
  return ms === undefined ? action : `${action} ${secondsText(ms)}`;
}

export function wasInterrupted({ happened }: Receipt): boolean {
  return happened === "restarted" || happened === "suspended";
}

/** Whether an operation shows an interruption that nothing announced. */
export function isUnannounced(receipt: Receipt): boolean {
  return wasInterrupted(receipt) && receipt.announced === undefined;
}

/** The sentence for the resource's row; undefined if there is nothing to say. */
export function receiptNotice(receipt: Receipt): { severity: Severity; text: string } | undefined {
  const { happened, announced, operations } = receipt;
  const isNamed = happened === "earlier" && operations !== "";
  if (!wasInterrupted(receipt) && !isNamed && announced === undefined) return undefined;
  const text = `${happenedText(receipt)}${comparedWith(receipt)}`;
  return { severity: isUnannounced(receipt) ? "warning" : "info", text };
}

/** What happened, in words. */
function happenedText(receipt: Receipt): string {
  const { operations, happened } = receipt;
  const named = operations === "" ? "" : ` (${operations})`;
  switch (happened) {
    case "restarted":
      return `restarted${named}: ${awayFor(receipt)}`;
    case "suspended":
      return `suspended${named}: it starts with the next connection, unless it is disabled`;
    case "idle":
      return `nothing was interrupted${named}: the compute ran nothing directly before`;
    case "earlier":
      return `operations of an earlier run have ended${named}`;
    case "not shown":
      return `no operation shows whether connections dropped${named}`;
  }
}

function awayFor({ mostMs }: Receipt): string {
  return mostMs === undefined
    ? "for how long is not known, because its operations have no times"
    : `not active for at most ${secondsText(mostMs)}`;
}

/** `0.8 s`, rounded up: a bound must not be shorter than what it bounds. */
export function secondsText(ms: number): string {
  const seconds = ms < 60_000 ? Math.ceil(ms / 100) / 10 : Math.ceil(ms / 1000);
  return `${seconds} s`;
}

const nouns = {
  replace: "replacement",
  move: "move",
  suspend: "suspension",
  restart: "restart",
  unstated: "interruption",
} as const satisfies Record<Exclude<Effect, "none">, string>;

/** What each effect does to a compute that runs. */
const expected: Partial<Record<Effect, Receipt["happened"]>> = {
  restart: "restarted",
  move: "suspended",
  suspend: "suspended",
};

function comparedWith(receipt: Receipt): string {
  const { announced, may, happened } = receipt;
  if (announced === undefined) return isUnannounced(receipt) ? ", which nothing announced" : "";
  if (happened === "idle") return "";
  if (may !== true && expected[announced] === happened) return ", as announced";
  return `; a ${may === true ? "possible " : ""}${nouns[announced]} was announced`;
}
