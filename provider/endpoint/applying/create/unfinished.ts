/**
 * Creates that nobody knows the result of: an earlier run began them and did not end, or this run got no answer. Only
 * Pulumi's backend keeps what an earlier run began, on every machine, and without an id. So the computes that such a create
 * may have made are named, and the user decides: none is taken over without `adopt`.
 */
import type { ApiEndpoint } from "../../../api/schemas";
import { pollUntil } from "../../../clock";
import { ComputeError, RequestError } from "../../../pure/errors";
import { createShowsAfterMs } from "../../../pure/timing";
import type { BegunAt } from "../../../writes/stackBackend";
import { unreadableIn, type EndpointsById } from "../../listed";
import { begunEarlier } from "../../planning/primaries";
import type { Unfinished } from "../../planning/checkPrimary";
import type { ComputePlace } from "../../planning/inputs";
import type { Resource } from "../../resource";
import { computeTypeOf } from "../../state";
import { callOptions, type Services, type Step } from "../step";

/** Where a create without an answer may have made its compute. */
export type CreatePlace = Pick<ComputePlace, "projectId" | "branchId" | "type">;

/** A create whose compute nobody knows. */
export interface LostCreate extends CreatePlace {
  /** What happened: `an earlier run of this stack began to create it and did not end`. */
  readonly what: string;
  /** What the user does if none of the candidates is its compute. */
  readonly otherwise: string;
}

/**
 * The computes that a create without an answer may have made: on its branch, of its type, not there before, and neither in
 * the stack's state nor another resource's. Newest first.
 *
 * @param baseline - ids of computes that it cannot have made.
 * @throws RequestError if a compute that cannot be read may be one of them.
 */
export function candidatesOf(
  { backend, ownership }: Pick<Services, "backend" | "ownership">,
  { branchId, type, baseline = [] }: CreatePlace & { readonly baseline?: readonly string[] },
  now: EndpointsById,
): readonly ApiEndpoint[] {
  const unreadable = unreadableIn(now, (id) => !baseline.includes(id));
  if (unreadable !== undefined) throw unreadable;
  return [...now.values()]
    .filter(
      (endpoint) =>
        endpoint.branch_id === branchId &&
        computeTypeOf(endpoint.type) === type &&
        !baseline.includes(endpoint.id) &&
        !backend.holds(endpoint.id) &&
        ownership.isFree({ projectId: endpoint.project_id, endpointId: endpoint.id }),
    )
    .sort((left, right) => (right.created_at ?? "").localeCompare(left.created_at ?? ""));
}

/** Whether another one of these creates is on the same branch: they have sent their requests, and know no compute yet. */
export function hasOthersOpen(openCreates: Iterable<CreatePlace>, own: CreatePlace): boolean {
  return [...openCreates].some((other) => other !== own && isSamePlace(other, own));
}

/** Whether one create could be mistaken for the other. */
function isSamePlace(left: CreatePlace, right: CreatePlace): boolean {
  return (["projectId", "branchId", "type"] as const).every((name) => left[name] === right[name]);
}

/** The create of a replica that an earlier run of this resource began. The service refuses a second primary. */
function begunEarlierBy(
  { backend }: Pick<Services, "backend">,
  { place, resource }: { readonly place: ComputePlace; readonly resource: Resource },
): LostCreate | undefined {
  const at = place.type === "read_only" ? placeBegun(backend.begunAt(resource.urn), place) : undefined;
  const otherwise =
    "run `pulumi refresh --clear-pending-creates` once, which forgets that create: the next `pulumi up` then creates another one";
  return at && { ...at, what: begunEarlier, otherwise };
}

/**
 * Where a killed run began the create, of several at the declared place if it is among them. A secret of that run counts as
 * not changed since: the backend has its ciphertext.
 */
function placeBegun(begun: readonly BegunAt[], declared: ComputePlace): CreatePlace | undefined {
  const places = begun.map((at) => {
    const { projectId = declared.projectId, branchId = declared.branchId, type = declared.type } = at;
    return { projectId, branchId, type };
  });
  return places.findLast((place) => isSamePlace(place, declared)) ?? places.at(-1);
}

/** @throws ComputeError if there are computes that an earlier run may have made for this resource. */
export async function refuseUndecided(
  { services, resource, deadline }: Omit<Step, "permit">,
  inputs: ComputePlace,
): Promise<void> {
  const lost = begunEarlierBy(services, { place: inputs, resource });
  if (lost === undefined) return;
  const call = callOptions({ deadline, resource });
  const candidates = await pollUntil(deadline, [0, ...createShowsAfterMs], {
    poll: async () => {
      resource.row.progress("looking for the compute that an earlier run may have created");
      return candidatesOf(services, lost, await services.lists.now(lost.projectId, call));
    },
    // A list may already show what another create of this run is about to be answered.
    isEnough: (seen) => seen.length > 0 && !hasOthersOpen(services.openCreates, lost),
  }).catch((error: unknown) => {
    if (!(error instanceof RequestError)) throw error;
    const fix = `${error.problem.fix}; or, to leave what an earlier run may have created there, ${lost.otherwise}`;
    throw new ComputeError({ ...error.problem, fix, cause: error });
  });
  if (candidates.length > 0) throw undecided(lost, candidates, { inputs });
}

/** For a preview, which reads one list: what a create would find. @returns undefined if that list does not show it. */
export async function previewUnfinished(
  services: Services,
  of: { readonly place: ComputePlace; readonly resource: Resource },
): Promise<Unfinished | undefined> {
  const lost = begunEarlierBy(services, of);
  if (lost === undefined) return undefined;
  const now = await services.liveReads.listLive(lost.projectId);
  if (now === undefined) return { kind: "unanswered" };
  // What is wrong with the list, the update says.
  if (now.unreadable !== undefined) return undefined;
  const candidates = candidatesOf(services, lost, now);
  if (candidates.length === 0) return undefined;
  return { kind: "undecided", error: undecided(lost, candidates, { inputs: of.place }) };
}

/** The most computes that one message names: other teams may create many replicas of a branch. */
const mostNamed = 10;

/**
 * The error that names computes which a create without an answer may have made.
 *
 * @param inputs - what the program declares now: a compute of another place cannot be adopted.
 */
export function undecided(
  { what, otherwise, ...place }: LostCreate,
  candidates: readonly ApiEndpoint[],
  { inputs, cause }: { readonly inputs: ComputePlace; readonly cause?: unknown },
): ComputeError {
  const named = candidates.slice(0, mostNamed);
  const more = candidates.length > mostNamed ? `, and ${candidates.length - mostNamed} more` : "";
  const lines = named.map(({ id }) => `adopt: "${id}"`).join(" or ");
  const adopting = isSamePlace(place, inputs) ? "add" : "put the old project, branch and type back, and add";
  return new ComputeError({
    doing: `creating a ${place.type} compute on branch ${place.branchId} of project ${place.projectId}`,
    what: `${what}, and the branch has ${named.map(shown).join(", ")}${more}`,
    fix: `If that create made ${candidates.length === 1 ? "it" : "one of them"}, ${adopting} the line ${lines}, and with it the option retainOnDelete: false if a destroy shall delete it; both can go after that \`pulumi up\`. If not, ${otherwise}`,
    cause,
  });
}

/** `ep-a (0.25 to 2 CU, created 2026-01-31T12:00:00Z)`. */
export function shown({ id, created_at: createdAt, ...endpoint }: ApiEndpoint): string {
  const { autoscaling_limit_min_cu: minCu, autoscaling_limit_max_cu: maxCu } = endpoint;
  const size = minCu === maxCu ? minCu : `${minCu} to ${maxCu}`;
  return `${id} (${size} CU, created ${createdAt ?? "at an unknown time"})`;
}
