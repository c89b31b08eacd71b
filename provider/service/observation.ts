/**
 * What operations show: whether they have ended, whether they took a compute down, and for how long at most. Pure; all
 * times are the service's own (interface 2.2).
 *
 * The rule for the operations of one request, in the order in which they run (interface 3.1, 6). Only operations that
 * succeeded count, and a skipped one did nothing. The last start or suspension decides:
 *
 * - A start (`start_compute`, or the service's own name for a restart): the compute restarted. It was down at most from the
 *   creation of the first operation until the end of the start, and until clients have connected again. The interface does
 *   not say when connections drop in between.
 * - `suspend_compute`: the compute is suspended until its next access, which no operation of the request shows. So nothing
 *   limits its downtime.
 * - Neither: the operations do not show whether connections dropped. `apply_config` proves neither a restart nor its absence.
 */
import type { ApiEndpoint, ApiOperation } from "./schemas";
import { connectsAgainMs, timeOf } from "../model/timing";

/**
 * What an operation's status means (interface 2.2, 3.2).
 *
 * - `pending`: keep waiting.
 * - `succeeded`, `failed`: it has ended.
 * - `unknown`: a status that is not documented. Never a success: keep waiting, then report it.
 */
type OperationOutcome = "pending" | "succeeded" | "failed" | "unknown";

/** The interface's four statuses, and those that the best known service adds. */
const outcomes = new Map<string, OperationOutcome>([
  ["scheduling", "pending"],
  ["running", "pending"],
  ["cancelling", "pending"],
  ["finished", "succeeded"],
  ["skipped", "succeeded"],
  ["failed", "failed"],
  ["error", "failed"],
  ["cancelled", "failed"],
]);

export function outcomeOf(status: string): OperationOutcome {
  return outcomes.get(status) ?? "unknown";
}

/** Whether an operation has ended, successfully or not. */
export function hasEnded(status: string): boolean {
  const outcome = outcomeOf(status);
  return outcome === "succeeded" || outcome === "failed";
}

/** `operation start_compute (op-id)`: the name of an operation in messages. */
export function nameOf({ action, id }: Pick<ApiOperation, "action" | "id">): string {
  return `operation ${action} (${id})`;
}

/** What operations, or the times of a compute, show about the compute. */
export interface Observation {
  /** Undefined if nothing is shown. Only the times of a compute can show that it was not restarted. */
  readonly happened?: "restarted" | "suspended" | "not restarted" | undefined;
  /** How long a restart took the compute down at most, in milliseconds; undefined if the times are missing. */
  readonly mostMs?: number | undefined;
  /** The time of the compute's last start or, if it was suspended, of the suspension, in the service's time. */
  readonly at?: string | undefined;
}

/**
 * Whether an operation starts its compute. If the compute was active, its start shows a restart. A check of its availability or
 * a suspension alone shows no restart.
 */
export function startsCompute({ action }: ApiOperation): boolean {
  return action === "start_compute" || /restart/i.test(action);
}

/** @param operations - of one request, in the order in which they run. */
export function observationOf(operations: readonly ApiOperation[]): Observation {
  const last = operations.findLast(
    (operation) => hasDone(operation) && (startsCompute(operation) || operation.action === "suspend_compute"),
  );
  if (last === undefined) return {};
  if (!startsCompute(last)) return { happened: "suspended" };
  return { happened: "restarted", mostMs: longestBetween(operations, last) };
}

/** Whether an operation did what its action says: a skipped one succeeded and did nothing. */
export function hasDone({ status }: ApiOperation): boolean {
  return outcomeOf(status) === "succeeded" && status !== "skipped";
}

/**
 * The longest possible downtime: from the creation of the first operation to the end of the last one, plus the precision of the
 * stated times and the time that clients need to connect again.
 */
function longestBetween(
  operations: readonly ApiOperation[],
  { updated_at: end }: ApiOperation,
): number | undefined {
  const spanMs = spanBetween(operations, end);
  return spanMs === undefined ? undefined : spanMs + precisionMs(end ?? "") + connectsAgainMs;
}

/** How long an operation took, from its creation to its end by the service's times; undefined if these are missing. */
export function durationOf(operation: ApiOperation): number | undefined {
  return spanBetween([operation], operation.updated_at);
}

function spanBetween(
  operations: readonly ApiOperation[],
  end: ApiOperation["updated_at"],
): number | undefined {
  const created = operations.map(({ created_at }) => timeOf(created_at));
  const spanMs = timeOf(end) - Math.min(...created);
  return spanMs >= 0 ? spanMs : undefined;
}

/** How much later than stated a time may be, in milliseconds: up to a second if the service states whole seconds. */
export function precisionMs(time: string): number {
  const digits = /\.(\d+)/.exec(time)?.[1]?.length ?? 0;
  return Math.max(1, 10 ** (3 - digits));
}

/**
 * What a request did to a compute, by the times of its last start and suspension before and after the request. If the service
 * does not return these times, nothing is shown.
 *
 * @param isAnnounced - whether an interruption was announced. If not, times that inactivity may explain do not count.
 */
export function observationOfTimes(
  { before, after }: { readonly before: ApiEndpoint | undefined; readonly after: ApiEndpoint | undefined },
  isAnnounced: boolean,
): Observation {
  if (before === undefined || after === undefined) return {};
  const started = movementOf(before.started_at, after.started_at);
  const suspended = movementOf(before.suspended_at ?? before.created_at, after.suspended_at);
  const at = after.started_at ?? undefined;
  if (started === "later" && (isAnnounced || suspended !== "later")) return { happened: "restarted", at };
  if (started !== "same") return {};
  if (after.current_state === "active" && suspended !== "later") return { happened: "not restarted", at };
  if (!isAnnounced || suspended !== "later") return {};
  return { happened: "suspended", at: after.suspended_at ?? undefined };
}

function movementOf(
  before: string | null | undefined,
  after: string | null | undefined,
): "later" | "same" | undefined {
  const ms = timeOf(after) - timeOf(before);
  if (Number.isNaN(ms) || ms < 0) return undefined;
  return ms > 0 ? "later" : "same";
}
