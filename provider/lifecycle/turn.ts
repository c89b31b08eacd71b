/**
 * Waits for a compute's turn among the computes of its branch that this run interrupts, and ends the turns of the others
 * once one of them has not come back.
 */
import { ComputeError } from "../model/errors";
import { listServesMs } from "../model/timing";
import { restartRank, runsNothing } from "../model/interruption";
import type { EndpointsById } from "../service/client";
import { runningOf } from "../plan/running";
import type { Resource } from "../run/resource";
import { isUnfinished, PartialFailure } from "../model/state";
import type { RestartingCompute } from "./restartOrder";
import type { Services } from "./step";

interface Turn {
  readonly services: Services;
  /** The compute at its place before the change. */
  readonly place: RestartingCompute;
  readonly resource: Resource;
}

/** @throws ComputeError if another compute of the branch has not come back: then nothing is sent. */
export async function inTurn<T>(
  { services, place, resource }: Turn,
  interrupt: () => Promise<T>,
): Promise<T> {
  const { listComputes, restartOrder, interrupted } = services;
  const onWait = (other: string | undefined): void => {
    const whom = other === undefined ? "replicas of its branch" : `compute ${other} of its branch`;
    resource.row.progress(`waiting for ${whom}: half of its replicas keep running, and the primary is last`);
  };
  const listed = await listComputes(place, { ageMs: listServesMs }).catch(() => undefined);
  const turn = await restartOrder.enter(place, {
    onWait,
    interrupted,
    replicas: runningReplicas(place, listed),
  });
  try {
    const missing = turn.missing();
    if (missing !== undefined) throw stopped(place, missing);
    return await interrupt();
  } catch (error) {
    if (hasNotComeBack(error)) turn.miss(`${resource.title} (${place.endpointId})`);
    throw error;
  } finally {
    turn.end();
  }
}

/** Whether operations of the compute have failed, have not ended in time, or are not known. */
function hasNotComeBack(error: unknown): boolean {
  return error instanceof PartialFailure && isUnfinished(error.state);
}

/** Exported for the page that shows it. */
export function stopped(
  { endpointId, branchId }: Pick<RestartingCompute, "endpointId" | "branchId">,
  missing: string,
): ComputeError {
  return new ComputeError({
    doing: `changing compute ${endpointId}`,
    what: `nothing was sent, because ${missing} of the same branch ${branchId} has not come back from its change`,
    fix: "Get that compute to run again, for example by putting its earlier values back: the next `pulumi up` goes on",
  });
}

/** How many replicas of a branch run. Without a list, it counts as one. */
function runningReplicas(of: RestartingCompute, listed: EndpointsById | undefined): number {
  if (listed === undefined) return 1;
  const onBranch = [...listed.values()].filter((endpoint) => endpoint.branch_id === of.branchId);
  return onBranch.filter((endpoint) => restartRank(endpoint) === 0 && !runsNothing(runningOf(endpoint)))
    .length;
}
