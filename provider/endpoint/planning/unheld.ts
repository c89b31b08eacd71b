/**
 * Finds and describes recent replicas that no known resource holds: in the preview of a new replica, and after its
 * create.
 */
import { spanText } from "../../clock";
import { lateReplicaMs } from "../../timing";
import type { ForWhom, Ownership, Unheld } from "../ownership";
import type { EndpointsById } from "../listed";
import { computeTypeOf } from "../state";

/** For the preview of a new replica, before it becomes a duplicate. */
export function describeUnheld(unheld: readonly Unheld[], nowMs: number): readonly string[] {
  return sentencesOf(
    unheld,
    (one) =>
      `${describeReplica(one, nowMs)}. Unless another resource holds it, a killed run may have left it behind. To take it over in place of a new one, add the line adopt: "${one.endpoint.id}"; if nobody needs it, delete it at the service.`,
  );
}

/** Limits for a row: sentences about one compute each, and ids in the sentence about all others. */
const rowTakes = { sentences: 4, ids: 20 } as const;

/** One sentence for each, as long as a row has room: other teams may create many replicas of a branch at once. */
export function sentencesOf(
  unheld: readonly Unheld[],
  sentenceOf: (one: Unheld) => string,
): readonly string[] {
  if (unheld.length <= rowTakes.sentences) return unheld.map(sentenceOf);
  const [first, others] = [unheld.slice(0, rowTakes.sentences - 1), unheld.slice(rowTakes.sentences - 1)];
  const ids = others.slice(0, rowTakes.ids).map(({ endpoint }) => endpoint.id);
  const unnamed = others.length - ids.length;
  const more = unnamed === 0 ? "" : `, and ${unnamed} that the service lists`;
  return [...first.map(sentenceOf), `The same goes for ${others.length} others: ${ids.join(", ")}${more}.`];
}

/** Recent replicas of a branch that no known resource holds. */
export function unheldReplicas(
  endpoints: EndpointsById,
  {
    projectId,
    branchId,
    nowMs,
    ...forWhom
  }: ForWhom & { readonly projectId: string; readonly branchId: string; readonly nowMs: number },
  ownership: Pick<Ownership, "unheld">,
): Promise<readonly Unheld[]> {
  const late = [...endpoints.values()].filter((endpoint) => {
    const isLate = nowMs - Date.parse(endpoint.created_at ?? "") < lateReplicaMs;
    const isReplica = endpoint.branch_id === branchId && computeTypeOf(endpoint.type) === "read_only";
    return isReplica && isLate;
  });
  return ownership.unheld(late, projectId, forWhom);
}

export function describeReplica({ endpoint, madeFor }: Unheld, nowMs: number): string {
  const minutes = Math.max(0, Math.round((nowMs - Date.parse(endpoint.created_at ?? "")) / 60_000));
  return `Compute ${endpoint.id} is a replica of branch ${endpoint.branch_id} too, made ${spanText(minutes)} ago${madeFor === undefined ? "" : ` for resource "${madeFor}"`}`;
}
