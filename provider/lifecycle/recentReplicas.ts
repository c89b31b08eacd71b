/**
 * Names recent replicas that neither this run nor the stack's state has. An earlier run may have made them: its create got no
 * answer, and the run ended without knowing the result.
 */
import type { ApiEndpoint } from "../service/schemas";
import { recentMs, timeOf } from "../model/timing";
import type { EndpointsById } from "../service/client";
import type { ComputePlace } from "../model/inputs";
import { adoptLine, findCandidates, named, openCreatesAt } from "./candidates";
import type { Parts } from "./step";

/** What to say about the recent replicas of a branch. A run names each of them once. */
export function recentReplicasText(
  { service, run }: Pick<Parts, "service" | "run">,
  place: ComputePlace,
  now: EndpointsById,
): string | undefined {
  const { backend, namedRecent } = run;
  // Without the stack's state, nobody can tell which replicas belong to the stack.
  if (backend.known() === undefined || now.unreadable !== undefined) return undefined;
  if (openCreatesAt(run, place) > 0) return undefined;
  const isRecent = ({ created_at: createdAt }: ApiEndpoint): boolean =>
    service.liveReads.serviceNow() - timeOf(createdAt) < recentMs;
  const recent = findCandidates(run, place, now).filter((one) => isRecent(one) && !namedRecent.has(one.id));
  if (recent.length === 0) return undefined;
  for (const { id } of recent) namedRecent.add(id);
  return `Branch ${place.branchId} has ${recent.length === 1 ? "replica" : "replicas"} ${named(recent)}, which this stack does not have. If ${recent.length === 1 ? "it" : "one of them"} comes from a create of this stack that got no answer, either declare a replica with ${adoptLine(recent)} to keep it, or delete it at the service.`;
}
