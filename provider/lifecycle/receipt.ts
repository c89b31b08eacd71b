/**
 * The receipt of an update: the operations that ended, the interruption that they show, and what was announced. The sentence on
 * the resource's row is built from the receipt. Missing evidence proves nothing: operations that show no interruption do not
 * rule one out.
 */
import type { ApiEndpoint, ApiOperation } from "../service/schemas";
import type { EndpointState } from "../model/state";
import type { Judgement } from "../plan/judge";
import type { Effect } from "../model/fields";
import {
  durationOf,
  hasDone,
  observationOf,
  observationOfTimes,
  precisionMs,
  type Observation,
} from "../service/observation";
import { timeOf } from "../model/timing";
import { runsNothing, type Interruption, type Running } from "../model/interruption";
import type { Resource, Severity } from "../run/resource";

/** A change that has ended, and what the service showed of it. */
export interface Done extends Shown {
  readonly state: EndpointState;
}

/** What the service showed of one request, or of the operations of an earlier run. */
export interface Shown {
  /** The operations of the request in order, as last read; undefined if it is unknown which operations those are. */
  readonly operations: readonly ApiOperation[] | undefined;
  /** What the compute was doing directly before the request; undefined if the service did not say. */
  readonly ran?: Running | undefined;
  /** The compute before and after the request, for the times of its last start and suspension. */
  readonly before?: ApiEndpoint | undefined;
  readonly after?: ApiEndpoint | undefined;
  /** True if an earlier run sent the request. */
  readonly isEarlier?: true | undefined;
}

/** A receipt as data. */
export interface Receipt {
  /**
   * - `restarted`, `suspended`: an operation shows it, or the times of the compute's last start and suspension do.
   * - `not restarted`: the compute has been running since before the request.
   * - `idle`: the service showed that the compute was not running directly before the request.
   * - `earlier`: an earlier run began the operations; what it announced is not known.
   * - `not shown`: nothing shows whether connections dropped.
   */
  readonly happened: "restarted" | "suspended" | "not restarted" | "idle" | "earlier" | "not shown";
  /** When the compute was restarted or suspended, or since when it has been running: `07:02:31`, the service's time (UTC). */
  readonly at?: string | undefined;
  /** `apply_config 1 s, start_compute 1.8 s`: each timed from its creation to its end. Empty if no operation is known. */
  readonly operations: string;
  /** How long a restart took the compute down at most, in milliseconds; absent if the times are missing. */
  readonly mostMs?: number | undefined;
  /** The announced effect; absent if nothing was announced. */
  readonly announced?: Exclude<Effect, "none"> | undefined;
  /** True if the notice said "may". */
  readonly may?: true | undefined;
}

/** Says on the resource's row what happened. @param announced - what check and diff of the run announced. */
export async function sayReceipt(
  row: Resource["row"],
  done: Done,
  announced: Judgement | undefined,
): Promise<void> {
  const notice = receiptNotice(receiptOf(done, announced?.change.interruption));
  if (notice !== undefined) await row.say(notice.severity, notice.text);
}

export function receiptOf(
  shown: Shown,
  announced: Pick<Interruption, "effect" | "certain"> | undefined,
): Receipt {
  const operations = (shown.operations ?? []).map(operationText).join(", ");
  if (shown.isEarlier === true) return { happened: "earlier", operations };
  const isIdle = runsNothing(shown.ran);
  const { happened, mostMs, at } = isIdle ? {} : observed(shown, announced !== undefined);
  return {
    happened: isIdle ? "idle" : (happened ?? "not shown"),
    operations,
    mostMs,
    at: at === undefined ? undefined : timeText(at, shown.after?.updated_at ?? at),
    announced: announced?.effect,
    may: announced?.certain === false ? true : undefined,
  };
}

/** Whether the service shows that a request did not restart its compute, but applied the change live. */
export function showsNoRestart(shown: Shown): boolean {
  return observed(shown, true).happened === "not restarted";
}

/** What the operations of a request and the times of its compute show. */
function observed({ operations = [], before, after }: Shown, isAnnounced: boolean): Observation {
  const ofOperations = observationOf(operations);
  const seen = observationOfTimes({ before, after }, isAnnounced);
  const ofTimes = mayHideRestart(seen, operations) ? {} : seen;
  const isOneThing = ofOperations.happened === undefined || ofOperations.happened === ofTimes.happened;
  return isOneThing ? { ...ofOperations, ...ofTimes } : ofOperations;
}

/** A service that returns times in whole seconds shows the same time for two starts within one second. */
function mayHideRestart({ happened, at = "" }: Observation, operations: readonly ApiOperation[]): boolean {
  if (happened !== "not restarted") return false;
  const untilMs = Date.parse(at) + precisionMs(at);
  return operations.some(({ created_at }) => timeOf(created_at) < untilMs);
}

/** `07:02:31`, with the day in front if it is not the day of `now`. */
function timeText(at: string, now: string): string {
  const iso = new Date(at).toISOString();
  const [day, time] = [iso.slice(0, 10), iso.slice(11, 19)];
  const nowMs = Date.parse(now);
  const isOfToday = Number.isNaN(nowMs) || new Date(nowMs).toISOString().startsWith(day);
  return isOfToday ? time : `${day} ${time}`;
}

/** `start_compute 1.8 s`; without a time if the service states no times. */
function operationText(operation: ApiOperation): string {
  const { action, status } = operation;
  if (!hasDone(operation)) return `${action} ${status}`;
  const ms = durationOf(operation);
  return ms === undefined ? action : `${action} ${secondsText(ms)}`;
}

export function wasInterrupted({ happened }: Receipt): boolean {
  return happened === "restarted" || happened === "suspended";
}

/** Whether the service shows an interruption that was not announced. */
export function isUnannounced(receipt: Receipt): boolean {
  return wasInterrupted(receipt) && receipt.announced === undefined;
}

/** The sentence for the resource's row; undefined if there is nothing to say. */
export function receiptNotice(receipt: Receipt): { severity: Severity; text: string } | undefined {
  const { happened, announced, operations } = receipt;
  const isNamed = happened === "earlier" && operations !== "";
  if (!wasInterrupted(receipt) && !isNamed && announced === undefined) return undefined;
  // The CLI cuts a row at the width of the terminal, so the operations come last.
  const named = wasInterrupted(receipt) && operations !== "" ? ` (${operations})` : "";
  const text = `${happenedText(receipt)}${comparedWith(receipt)}${furtherText(receipt)}${named}`;
  return { severity: isUnannounced(receipt) ? "warning" : "info", text };
}

/** What happened, in words. */
function happenedText(receipt: Receipt): string {
  const { operations, happened, at } = receipt;
  const named = operations === "" ? "" : ` (${operations})`;
  const atTime = at === undefined ? "" : ` at ${at}`;
  switch (happened) {
    case "restarted":
      // `receiptNotice` adds the operations. If there are none, only the time shows the restart.
      return `restarted${atTime}`;
    case "not restarted":
      return `not restarted (running since ${at})`;
    case "suspended":
      return `suspended${atTime}`;
    case "idle":
      return `nothing was interrupted: the compute was not running${named}`;
    case "earlier":
      return `finished what an earlier run had started${named}`;
    case "not shown":
      return `no operation shows whether connections dropped${named}`;
  }
}

/** How long the interruption lasted, or when it ends. */
function furtherText({ happened, at, mostMs }: Receipt): string {
  if (happened === "suspended") return "; the next connection starts the compute, unless it is disabled";
  if (happened !== "restarted") return "";
  if (mostMs !== undefined) return `; down for at most ${secondsText(mostMs)}`;
  return at === undefined ? "; the downtime is not known: the operations have no times" : "";
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

/** What each effect does to a running compute. */
const expected: Partial<Record<Effect, Receipt["happened"]>> = {
  restart: "restarted",
  move: "suspended",
  suspend: "suspended",
};

function comparedWith(receipt: Receipt): string {
  const { announced, may, happened } = receipt;
  if (announced === undefined) return isUnannounced(receipt) ? "; no interruption was announced" : "";
  if (happened === "idle") return "";
  if (may !== true && expected[announced] === happened) return " as announced";
  return `; a ${may === true ? "possible " : ""}${nouns[announced]} was announced`;
}
