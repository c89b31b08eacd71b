/**
 * What the tests of creates without an answer share: an intent, computes, and the step that looks for them.
 */
import type { ApiEndpoint } from "../../../../provider/api/schemas";
import { deadlineIn, systemClock } from "../../../../provider/clock";
import type { Step } from "../../../../provider/endpoint/applying/step";
import type { EndpointsById } from "../../../../provider/endpoint/listed";
import { RequestError } from "../../../../provider/errors";
import type { JournalEntry } from "../../../../provider/writes/journal";
import { trackPendingCreates } from "../../../../provider/writes/pendingCreates";
import { ownershipWith } from "../../../support/ownership";

export const intent: JournalEntry = {
  owner: "a1",
  projectId: "p",
  branchId: "br-a",
  type: "read_only",
  baseline: ["ep-before"],
  intentAtMs: 0,
  sent: {},
  window: { fromMs: -3_000, toMs: 63_000 },
};

export function endpoint(id: string, more: Partial<ApiEndpoint> = {}): ApiEndpoint {
  const created_at = new Date(intent.intentAtMs).toISOString();
  return { id, project_id: "p", branch_id: "br-a", type: "read_only", created_at, ...more };
}

export const byId = (...endpoints: readonly ApiEndpoint[]): Map<string, ApiEndpoint> =>
  new Map(endpoints.map((one) => [one.id, one]));

/** A list that also shows computes which cannot be read. @param ids - undefined for an id that cannot be read either. */
export function withUnreadable(
  list: Map<string, ApiEndpoint>,
  ids: readonly (string | undefined)[],
): EndpointsById {
  const problem = { doing: "listing", what: "a compute cannot be read", fix: "Look" };
  const error = new RequestError(problem, { kind: "unreadable", outcome: "unknown" });
  return Object.assign(list, { unreadable: ids.map((id) => ({ id, error })) });
}

/** The parts that a look for a lost create uses. */
export function stepWith(others: readonly JournalEntry[] = [], pendingCreates = trackPendingCreates()): Step {
  const services = {
    pendingCreates,
    ownership: ownershipWith({ entries: () => others }),
    journal: { others: () => Promise.resolve(others) },
  };
  return {
    services,
    resource: { id: "urn:a" },
    deadline: deadlineIn(60_000, systemClock),
  } as unknown as Step;
}
