/**
 * What operations show about an interruption: whether they took a compute down, and for how long at most. Pure; all
 * times are the service's own (interface 2.2).
 *
 * The rule for the operations of one request, in the order in which they run (interface 3.1, 6):
 *
 * - A start (`start_compute`, or a name of the service's own for a restart) as the last of the two: the compute
 *   restarted. It was away at most from the moment when the first operation was created until the start ended, and
 *   until clients have connected again. The interface does not say when connections drop in between.
 * - `suspend_compute` as the last of the two: it is suspended until its next access, which no operation of the request
 *   shows. So there is no limit of time.
 * - neither: the service applied the change while the compute ran.
 * - an action that this version does not know, and neither of the two: nobody can tell.
 *
 * Operations that did not end well, or that the service skipped, prove nothing.
 */
import type { ApiOperation } from "../api/schemas";
import { connectsAgainMs } from "../timing";
import { verdictOf } from "./status";

/** What the operations of one request did to their compute. */
export interface Observation {
  readonly happened: "restarted" | "suspended" | "none" | "unknown";
  /** The operation that shows it; undefined if none did. */
  readonly action?: string | undefined;
  /** For a restart, the longest time without the compute in milliseconds; undefined if the times are missing. */
  readonly mostMs?: number | undefined;
}

/** Actions that neither stop nor start a compute (interface 2.3). */
const harmless: ReadonlySet<string> = new Set(["apply_config", "check_availability", "create_branch"]);

/**
 * Whether an operation starts its compute. For one that was active, that is a restart: an active compute is started only
 * by a restart, while a check of its availability or a suspend alone shows nothing.
 */
export function startsCompute({ action }: ApiOperation): boolean {
  return action === "start_compute" || /restart/i.test(action);
}

/** Whether the compute runs or not is what the operation decides. */
export function startsOrSuspends(operation: ApiOperation): boolean {
  return startsCompute(operation) || operation.action === "suspend_compute";
}

/** @param operations - of one request, in the order in which they run. */
export function observationOf(operations: readonly ApiOperation[]): Observation {
  const done = operations.filter(hasDone);
  const last = done.findLast(startsOrSuspends);
  if (last === undefined) {
    const unknown = done.find(({ action }) => !harmless.has(action));
    return unknown === undefined ? { happened: "none" } : { happened: "unknown", action: unknown.action };
  }
  const { action } = last;
  if (action === "suspend_compute") return { happened: "suspended", action };
  return { happened: "restarted", action, mostMs: longestBetween(operations, last) };
}

/**
 * The operations that started or suspended a compute and ended after a moment, with those that ended while they waited:
 * the request that began them.
 *
 * @param operations - of one compute, in the order in which they run.
 */
export function endedSince(operations: readonly ApiOperation[], sinceMs: number): readonly ApiOperation[] {
  const endOf = ({ updated_at }: ApiOperation): number => Date.parse(updated_at ?? "");
  const late = operations.filter((each) => startsOrSuspends(each) && hasDone(each) && endOf(each) > sinceMs);
  const firstMs = Math.min(...late.map(({ created_at }) => Date.parse(created_at ?? "")));
  return operations.filter((each) => late.includes(each) || endOf(each) >= firstMs);
}

/** Whether an operation did what its action says: a skipped one ended well and did nothing. */
export function hasDone({ status }: ApiOperation): boolean {
  return verdictOf(status) === "succeeded" && status !== "skipped";
}

/** From the first creation to the end of the last operation, rounded up to what the service's times can show. */
function longestBetween(
  operations: readonly ApiOperation[],
  { updated_at: end }: ApiOperation,
): number | undefined {
  const created = operations.map(({ created_at }) => Date.parse(created_at ?? ""));
  const spanMs = Date.parse(end ?? "") - Math.min(...created);
  return Number.isFinite(spanMs) && spanMs >= 0
    ? spanMs + precisionMs(end ?? "") + connectsAgainMs
    : undefined;
}

/** A time in whole seconds may be up to a second later than it says. */
function precisionMs(time: string): number {
  const digits = /\.(\d+)/.exec(time)?.[1]?.length ?? 0;
  return Math.max(1, 10 ** (3 - digits));
}

/** What several requests of one update did: the most serious, and all restarts together. */
export function together(observations: readonly Observation[]): Observation | undefined {
  const heaviest = (["restarted", "suspended", "unknown", "none"] as const).find((kind) =>
    observations.some(({ happened }) => happened === kind),
  );
  const alike = observations.filter(({ happened }) => happened === heaviest);
  const [first] = alike;
  if (first === undefined || alike.length === 1) return first;
  const spans = alike.map(({ mostMs }) => mostMs);
  const isKnown = spans.every((span) => span !== undefined);
  return { ...first, mostMs: isKnown ? spans.reduce((sum, span) => sum + span, 0) : undefined };
}
