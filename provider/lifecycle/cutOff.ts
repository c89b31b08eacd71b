/**
 * Creates that an earlier run began and did not finish. Only Pulumi's backend remembers them from one machine to the next, and
 * it does not have the id of the compute. The next run names the computes that such creates may have made (`candidates.ts`).
 */
import type { ApiEndpoint } from "../service/schemas";
import { pollUntil } from "../clock";
import { ComputeError, RequestError } from "../model/errors";
import {
  createShowsAfterMs,
  listServesMs,
  previewReadMs,
  serviceClocksDifferMs,
  timeOf,
} from "../model/timing";
import { isSameResource, titleIn, type Resource } from "../run/resource";
import type { Run } from "../run/run";
import { hasNotFinished, waitForThatRun, wasCutOff, type CutOffCreate } from "../run/stackBackend";
import type { Findings } from "../plan/services";
import type { ComputePlace } from "../model/inputs";
import {
  adoptLine,
  candidatesError,
  findCandidates,
  isSamePlace,
  oneOf,
  openCreatesAt,
  type UnknownCreate,
} from "./candidates";
import { recentReplicasText } from "./recentReplicas";
import { callOptions, type Parts, type Step } from "./step";

/** A new replica, and the resource that declares it. */
interface NewReplica {
  readonly place: ComputePlace;
  readonly resource: Resource;
}

/**
 * Finds the cut-off create of a replica, preferably one at the declared place. A create under another resource name counts only
 * at that place. If Pulumi's backend could not be asked, the result is undefined, and a warning has already said so.
 */
function findCutOffCreate(
  run: Run,
  { place, resource: { urn = "" } }: NewReplica,
  began: typeof wasCutOff | typeof hasNotFinished,
): UnknownCreate | undefined {
  const creates = (run.backend.known()?.cutOffFor(urn) ?? []).map((create) => {
    return { ...create, ...placeOfCreate(create, place) };
  });
  const isOwn = (create: CutOffCreate): boolean => isSameResource(create.urn, urn);
  const found = creates.findLast((create) => isSamePlace(create, place)) ?? creates.filter(isOwn).at(-1);
  if (found === undefined) return undefined;
  const what = isOwn(found)
    ? "this compute"
    : `resource "${titleIn(found.urn)}" on this branch (perhaps the former name of this resource)`;
  const forgetting = clearAdvice(run, found);
  return {
    ...placeOfCreate(found, place),
    what: `${began} ${what}`,
    forgetting,
    otherwise: `${forgetting} The next \`pulumi up\` creates another compute.`,
  };
}

/**
 * `--clear-pending-creates` makes Pulumi forget all cut-off creates, so users must first find what the other creates have made.
 */
function clearAdvice({ backend }: Run, { urn }: CutOffCreate): string {
  const others = (backend.known()?.cutOff ?? []).filter((create) => !isSameResource(create.urn, urn));
  const titles = [...new Set(others.map((create) => `"${titleIn(create.urn)}"`))].join(", ");
  const also =
    titles === ""
      ? ""
      : ` The command also forgets the unfinished creates of ${titles}: check first which computes they left behind.`;
  return `run \`pulumi refresh --clear-pending-creates\`, so that Pulumi forgets that create.${also}`;
}

/** The backend has only the ciphertext of a secret, so a value that was secret in the earlier run counts as unchanged. */
function placeOfCreate(create: CutOffCreate, declared: ComputePlace): ComputePlace {
  const { projectId = declared.projectId, branchId = declared.branchId, type = declared.type } = create;
  return { projectId, branchId, type };
}

/**
 * Refuses the create of a replica that a cut-off create may have made already. Primaries need no such check: the service
 * refuses a second one.
 *
 * @throws ComputeError if an earlier run may have made a compute for this resource, or if no list can be read.
 */
export async function refuseAfterCutOff(
  { service, run, resource, deadline }: Omit<Step, "permit">,
  inputs: ComputePlace,
): Promise<void> {
  const cutOff = findCutOffCreate(run, { place: inputs, resource }, wasCutOff);
  if (cutOff === undefined) return;
  const call = callOptions({ deadline, resource });
  const candidates = await pollUntil(deadline, [0, ...createShowsAfterMs], {
    poll: async () => {
      resource.row.progress("looking for the compute that an earlier run may have created");
      return findCandidates(run, cutOff, await service.listComputes(cutOff, call));
    },
    // A listed compute may be the result of another create of this run, whose answer is still to come.
    isEnough: (seen) => seen.length > 0 && openCreatesAt(run, cutOff) === 0,
  }).catch((error: unknown) => {
    if (!(error instanceof RequestError)) throw error;
    const choices = [`To ignore a compute that the earlier run may have created: ${cutOff.otherwise}`];
    throw new ComputeError({ ...error.problem, choices, cause: error });
  });
  if (candidates.length > 0)
    throw candidatesError(cutOff, earlierFirst({ service, run }, candidates), { inputs });
}

/**
 * Puts first the computes that were made before this run began: an earlier run cannot have made the others, and a message names
 * only a few.
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

/** What the create of a replica would find and say, according to one list. */
export async function previewReplica(
  asked: Pick<Parts, "service" | "run">,
  of: NewReplica,
): Promise<Findings> {
  const { service, run } = asked;
  const cutOff = findCutOffCreate(run, of, hasNotFinished);
  const now = await service.liveReads.listLive(cutOff?.projectId ?? of.place.projectId);
  if (cutOff === undefined) return { warning: now && recentReplicasText(asked, of.place, now) };
  if (now === undefined) return { read: { kind: "unanswered" } };
  // If a part of the list cannot be read, no candidates are named here: the update reports what is wrong with the list.
  const candidates = now.unreadable === undefined ? findCandidates(run, cutOff, now) : [];
  if (candidates.length > 0) {
    const create = { ...cutOff, first: waitForThatRun };
    return {
      problem: candidatesError(create, earlierFirst(asked, candidates), { inputs: of.place }).message,
    };
  }
  return isSamePlace(cutOff, of.place) ? {} : { warning: recentReplicasText(asked, of.place, now) };
}

/**
 * What to say about an orphan: a cut-off create that belongs to no resource of this run. Pulumi itself does not name it in a
 * preview, or in a run that refreshes first. If the backend stores the type encrypted, the type counts as read_write.
 *
 * @returns undefined if the state has a compute of the resource, and the service lists no candidate.
 */
export async function orphanText(
  asked: Pick<Parts, "service" | "run">,
  create: CutOffCreate,
): Promise<string | undefined> {
  const { branchId, type = "read_write", isInState } = create;
  const found = await findCandidatesOfOrphan(asked, create);
  if (isInState && found.length === 0) return undefined;
  const where = branchId === undefined ? "" : ` on branch ${branchId}`;
  const what = `An earlier run was cut off while creating resource "${titleIn(create.urn)}", a ${type} compute${where}.`;
  const clears = clearAdvice(asked.run, create);
  if (typeof found === "string") return `${what} ${found} Then ${clears}`;
  if (found.length === 0)
    return `${what} The service lists no compute from that run. To end this warning, ${clears}`;
  const adopting = isInState ? "declare another resource" : `declare resource "${titleIn(create.urn)}"`;
  return [
    `${what} It may have created ${oneOf(found)}, which this stack does not have.`,
    `- To keep ${found.length === 1 ? "it" : "one"}: ${adopting} with ${adoptLine(found)}.`,
    "- Otherwise: delete the compute of that run at the service.",
    `- In both cases: ${clears}`,
  ].join("\n");
}

/** The computes that an orphan may have made, or why they are not known. */
async function findCandidatesOfOrphan(
  { service, run }: Pick<Parts, "service" | "run">,
  { projectId, branchId, type = "read_write" }: CutOffCreate,
): Promise<readonly ApiEndpoint[] | string> {
  if (projectId === undefined || branchId === undefined)
    return "Its project or branch is secret, so this run cannot look for the compute. Check the project at the service for a compute that nobody needs.";
  const now = await service
    .listComputes({ projectId }, { ageMs: listServesMs, answerMs: previewReadMs })
    .catch(() => undefined);
  if (now === undefined || now.unreadable !== undefined)
    return "The computes of the project could not be listed. Check the project for a compute that nobody needs.";
  return findCandidates(run, { projectId, branchId, type }, now);
}
