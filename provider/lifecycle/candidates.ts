/**
 * Candidates are the computes that a create with an unknown result may have made. A message names them, and the user decides.
 * Without `adopt`, a step takes a candidate only if its own POST got no answer, and if there is exactly one candidate and it
 * matches the declaration. The row says so (`post.ts`).
 *
 * - An open create was sent in this run and is not answered yet, or never will be (`run.openCreates`). Its own step looks for
 *   the compute at once (`post.ts`). While it is open, no other create takes a compute at the same place (project, branch and
 *   type), and recent replicas there are not named.
 * - If the run ends while a create is open, nothing remembers that create. The next create or preview of a replica on its
 *   branch names the recent replicas (`recentReplicas.ts`).
 * - A cut-off create was begun by a run that was killed, and Pulumi's backend remembers it. The next create of its resource is
 *   refused if there are candidates, or if no list could be read. The create of a new resource that may be the same resource
 *   under a new name is refused as well. If no candidate shows up within 15 s, the new create goes ahead (`cutOff.ts`).
 * - An orphan is a cut-off create that belongs to no resource of the program. The first create, update or deletion of a run
 *   names it when the step ends. A check of a new resource names it if the check fails (`host/earlierRuns.ts`).
 *
 * A branch can have only one primary: the service refuses a second one, and the error names the first (`post.ts`).
 */
import type { ApiEndpoint } from "../service/schemas";
import { ComputeError } from "../model/errors";
import type { Run } from "../run/run";
import type { EndpointsById } from "../service/client";
import { unreadableIn } from "../service/lists";
import type { ComputePlace } from "../model/inputs";
import { isAt, listedText } from "../model/state";

/** A create whose compute is unknown: an open or a cut-off create. */
export interface UnknownCreate extends ComputePlace {
  /** What happened: `an earlier run was cut off while creating this compute`. */
  readonly what: string;
  /** The user's last step, which makes Pulumi forget a cut-off create; undefined for an open create. */
  readonly forgetting?: string | undefined;
  /** What the user does first, if anything. */
  readonly first?: string;
  /** What the user does if none of the candidates comes from this create. */
  readonly otherwise: string;
}

/**
 * The computes that a create may have made: on its branch, of its type, not there before, not in the stack's state, and held by
 * no resource. Newest first.
 *
 * @param baseline - ids of computes that it cannot have made.
 * @throws RequestError if a compute that cannot be read may be one of them.
 */
export function findCandidates(
  { backend, ownership }: Run,
  { branchId, type, baseline = [] }: ComputePlace & { readonly baseline?: readonly string[] },
  now: EndpointsById,
): readonly ApiEndpoint[] {
  const unreadable = unreadableIn(now, (id) => !baseline.includes(id));
  if (unreadable !== undefined) throw unreadable;
  return [...now.values()]
    .filter(
      (endpoint) =>
        isAt({ branchId, type }, endpoint) &&
        !baseline.includes(endpoint.id) &&
        backend.known()?.holds(endpoint.id) !== true &&
        ownership.isFree({ projectId: endpoint.project_id, endpointId: endpoint.id }),
    )
    .sort((left, right) => (right.created_at ?? "").localeCompare(left.created_at ?? ""));
}

/** How many creates of this run are open at a place: a compute that appears there may be the result of any of them. */
export function openCreatesAt({ openCreates }: Run, place: ComputePlace): number {
  return [...openCreates].filter((other) => isSamePlace(other, place)).length;
}

/** Whether the compute of one create could be mistaken for the compute of the other. */
export function isSamePlace(left: ComputePlace, right: ComputePlace): boolean {
  return (["projectId", "branchId", "type"] as const).every((name) => left[name] === right[name]);
}

/** The most computes that one message names: other teams may create many replicas of a branch. */
const mostNamed = 10;

/**
 * The error that names computes which a create without an answer may have made.
 *
 * @param inputs - what the program declares now: a compute at another place cannot be adopted.
 */
export function candidatesError(
  { what, forgetting, first, otherwise, ...place }: UnknownCreate,
  candidates: readonly ApiEndpoint[],
  { inputs, cause }: { readonly inputs: ComputePlace; readonly cause?: unknown },
): ComputeError {
  const adopting = isSamePlace(place, inputs)
    ? "add the argument"
    : "put the earlier project, branch and type back, and add the argument";
  const keep = `To keep ${candidates.length === 1 ? "it" : "one"}: ${adopting} ${adoptLine(candidates)} and the option retainOnDelete: false, and run \`pulumi up\`. Then remove both`;
  const anyOrder =
    candidates.length === 1
      ? ""
      : " If several computes are identical, it does not matter which one this resource adopts.";
  return new ComputeError({
    doing: `creating a ${place.type} compute on branch ${place.branchId} of project ${place.projectId}`,
    what: `${what}. It may have created ${oneOf(candidates)}`,
    fix: forgetting === undefined ? "The create is not sent again" : "This run sent nothing",
    choices: [
      ...(first === undefined ? [] : [first]),
      `${keep}${forgetting === undefined ? "." : `, and ${forgetting}`}${anyOrder}`,
      `If ${candidates.length === 1 ? "it does not come" : "none of them comes"} from that create: ${otherwise}`,
    ],
    cause,
  });
}

export function oneOf(all: readonly ApiEndpoint[]): string {
  return all.length === 1 ? named(all) : `one of these: ${named(all)}`;
}

export function adoptLine([first, ...others]: readonly ApiEndpoint[]): string {
  const line = `adopt: "${first?.id ?? ""}"`;
  return others.length === 0 ? line : `${line} (or another of these ids)`;
}

export function named(all: readonly ApiEndpoint[]): string {
  const more = all.length > mostNamed ? `, and ${all.length - mostNamed} more` : "";
  return `${all.slice(0, mostNamed).map(listedText).join(", ")}${more}`;
}
