/**
 * What operations that an update did not begin did to its compute while it ran: those of a run that was killed go on at
 * the service.
 */
import type { ApiOperation } from "../../api/schemas";
import { deadlineIn } from "../../clock";
import { endedSince, observationOf, together, type Observation } from "../../operations/interruptions";
import { longestRequestMs } from "../../timing";
import { runsNothing } from "../planning/verdict";
import type { Running } from "../planning/interruption";
import type { Applied } from "./applied";
import { operationsIn } from "./pendingOperations";
import type { Services } from "./step";
import type { EndpointState } from "../state";

interface Begun {
  /** On the monotonic clock. */
  readonly beganMs: number;
  /** Whether its own operations leave something open: an interruption was planned, or an earlier run had begun one. */
  readonly mayMiss: boolean;
  /** What the compute did then; undefined if nobody asked, or if the service did not say. */
  readonly atFirst: Running | undefined;
  /** A look at the branch of before does not find a compute that has moved. */
  readonly moves: boolean;
}

/**
 * An update that saw no interruption asks once for the operations of its compute, if there may have been one: one that
 * starts or suspends the compute and is none of its own is of another run.
 */
export async function withMeanwhile(
  services: Services,
  applied: Applied,
  { beganMs, mayMiss, atFirst, moves }: Begun,
): Promise<Applied> {
  const { state, saw, begunBy } = applied;
  const running = saw.filter(({ before }) => !runsNothing(before));
  const seen = together(running.map(({ observation }) => observation));
  const hasGoneIdle = (atFirst === "active" || moves) && running.length < saw.length;
  const sawNothing = seen === undefined ? hasGoneIdle : seen.happened === "none";
  if (!mayMiss || begunBy !== undefined || runsNothing(atFirst) || !sawNothing) return applied;
  const own = saw.flatMap(({ operations }) => operations);
  const observation = await observedSince(services, state, { beganMs, own });
  if (observation === undefined) return applied;
  const begunMeanwhile = observation.happened === "unknown" ? undefined : "others";
  return { ...applied, saw: [{ observation, before: undefined, operations: [] }], begunBy: begunMeanwhile };
}

/** @returns undefined if nothing has started or suspended the compute. */
async function observedSince(
  { operations, api, clock, interrupted }: Services,
  { projectId, endpointId }: EndpointState,
  { beganMs, own }: Pick<Begun, "beganMs"> & { readonly own: readonly ApiOperation[] },
): Promise<Observation | undefined> {
  // In a large stack, the request waits for the rate limit.
  const deadline = deadlineIn(longestRequestMs, clock, interrupted);
  const newest = await operations.listNewest(projectId, { deadline }).catch(() => undefined);
  if (newest === undefined) return { happened: "unknown" };
  // Both times come from the service's clock.
  const sinceMs = (api.serviceNow() ?? clock.now()) - (clock.monotonicMs() - beganMs);
  const others = operationsIn(newest, endpointId).filter(({ id }) => !own.some((each) => each.id === id));
  const since = endedSince(others, sinceMs);
  const observation = observationOf(since);
  // A compute without clients suspends itself.
  const isByItself =
    observation.happened === "suspended" && !since.some(({ action }) => action === "apply_config");
  return since.length === 0 || isByItself ? undefined : observation;
}
