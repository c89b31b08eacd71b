/**
 * Creates that nobody knows the result of: an earlier run began them and did not end, or a run got no answer. Only Pulumi's
 * backend keeps what an earlier run began, on every machine, and without an id. So the computes that such a create may have
 * made are named, and the user decides: none is taken over without `adopt`.
 */
import type { ApiEndpoint } from "../service/schemas";
import { pollUntil } from "../clock";
import { ComputeError, RequestError } from "../model/errors";
import {
  createShowsAfterMs,
  listServesMs,
  namedWhileYoungMs,
  previewReadMs,
  serviceClocksDifferMs,
  timeOf,
} from "../model/timing";
import { isSameResource, titleIn, type Resource } from "../run/resource";
import type { Run } from "../run/run";
import type { BegunCreate } from "../run/stackBackend";
import type { EndpointsById } from "../service/client";
import { unreadableIn } from "../service/lists";
import type { Findings } from "../plan/compare";
import { begunEarlier } from "../run/ownership";
import type { ComputePlace } from "../model/inputs";
import { computeTypeOf } from "../model/state";
import { callOptions, type Parts, type Step } from "./step";

/** Where a create without an answer may have made its compute. */
export type CreatePlace = Pick<ComputePlace, "projectId" | "branchId" | "type">;

/** A create whose compute nobody knows. */
export interface LostCreate extends CreatePlace {
  /** What happened: `an earlier run was cut off while creating this compute`. */
  readonly what: string;
  /** What the user does last, whichever compute it is; undefined if nothing is left to do. */
  readonly last?: string | undefined;
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
  { backend, ownership }: Run,
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
        backend.known()?.holds(endpoint.id) !== true &&
        ownership.isFree({ projectId: endpoint.project_id, endpointId: endpoint.id }),
    )
    .sort((left, right) => (right.created_at ?? "").localeCompare(left.created_at ?? ""));
}

/** Whether another create at the same place is open: a compute that appears there may be its own. */
export function hasOthersOpen({ openCreates }: Run, own: CreatePlace): boolean {
  return [...openCreates].some((other) => other !== own && isSamePlace(other, own));
}

/** Whether one create could be mistaken for the other. */
function isSamePlace(left: CreatePlace, right: CreatePlace): boolean {
  return (["projectId", "branchId", "type"] as const).every((name) => left[name] === right[name]);
}

/** A new replica, and whose it is. */
interface NewReplica {
  readonly place: ComputePlace;
  readonly resource: Resource;
}

/**
 * The create of a replica that an earlier run began, of several at the declared place if it is among them. Under another
 * name, only a create at that place counts. Undefined too if Pulumi's backend could not be asked, which a row has said.
 */
function begunEarlierBy(run: Run, { place, resource: { urn = "" } }: NewReplica): LostCreate | undefined {
  const begun = run.backend.known()?.begunFor(urn) ?? [];
  const creates = begun.map((create) => ({ ...create, ...placeOf(create, place) }));
  const isOwn = (create: BegunCreate): boolean => isSameResource(create.urn, urn);
  const found = creates.findLast((create) => isSamePlace(create, place)) ?? creates.filter(isOwn).at(-1);
  if (found === undefined) return undefined;
  const what = isOwn(found)
    ? begunEarlier
    : `an earlier run was cut off while creating resource "${titleIn(found.urn)}" there, which may be this one under its former name`;
  const last = clearsCreates(run, found);
  return {
    ...placeOf(found, place),
    what,
    last,
    otherwise: `${last} The next \`pulumi up\` creates another compute.`,
  };
}

/** The command forgets all creates at once: what they have made must be found before. */
function clearsCreates({ backend }: Run, { urn }: BegunCreate): string {
  const others = (backend.known()?.begun ?? []).filter((create) => !isSameResource(create.urn, urn));
  const titles = [...new Set(others.map((create) => `"${titleIn(create.urn)}"`))].join(", ");
  const also =
    titles === "" ? "" : ` It forgets the creates of ${titles} too: first check what these have left behind.`;
  return `run \`pulumi refresh --clear-pending-creates\`, so that Pulumi forgets that create.${also}`;
}

/** A secret of the earlier run counts as not changed since: the backend has its ciphertext. */
function placeOf(begun: BegunCreate, declared: CreatePlace): CreatePlace {
  const { projectId = declared.projectId, branchId = declared.branchId, type = declared.type } = begun;
  return { projectId, branchId, type };
}

/**
 * Before a replica is created. The service refuses a second primary by itself.
 *
 * @throws ComputeError if there are computes that an earlier run may have made for this resource.
 */
export async function refuseUndecided(
  { service, run, resource, deadline }: Omit<Step, "permit">,
  inputs: ComputePlace,
): Promise<void> {
  const lost = begunEarlierBy(run, { place: inputs, resource });
  if (lost === undefined) return;
  const call = callOptions({ deadline, resource });
  const candidates = await pollUntil(deadline, [0, ...createShowsAfterMs], {
    poll: async () => {
      resource.row.progress("looking for the compute that an earlier run may have created");
      return candidatesOf(run, lost, await service.listComputes(lost, call));
    },
    // A list may already show what another create of this run is about to be answered.
    isEnough: (seen) => seen.length > 0 && !hasOthersOpen(run, lost),
  }).catch((error: unknown) => {
    if (!(error instanceof RequestError)) throw error;
    const choices = [`To leave what an earlier run may have made there: ${lost.otherwise}`];
    throw new ComputeError({ ...error.problem, choices, cause: error });
  });
  if (candidates.length > 0) throw undecided(lost, earlierFirst({ service, run }, candidates), { inputs });
}

/**
 * Computes that were made before this run began, then the others: an earlier run has made none of those, and only so many
 * are named.
 */
function earlierFirst(
  { service, run }: Pick<Parts, "service" | "run">,
  candidates: readonly ApiEndpoint[],
): readonly ApiEndpoint[] {
  const beganMs = service.liveReads.serviceNow() - (service.clock.monotonicMs() - run.beganAtMs);
  const isEarlier = ({ created_at: at }: ApiEndpoint): boolean =>
    !(timeOf(at) > beganMs + serviceClocksDifferMs);
  return [...candidates.filter(isEarlier), ...candidates.filter((one) => !isEarlier(one))];
}

/** For the preview of a replica, which reads one list: what its create would find. */
export async function previewUnfinished(
  asked: Pick<Parts, "service" | "run">,
  of: NewReplica,
): Promise<Findings> {
  const { service, run } = asked;
  const lost = begunEarlierBy(run, of);
  const now = await service.liveReads.listLive(lost?.projectId ?? of.place.projectId);
  if (lost === undefined) return { warning: now && youngText(asked, of.place, now) };
  if (now === undefined) return { read: { kind: "unanswered" } };
  // What is wrong with the list, the update says.
  const candidates = now.unreadable === undefined ? candidatesOf(run, lost, now) : [];
  return candidates.length === 0
    ? {}
    : { problem: undecided(lost, earlierFirst(asked, candidates), { inputs: of.place }).message };
}

/**
 * What to say of replicas that were made a moment ago, and that neither this run nor the stack's state has: a run that got
 * no answer, and ended without knowing, may have made them. Each is named once.
 */
export function youngText(
  { service, run }: Pick<Parts, "service" | "run">,
  place: CreatePlace,
  now: EndpointsById,
): string | undefined {
  const { backend, namedYoung } = run;
  // Without the stack's state, nobody can tell which replicas are its own.
  if (backend.known() === undefined || now.unreadable !== undefined) return undefined;
  if (hasOthersOpen(run, place)) return undefined;
  const isYoung = ({ created_at: createdAt }: ApiEndpoint): boolean =>
    service.liveReads.serviceNow() - timeOf(createdAt) < namedWhileYoungMs;
  const young = candidatesOf(run, place, now).filter((one) => isYoung(one) && !namedYoung.has(one.id));
  if (young.length === 0) return undefined;
  for (const { id } of young) namedYoung.add(id);
  return `Branch ${place.branchId} has ${named(young)}, which this stack does not have. If an earlier create of this stack got no answer and made ${young.length === 1 ? "it" : "one of them"}, declare a replica with ${adoptLine(young)}, or delete it at the service.`;
}

/**
 * What to say of a create that an earlier run began, and that no resource of this run answers for: Pulumi does not name it
 * in a preview, and not where it refreshes first. @returns undefined if a later run has made its compute.
 */
export async function leftText(
  asked: Pick<Parts, "service" | "run">,
  left: BegunCreate,
): Promise<string | undefined> {
  const { branchId, type = "read_write", isInState } = left;
  const found = await leftComputes(asked, left);
  if (isInState && found.length === 0) return undefined;
  const where = branchId === undefined ? "" : ` on branch ${branchId}`;
  const begun = `An earlier run was cut off while creating resource "${titleIn(left.urn)}", a ${type} compute${where}.`;
  const clears = clearsCreates(asked.run, left);
  if (typeof found === "string") return `${begun} ${found} Then ${clears}`;
  if (found.length === 0) return `${begun} The service lists no compute that it may have made: ${clears}`;
  const adopting = isInState ? "declare another resource" : `declare resource "${titleIn(left.urn)}"`;
  return [
    `${begun} It may have made ${oneOf(found)}, which this stack does not have.`,
    `- To keep ${found.length === 1 ? "it" : "one"}: ${adopting} with ${adoptLine(found)}.`,
    "- Otherwise: delete at the service what that run made.",
    `- In both cases: ${clears}`,
  ].join("\n");
}

/** The computes that such a create may have made, or why they are not known. */
async function leftComputes(
  { service, run }: Pick<Parts, "service" | "run">,
  { projectId, branchId, type = "read_write" }: BegunCreate,
): Promise<readonly ApiEndpoint[] | string> {
  if (projectId === undefined || branchId === undefined)
    return "Its project or branch is a secret, so this run cannot look there. Check at the service whether it has a compute that nobody needs.";
  const now = await service
    .listComputes({ projectId }, { ageMs: listServesMs, answerMs: previewReadMs })
    .catch(() => undefined);
  if (now === undefined || now.unreadable !== undefined)
    return "The service could not list its project. Check there whether it has a compute that nobody needs.";
  return candidatesOf(run, { projectId, branchId, type }, now);
}

/** The most computes that one message names: other teams may create many replicas of a branch. */
const mostNamed = 10;

/**
 * The error that names computes which a create without an answer may have made.
 *
 * @param inputs - what the program declares now: a compute of another place cannot be adopted.
 */
export function undecided(
  { what, last, otherwise, ...place }: LostCreate,
  candidates: readonly ApiEndpoint[],
  { inputs, cause }: { readonly inputs: ComputePlace; readonly cause?: unknown },
): ComputeError {
  const adopting = isSamePlace(place, inputs)
    ? "add"
    : "put the earlier project, branch and type back, and add";
  const keep = `To keep ${candidates.length === 1 ? "it" : "one"}: ${adopting} ${adoptLine(candidates)} and retainOnDelete: false, and run \`pulumi up\`. Then remove both`;
  const anyOrder =
    candidates.length === 1 ? "" : " Equal computes can be given to their resources in any order.";
  return new ComputeError({
    doing: `creating a ${place.type} compute on branch ${place.branchId} of project ${place.projectId}`,
    what: `${what}. It may have made ${oneOf(candidates)}`,
    fix: last === undefined ? "The create is not sent again" : "Nothing was sent",
    choices: [
      `${keep}${last === undefined ? "." : `, and ${last}`}${anyOrder}`,
      `If ${candidates.length === 1 ? "that create did not make it" : "that create made none of them"}: ${otherwise}`,
    ],
    cause,
  });
}

function oneOf(all: readonly ApiEndpoint[]): string {
  return all.length === 1 ? named(all) : `one of these: ${named(all)}`;
}

function adoptLine([first, ...others]: readonly ApiEndpoint[]): string {
  const line = `adopt: "${first?.id ?? ""}"`;
  return others.length === 0 ? line : `${line} (or the id of another one)`;
}

function named(all: readonly ApiEndpoint[]): string {
  const more = all.length > mostNamed ? `, and ${all.length - mostNamed} more` : "";
  return `${all.slice(0, mostNamed).map(shown).join(", ")}${more}`;
}

/** `ep-a (0.25 to 2 CU, created 2026-01-31T12:00:00Z)`. */
function shown({ id, created_at: createdAt, ...endpoint }: ApiEndpoint): string {
  const { autoscaling_limit_min_cu: minCu, autoscaling_limit_max_cu: maxCu } = endpoint;
  const size = minCu === maxCu ? minCu : `${minCu} to ${maxCu}`;
  return `${id} (${size} CU, created ${createdAt ?? "at an unknown time"})`;
}
