/**
 * What a create without an answer may have made: computes that are named, and never taken over across runs.
 */
import type { ApiEndpoint } from "../../../api/schemas";
import { ComputeError } from "../../../pure/errors";
import type { JournalEntry } from "../../../writes/journal";
import { isSameId, isSealed } from "../../../writes/sealedIds";
import type { BegunAt } from "../../../writes/stackBackend";
import { unreadableIn, type EndpointsById } from "../../listed";
import type { ComputePlace } from "../../planning/inputs";
import { computeTypeOf } from "../../state";
import type { Services } from "../step";

/** Where a create without an answer may have made its compute; ids may be sealed. */
export type CreatePlace = Pick<JournalEntry, "projectId" | "branchId" | "type">;

/** A create whose compute nobody knows. */
export interface LostCreate extends CreatePlace {
  /** Of its journal entry. Its process may have outlived its run, and may write the answer down only now. */
  readonly owner: string;
  /** Ids of computes that it cannot have made. */
  readonly baseline: readonly string[];
  /** What happened: `an earlier run of this stack began to create it and did not end`. */
  readonly what: string;
  /** What the user does if none of the candidates is its compute. */
  readonly otherwise: string;
}

/**
 * The computes that a create without an answer may have made: on its branch, of its type, not there before, and not
 * known as another resource's. Newest first.
 *
 * @throws RequestError if a compute that cannot be read may be one of them.
 */
export async function candidatesOf(
  { backend, journal, ownership }: Pick<Services, "backend" | "journal" | "ownership">,
  { owner, branchId, type, baseline }: CreatePlace & Pick<LostCreate, "owner" | "baseline">,
  now: EndpointsById,
): Promise<readonly ApiEndpoint[]> {
  const unreadable = unreadableIn(now, (id) => !baseline.includes(id));
  if (unreadable !== undefined) throw unreadable;
  const entries = await journal.all();
  const answered = entries.flatMap((entry) => (entry.owner === owner ? [] : entry.endpointId));
  const later = [...now.values()].filter(
    ({ id, branch_id, type: wireType }) =>
      isSameId(branch_id, branchId) &&
      computeTypeOf(wireType) === type &&
      !baseline.includes(id) &&
      !backend.holds(id) &&
      !answered.includes(id),
  );
  const free = await Promise.all(
    later.map(({ id, project_id }) => ownership.isFree({ projectId: project_id, endpointId: id })),
  );
  return later
    .filter((_, index) => free[index])
    .sort((left, right) => (right.created_at ?? "").localeCompare(left.created_at ?? ""));
}

/** Whether another one of these creates is on the same branch: they have sent their requests, and know no compute yet. */
export function hasOthersOpen(openCreates: Iterable<CreatePlace>, own: CreatePlace): boolean {
  return [...openCreates].some((other) => other !== own && isSamePlace(other, own));
}

/** Whether one create could be mistaken for the other. */
function isSamePlace(left: CreatePlace, right: CreatePlace): boolean {
  return (["projectId", "branchId", "type"] as const).every((name) => isSameId(left[name], right[name]));
}

/**
 * Where a killed run began the create, of several at the declared place if it is among them. A secret of that run counts as
 * not changed since: the backend has its ciphertext.
 */
export function placeBegun(begun: readonly BegunAt[], declared: ComputePlace): CreatePlace | undefined {
  const places = begun.map((at) => {
    const { projectId = declared.projectId, branchId = declared.branchId, type = declared.type } = at;
    return { projectId, branchId, type };
  });
  return places.findLast((place) => isSamePlace(place, declared)) ?? places.at(-1);
}

/** The most computes that one message names: other teams may create many replicas of a branch. */
const mostNamed = 10;

/**
 * The error that names computes which a create without an answer may have made.
 *
 * @param inputs - what the program declares now: a compute of another place cannot be adopted.
 */
export function undecided(
  { what, otherwise, ...place }: Omit<LostCreate, "owner" | "baseline">,
  candidates: readonly ApiEndpoint[],
  { inputs, cause }: { readonly inputs: ComputePlace; readonly cause?: unknown },
): ComputeError {
  const named = candidates.slice(0, mostNamed);
  const more = candidates.length > mostNamed ? `, and ${candidates.length - mostNamed} more` : "";
  const isOne = candidates.length === 1;
  const isThere = isSamePlace(place, inputs);
  const lines = named.map(({ id }) => `adopt: "${id}"`).join(" or ");
  const adopting = isThere ? "add" : "put the old project, branch and type back, and add";
  return new ComputeError({
    doing: `creating a ${place.type} compute on ${placeText(place)}`,
    what: `${what}, and the branch has ${named.map(shown).join(", ")}${more}`,
    fix: `If that create made ${isOne ? "it" : "one of them"}, ${adopting} the line ${lines}, and with it the option retainOnDelete: false if a destroy shall delete it; both can go after that \`pulumi up\`. If not, ${otherwise}`,
    cause,
  });
}

/** `ep-a (0.25 to 2 CU, created 2026-01-31T12:00:00Z)`. */
function shown({ id, created_at: createdAt, ...endpoint }: ApiEndpoint): string {
  const { autoscaling_limit_min_cu: minCu, autoscaling_limit_max_cu: maxCu } = endpoint;
  const size = minCu === maxCu ? minCu : `${minCu} to ${maxCu}`;
  return `${id} (${size} CU, created ${createdAt ?? "at an unknown time"})`;
}

/** `branch br-a of project p`; secret ids stay hidden. */
export function placeText({ projectId, branchId }: Pick<JournalEntry, "projectId" | "branchId">): string {
  const branch = isSealed(branchId) ? "another branch" : `branch ${branchId}`;
  return `${branch} of ${isSealed(projectId) ? "another project" : `project ${projectId}`}`;
}
