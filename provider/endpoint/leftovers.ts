/**
 * Computes that a run may have left behind and nobody can be proven to own. They are named, with both ways on, and
 * never touched: a CI runner that starts empty has no journal that would know.
 */
import type { EndpointRef } from "../api/client";
import type { ApiEndpoint } from "../api/schemas";
import { spanText } from "../clock";
import { lateReplicaMs } from "../timing";
import type { JournalEntry } from "../writes/journal";
import type { Holders } from "./holders";
import type { EndpointInputs } from "./inputs";
import type { EndpointsById } from "./lists";
import { workOf } from "./attempt";
import type { Resource } from "./resource";
import { computeTypeOf } from "./state";
import { callOptions, type Services, type Step } from "./step";

/** After a replica was created: others of its branch, made lately, that no resource of this run is known to hold. */
export async function nameUnheldReplicas(step: Step, { projectId, branchId }: EndpointInputs): Promise<void> {
  const { lists, holders, journal, pendingCreates, api, clock } = step.services;
  // Creates that end together share a list.
  const now = await lists.forCreate(projectId, callOptions(step)).catch(() => undefined);
  if (now === undefined) return;
  const place = { projectId, branchId, nowMs: api.serviceNow() ?? clock.now() };
  const unheld = unheldReplicas(now, place, holders).filter(({ id }) => !pendingCreates.isClaimed(id));
  if (unheld.length === 0) return;
  const known = new Set((await journal.others()).map(({ endpointId }) => endpointId));
  const texts = sentencesOf(
    unheld.filter(({ id }) => !known.has(id)),
    (endpoint) =>
      `${describe(endpoint, place.nowMs)}, and no resource of this run is known to hold it. If nobody needs it, delete it at the service; to manage it as well, declare another Endpoint with the line adopt: "${endpoint.id}".`,
  );
  for (const text of texts) await step.resource.row.say("warning", text);
}

/** For the preview of a new replica, before any is doubled. */
export function describeUnheld(unheld: readonly ApiEndpoint[], nowMs: number): readonly string[] {
  return sentencesOf(
    unheld,
    (endpoint) =>
      `${describe(endpoint, nowMs)}. Unless another resource holds it, a killed run may have left it behind. To take it over in place of a new one, add the line adopt: "${endpoint.id}"; if nobody needs it, delete it at the service.`,
  );
}

/** Sentences about one compute each that a row has room for, and ids of the sentence for all others. */
const rowTakes = { sentences: 4, ids: 20 } as const;

/** One for each, as long as a row has room: other teams may make many replicas of a branch at once. */
function sentencesOf(
  unheld: readonly ApiEndpoint[],
  sentenceOf: (endpoint: ApiEndpoint) => string,
): readonly string[] {
  if (unheld.length <= rowTakes.sentences) return unheld.map(sentenceOf);
  const [told, others] = [unheld.slice(0, rowTakes.sentences - 1), unheld.slice(rowTakes.sentences - 1)];
  const ids = others.slice(0, rowTakes.ids).map(({ id }) => id);
  const unnamed = others.length - ids.length;
  const more = unnamed === 0 ? "" : `, and ${unnamed} that the service lists`;
  return [...told.map(sentenceOf), `The same goes for ${others.length} others: ${ids.join(", ")}${more}.`];
}

/** Replicas of a branch that were made lately and that no resource is known to hold. */
export function unheldReplicas(
  endpoints: EndpointsById,
  {
    projectId,
    branchId,
    nowMs,
  }: { readonly projectId: string; readonly branchId: string; readonly nowMs: number },
  holders: Holders,
): readonly ApiEndpoint[] {
  return [...endpoints.values()].filter((endpoint) => {
    const ref: EndpointRef = { projectId, endpointId: endpoint.id };
    const isLate = nowMs - Date.parse(endpoint.created_at ?? "") < lateReplicaMs;
    const isReplica = endpoint.branch_id === branchId && computeTypeOf(endpoint.type) === "read_only";
    return isReplica && isLate && !holders.isHeld(ref);
  });
}

function describe(endpoint: ApiEndpoint, nowMs: number): string {
  const minutes = Math.max(0, Math.round((nowMs - Date.parse(endpoint.created_at ?? "")) / 60_000));
  return `Compute ${endpoint.id} is a replica of branch ${endpoint.branch_id} too, made ${spanText(minutes)} ago`;
}

/**
 * In a destroy: what creates of the same stack left behind, which no state ever knew. Of several deletions any may be
 * the last, so each asks.
 *
 * @param named - computes that an earlier deletion has named.
 */
export async function nameLeftBehind(
  services: Services,
  resource: Resource,
  named: Set<string>,
): Promise<void> {
  const stacks = [resource.stackId, resource.formerStackId].map(services.ownerOf);
  const entries = (await services.journal.others()).filter(
    // What the engine was told of is in the state, and may be deleted next.
    (entry) => entry.stack !== undefined && stacks.includes(entry.stack) && entry.told === undefined,
  );
  for (const entry of entries) {
    const now = await services.lists.recent(entry.projectId).catch(() => undefined);
    if (now === undefined) continue;
    const { projectId } = entry;
    const ids = madeBy(entry, now).filter(
      (endpointId) => !named.has(endpointId) && !services.holders.isHeld({ projectId, endpointId }),
    );
    if (ids.length === 0) continue;
    for (const id of ids) named.add(id);
    const whose = entry.title === undefined ? "a resource" : `resource "${entry.title}"`;
    await resource.row.say(
      "warning",
      `A create of ${whose} was cut off before this stack knew its compute: ${ids.join(", ")} may be its work, and is not deleted. Delete what nobody needs at the service; \`pulumi up\` of the same program takes it over instead.`,
    );
  }
}

function madeBy(entry: JournalEntry, now: EndpointsById): readonly string[] {
  if (entry.endpointId !== undefined) return now.has(entry.endpointId) ? [entry.endpointId] : [];
  return [...now.values()].filter((endpoint) => workOf(entry, endpoint) !== "no").map(({ id }) => id);
}
