/**
 * Endpoints that a killed run may have created. We cannot prove it (a CI runner that starts empty has no journal), so
 * we only warn, with two options: adopt or delete.
 */
import type { ApiEndpoint } from "../../api/schemas";
import type { JournalEntry } from "../../writes/journal";
import type { EndpointInputs } from "../planning/inputs";
import { listServesCreatesMs } from "../../timing";
import type { EndpointsById } from "../listed";
import { workOf } from "./attempt";
import type { Resource } from "../resource";
import { callOptions, type Services, type Step } from "./step";
import { describeReplica, sentencesOf, unheldReplicas } from "../planning/unheld";

/**
 * After a replica was created: warns about other recent replicas of its branch that no known resource of this run
 * has.
 */
export async function nameUnheldReplicas(step: Step, { projectId, branchId }: EndpointInputs): Promise<void> {
  const { lists, ownership, looks } = step.services;
  // Creates that end together share one list.
  const now = await lists.within(projectId, listServesCreatesMs, callOptions(step)).catch(() => undefined);
  if (now === undefined) return;
  const place = { projectId, branchId, nowMs: looks.serviceNow(), resource: step.resource, isPreview: false };
  const texts = sentencesOf(
    await unheldReplicas(now, place, ownership),
    (one) =>
      `${describeReplica(one, place.nowMs)}, and no resource of this run is known to hold it. If nobody needs it, delete it at the service; to manage it as well, declare another Endpoint with the line adopt: "${one.endpoint.id}".`,
  );
  for (const text of texts) await step.resource.row.say("warning", text);
}

/**
 * In a destroy: warns about computes that creates of the same stack made and that no state contains. Any of several
 * deletions may be the last one, so each of them checks.
 *
 * @param named - computes that an earlier deletion has already reported.
 */
export async function nameLeftBehind(
  services: Services,
  resource: Resource,
  named: Set<string>,
): Promise<void> {
  const stacks = [resource.stackId, resource.formerStackId].map(services.ownerOf);
  const entries = (await services.journal.others()).filter(
    // An entry that was just reported to the engine is in the state, and may be deleted next.
    (entry) => entry.stack !== undefined && stacks.includes(entry.stack) && entry.told !== true,
  );
  const unseen: string[] = [];
  for (const entry of entries) {
    const now = await services.lists.recent(entry.projectId).catch(() => undefined);
    if (now === undefined) continue;
    const made = madeBy(entry, now).filter(({ id }) => !named.has(id));
    const ids = (await services.ownership.free(made, entry.projectId, { by: entry })).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const id of ids) named.add(id);
    if (entry.told === "unseen") unseen.push(...ids);
    else
      await resource.row.say(
        "warning",
        `A create of ${titleOf(entry)} was cut off before this stack knew its compute: ${ids.join(", ")} may be its work, and is not deleted. Delete what nobody needs at the service; \`pulumi up\` of the same program takes it over instead.`,
      );
  }
  if (unseen.length > 0)
    await resource.row.say(
      "warning",
      `A killed run of this stack created ${unseen.join(", ")}. What this destroy does not delete of them is not in the state: delete it at the service, or run \`pulumi up\` of the same program, which takes it over.`,
    );
}

function titleOf({ title }: JournalEntry): string {
  return title === undefined ? "a resource" : `resource "${title}"`;
}

function madeBy(entry: JournalEntry, now: EndpointsById): readonly ApiEndpoint[] {
  return [...now.values()].filter((endpoint) =>
    entry.endpointId === undefined ? workOf(entry, endpoint) !== "no" : endpoint.id === entry.endpointId,
  );
}
