/**
 * Waits for a compute's turn among the computes of its branch that this run interrupts.
 */
import type { EndpointRef } from "../../api/client";
import type { EndpointsById } from "../listed";
import { runningOf } from "../planning/running";
import { restartRank, runsNothing } from "../../pure/verdict";
import type { Resource } from "../resource";
import { computeTypeOf } from "../state";
import type { RestartingCompute } from "./restartOrder";
import type { Services } from "./step";

/**
 * @param of - a compute with its place, or only its id: then the service's list says where it is, and what it does not
 * list, or what runs nothing, waits for nobody.
 *
 * @returns a function that ends the turn.
 */
export async function takeTurn(
  { lists, restartOrder, interrupted }: Services,
  of: EndpointRef | RestartingCompute,
  { row }: Resource,
): Promise<() => void> {
  const listed = await lists.recent(of).catch(() => undefined);
  const place = "branchId" in of ? of : placeIn(of, listed);
  if (place === undefined) return () => undefined;
  const onWait = (other: string | undefined): void => {
    const whom = other === undefined ? "replicas of its branch" : `compute ${other} of its branch`;
    row.progress(`waiting for ${whom}: half of its replicas keep running, and the primary is last`);
  };
  return restartOrder.enter(place, { onWait, interrupted, replicas: runningReplicas(place, listed) });
}

function placeIn(of: EndpointRef, listed: EndpointsById | undefined): RestartingCompute | undefined {
  const endpoint = listed?.get(of.endpointId);
  if (endpoint === undefined || runsNothing(runningOf(endpoint))) return undefined;
  return { ...of, branchId: endpoint.branch_id, type: computeTypeOf(endpoint.type) };
}

/** How many replicas of a branch run. Without a list, it counts as one. */
function runningReplicas(of: RestartingCompute, listed: EndpointsById | undefined): number {
  if (listed === undefined) return 1;
  const onBranch = [...listed.values()].filter((endpoint) => endpoint.branch_id === of.branchId);
  return onBranch.filter((endpoint) => restartRank(endpoint) === 0 && !runsNothing(runningOf(endpoint)))
    .length;
}
