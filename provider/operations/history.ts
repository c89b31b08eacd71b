/**
 * How earlier changes ended, from one page of a project's operations (interface 4.6). Pure.
 *
 * The page does not say which operations one request started. The rule, for each compute by itself:
 *
 * - A change is an `apply_config` that ended well. To it belong the compute's operations that were created while it ran:
 *   they wait behind it (interface 3.1), and a later access finds it ended.
 * - With a `start_compute` that ended well it restarted the compute, for as long as `observationOf` says.
 * - By itself it restarted nothing.
 * - It is left out if it shows neither: an operation that failed, has not ended, or is not known; a suspension, which is a
 *   move or `disabled`; a compute that was suspended before, or that a `start_compute` woke for the change.
 *
 * An `apply_config` may also be of another kind, such as a new role (interface 2.3): what it says of the next change is
 * experience, never a promise.
 */
import type { ApiOperation } from "../api/schemas";
import { hasDone, observationOf, startsOrSuspends } from "./interruptions";

/** What earlier changes did. */
export interface TrackRecord {
  /** `project`: of the project's computes, because this one has no record of its own. */
  readonly of: "compute" | "project";
  /** Changes that count. */
  readonly count: number;
  /** How many of them restarted the compute. */
  readonly restarted: number;
  /** Upper bound of half of the restarts, in milliseconds; absent if no restart has a time. */
  readonly medianMs?: number | undefined;
  /** The longest upper bound, in milliseconds. */
  readonly longestMs?: number | undefined;
}

/** @param page - newest first. @returns undefined if no change counts. */
export function trackRecordOf(
  page: readonly ApiOperation[],
  endpointId: string | undefined,
): TrackRecord | undefined {
  const byCompute = new Map<string, ApiOperation[]>();
  for (const operation of [...page].reverse()) {
    const id = operation.endpoint_id ?? "";
    if (id !== "") byCompute.set(id, [...(byCompute.get(id) ?? []), operation]);
  }
  const own = changesIn(byCompute.get(endpointId ?? "") ?? []);
  if (own.length > 0) return summed("compute", own);
  const all = [...byCompute.values()].flatMap(changesIn);
  return all.length === 0 ? undefined : summed("project", all);
}

/** The bound of a restart, or that there was none. */
type PastChange = { readonly mostMs: number | undefined } | "none";

/** @param operations - of one compute, oldest first. */
function changesIn(operations: readonly ApiOperation[]): readonly PastChange[] {
  return operations.flatMap((change, index) => {
    if (change.action !== "apply_config") return [];
    const begin = Date.parse(change.created_at ?? "");
    const end = Date.parse(change.updated_at ?? "");
    if (!Number.isFinite(begin) || !Number.isFinite(end)) return [];
    const createdWithin = ({ created_at }: ApiOperation): boolean =>
      Date.parse(created_at ?? "") >= begin && Date.parse(created_at ?? "") <= end;
    const later = operations.slice(index + 1);
    const next = later.findIndex(({ action }) => action === "apply_config");
    const request = [change, ...(next < 0 ? later : later.slice(0, next)).filter(createdWithin)];
    // The newest of the earlier ones says whether it ran.
    const before = operations.slice(0, index).findLast(startsOrSuspends);
    return pastChangeOf(request, before) ?? [];
  });
}

function pastChangeOf(
  request: readonly ApiOperation[],
  before: ApiOperation | undefined,
): PastChange | undefined {
  if (!request.every(hasDone)) return undefined;
  if (before?.action === "suspend_compute") return undefined;
  // Woken for this change.
  const isWoken =
    before !== undefined && Date.parse(before.updated_at ?? "") > Date.parse(request[0]?.created_at ?? "");
  if (isWoken) return undefined;
  const { happened, mostMs } = observationOf(request);
  if (happened === "restarted") return { mostMs };
  return happened === "none" ? "none" : undefined;
}

function summed(of: TrackRecord["of"], changes: readonly PastChange[]): TrackRecord {
  const restarts = changes.flatMap((change) => (change === "none" ? [] : [change]));
  const spans = restarts.flatMap(({ mostMs }) => mostMs ?? []).sort((left, right) => left - right);
  return {
    of,
    count: changes.length,
    restarted: restarts.length,
    ...(spans.length === 0 ? {} : { medianMs: spans[Math.floor(spans.length / 2)], longestMs: spans.at(-1) }),
  };
}

/** `here: its last 4 changes restarted it for 0.8 s (longest 2.1 s)`. It stands beside a notice. */
export function recordText({ of, count, restarted, medianMs, longestMs }: TrackRecord): string {
  const [whose, whom] =
    of === "compute" ? ["its", "it"] : ["the project's", count === 1 ? "its compute" : "their computes"];
  const changes = count === 1 ? `${whose} last change` : `${whose} last ${count} changes`;
  if (restarted === 0)
    return `here: ${count === 1 ? `${changes} did not restart ${whom}` : `of ${changes} none restarted ${whom}`}`;
  const longest = restarted > 1 && longestMs !== undefined ? ` (longest ${secondsText(longestMs)})` : "";
  const span = medianMs === undefined ? "" : ` for ${secondsText(medianMs)}${longest}`;
  return restarted === count
    ? `here: ${changes} restarted ${whom}${span}`
    : `here: ${restarted} of ${changes} restarted ${whom}${span}`;
}

/** `0.8 s`, rounded up: a bound must not be shorter than what it bounds. */
export function secondsText(ms: number): string {
  const seconds = ms < 60_000 ? Math.ceil(ms / 100) / 10 : Math.ceil(ms / 1000);
  return `${seconds} s`;
}
