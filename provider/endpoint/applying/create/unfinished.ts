/**
 * Creates that an earlier run did not finish: the journal or Pulumi's backend has them, and no state has their compute.
 *
 * An id that the service has answered is proof of whose compute it is. Without one, computes that the create may have
 * made are named, nothing is created, and the user decides.
 */
import type { EndpointRef } from "../../../api/client";
import type { ApiEndpoint } from "../../../api/schemas";
import { pollUntil } from "../../../clock";
import { ComputeError, RequestError } from "../../../pure/errors";
import { createShowsAfterMs } from "../../../pure/timing";
import type { Journal, JournalEntry } from "../../../writes/journal";
import { isSameId, isSealed } from "../../../writes/sealedIds";
import { differingIdentity } from "../../planning/adopt";
import { begunEarlier } from "../../planning/primaries";
import type { Unfinished } from "../../planning/checkPrimary";
import type { ComputePlace } from "../../planning/inputs";
import type { Resource } from "../../resource";
import type { Declaration } from "../../state";
import { countsAsDeletedLater, findListed, notListedYet, type Presence } from "../find";
import { callOptions, type Services, type Step } from "../step";
import { candidatesOf, hasOthersOpen, placeBegun, placeText, undecided, type LostCreate } from "./candidates";

/**
 * The compute that the service answered to an earlier run of this resource.
 *
 * @param written - what the journal has of it.
 * @throws ComputeError if the user has to decide.
 */
export async function answeredEarlier(
  step: Step,
  { inputs, resource, replaces }: Declaration,
  written: JournalEntry | undefined,
): Promise<ApiEndpoint | undefined> {
  const { services } = step;
  const entry = written && opened(written, inputs);
  if (entry?.endpointId === undefined) return undefined;
  const ref = { projectId: entry.projectId, endpointId: entry.endpointId };
  // The state has this compute: it is the one to be replaced.
  if (replaces?.endpointId === ref.endpointId || services.backend.holds(ref.endpointId)) return undefined;
  // A replacement that skips the diff: the compute in the entry may be the very one to be deleted next.
  if (replaces !== undefined && replaces.endpointId === undefined) throw mayReplaceItself(ref.endpointId);
  if ((await services.ownership.heldByAnother(ref, resource)) !== undefined) {
    await services.journal.clear(entry.owner);
    return undefined;
  }
  const seen = isSealed(ref.projectId) ? undefined : await listedEarlier(step, ref, entry);
  if (seen?.kind === "gone") return undefined;
  if (seen !== undefined && isAsDeclared(seen.endpoint, ref, inputs)) {
    const unsure = elsewhere(services, entry, resource);
    if (unsure !== undefined) throw unsure;
    const text = `An earlier run created compute ${ref.endpointId} for this resource: it is taken over, not created again.`;
    await resource.row.say("info", text);
    return seen.endpoint;
  }
  throw changedSince(ref, entry, services.journal);
}

/** @throws ComputeError if no list shows the compute, and lists may be late. */
async function listedEarlier(
  step: Step,
  ref: EndpointRef,
  entry: JournalEntry,
): Promise<Exclude<Presence, { kind: "notYet" }>> {
  const doing = `creating a compute on ${placeText(entry)}`;
  const createdAt = entry.createdAt ?? new Date(entry.intentAtMs).toISOString();
  const seen = await findListed(step.services, { ...ref, createdAt }, { doing, call: callOptions(step) });
  if (seen.kind !== "notYet") return seen;
  throw new ComputeError({
    doing,
    what: `an earlier run of this resource created one already, and ${notListedYet(ref, seen.ageMs)}`,
    fix: `Run the same command again in a moment: ${countsAsDeletedLater}`,
  });
}

/**
 * The create that an earlier run of this resource began, and of which nobody knows what it has made.
 *
 * @param entry - what the journal has of it, without an id.
 */
async function lostCreate(
  { backend, journal, ownerOf }: Services,
  entry: JournalEntry | undefined,
  { place, resource }: { readonly place: ComputePlace; readonly resource: Resource },
): Promise<LostCreate | undefined> {
  const at = place.type === "read_only" ? placeBegun(backend.begunAt(resource.urn), place) : undefined;
  if (at === undefined) return entry && withoutAnswer(journal, entry, "an earlier run");
  // Pulumi's backend has it: with the entry as well, the user would have to answer twice.
  if (entry !== undefined) await journal.clear(entry.owner);
  const owner = ownerOf(resource.id) ?? "";
  return { owner, ...at, baseline: [], what: begunEarlier, otherwise: clearsCreates };
}

const clearsCreates =
  "run `pulumi refresh --clear-pending-creates` once, which forgets that create: the next `pulumi up` then creates another one";

/** A create whose answer was lost in a run that went on, or in a process that was killed alone. */
export function withoutAnswer(
  journal: Pick<Journal, "fileOf">,
  entry: JournalEntry,
  by: "this run" | "an earlier run",
): LostCreate {
  const otherwise =
    entry.type === "read_write" && by === "this run"
      ? "use another branch: a branch has one primary"
      : createsAnother(journal, entry);
  return { ...entry, what: `the create of ${by} got no answer`, otherwise };
}

function createsAnother(journal: Pick<Journal, "fileOf">, { owner }: Pick<JournalEntry, "owner">): string {
  const note =
    owner === "" ? "run `pulumi up` again" : `delete ${journal.fileOf(owner)}, which notes that create`;
  return `${note}: the next \`pulumi up\` then creates another one`;
}

/**
 * @param written - what the journal has of it, without an id.
 * @throws ComputeError if there are computes that a lost create of an earlier run may have made.
 */
export async function refuseUndecided(
  { services, resource, deadline }: Omit<Step, "permit">,
  written: JournalEntry | undefined,
  inputs: ComputePlace,
): Promise<void> {
  const entry = written && opened(written, inputs);
  const lost = await lostCreate(services, entry, { place: inputs, resource });
  if (lost === undefined) return;
  if (isSealed(lost.projectId))
    throw new ComputeError({
      doing: "creating a compute",
      what: `an earlier run of this resource may have created a ${lost.type} compute in another project, whose id is a secret`,
      fix: `Put the old project back for one \`pulumi up\`; or, to leave what may be there, ${lost.otherwise}`,
    });
  const list = async (): Promise<readonly ApiEndpoint[]> =>
    candidatesOf(
      services,
      lost,
      await services.lists.now(lost.projectId, callOptions({ deadline, resource })),
    );
  // The service refuses a second primary, even if the list is late.
  const laterMs = lost.type === "read_write" ? [] : createShowsAfterMs;
  const candidates = await pollUntil(deadline, [0, ...laterMs], {
    poll: () => {
      resource.row.progress("looking for the compute that an earlier run may have created");
      return list();
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
  written: JournalEntry | undefined,
  { place, resource }: { readonly place: ComputePlace; readonly resource: Resource },
): Promise<Unfinished | undefined> {
  const entry = written && opened(written, place);
  const endpointId = entry?.endpointId;
  const lost = endpointId === undefined ? await lostCreate(services, entry, { place, resource }) : undefined;
  const projectId = lost?.projectId ?? entry?.projectId;
  if (projectId === undefined || isSealed(projectId)) return undefined;
  const now = await services.liveReads.listLive(projectId);
  if (now === undefined) return { kind: "unanswered" };
  if (lost !== undefined) {
    const candidates = await candidatesOf(services, lost, now).catch(() => []);
    if (candidates.length === 0) return undefined;
    return { kind: "undecided", error: undecided(lost, candidates, { inputs: place }) };
  }
  const ref = { projectId, endpointId: endpointId ?? "" };
  const endpoint = now.get(ref.endpointId);
  if (endpoint === undefined || services.backend.holds(endpoint.id)) return undefined;
  if (!isAsDeclared(endpoint, ref, place)) return undefined;
  if ((await services.ownership.heldByAnother(ref, resource)) !== undefined) return undefined;
  const error = entry && elsewhere(services, entry, resource);
  return error === undefined ? { kind: "answered", endpoint } : { kind: "reported", endpoint, error };
}

/**
 * In a destroy: names what unfinished creates of the stack have made, or may have made. Any of several deletions may be
 * the last one, so each of them checks.
 *
 * @param named - computes that an earlier deletion has already named.
 */
export async function nameUnfinished(
  services: Services,
  { stackId, formerStackId, row }: Resource,
  named: Set<string>,
): Promise<void> {
  const stacks = [stackId, formerStackId].map(services.ownerOf);
  const entries = await services.journal.all();
  for (const entry of entries.filter(({ stack }) => stack !== undefined && stacks.includes(stack))) {
    const ids = (await computesOf(services, entry)).filter((id) => !named.has(id));
    if (ids.length === 0) continue;
    for (const id of ids) named.add(id);
    const whose = entry.title === undefined ? "a resource" : `resource "${entry.title}"`;
    const text =
      entry.endpointId === undefined
        ? `A create of ${whose} got no answer, and ${ids.join(", ")} ${ids.length === 1 ? "is" : "are"} on its branch since: if a run of this stack made one of them, delete it at the service.`
        : `A run of this stack that did not end created ${ids.join(", ")} for ${whose}. If this destroy does not delete it and no other stack has it, delete it at the service, or run \`pulumi up\` of the same program, which takes it over, or names the line that does.`;
    await row.say("warning", text);
  }
}

/** In an adoption: names what else an earlier run created for this resource, or may have, since its entry goes now. */
export async function nameLeft({ services, resource }: Step, adopted: string): Promise<void> {
  const entry = await services.journal.find(services.ownerOf(resource.id));
  if (entry === undefined) return;
  const left = await computesOf(services, entry);
  if (left.length === 0) return;
  const text = `An earlier run ${entry.endpointId === undefined ? "may have created" : "created"} ${left.join(", ")} for this resource, which adopts ${adopted}. What no stack has and nobody needs, delete at the service.`;
  await resource.row.say("warning", text);
}

/** What a create has made, or may have made, and nobody holds; none if the service cannot list it. */
async function computesOf(services: Services, entry: JournalEntry): Promise<readonly string[]> {
  const { projectId, endpointId } = entry;
  try {
    const now = await services.lists.recent(entry);
    if (endpointId === undefined) return (await candidatesOf(services, entry, now)).map(({ id }) => id);
    const isFree = now.has(endpointId) && (await services.ownership.isFree({ projectId, endpointId }));
    return isFree ? [endpointId] : [];
  } catch {
    return [];
  }
}

/** The entry with the program's ids in place of hashes. */
function opened(entry: JournalEntry, { projectId, branchId }: ComputePlace): JournalEntry {
  const open = (id: string, declared: string): string => (isSameId(id, declared) ? declared : id);
  return { ...entry, projectId: open(entry.projectId, projectId), branchId: open(entry.branchId, branchId) };
}

/** A known id is not enough: a compute of another project, branch, type or region is not what is declared now. */
function isAsDeclared(endpoint: ApiEndpoint, { projectId }: EndpointRef, place: ComputePlace): boolean {
  return projectId === place.projectId && differingIdentity(place, endpoint) === undefined;
}

function changedSince({ endpointId }: EndpointRef, entry: JournalEntry, journal: Journal): ComputeError {
  return new ComputeError({
    doing: "creating a compute",
    what: `an earlier run of this resource created ${entry.type} compute ${endpointId} on ${placeText(entry)}, which the state does not have, and the program has changed since`,
    fix: `Put the old project, branch, type and region back for one \`pulumi up\`, which takes ${endpointId} over unless another stack may have it; or, to leave it as it is, delete ${journal.fileOf(entry.owner)}, which notes that create`,
  });
}

/**
 * The error for a compute that Pulumi was told of, and whose create is not pending: then the state had it, and what took
 * it out of there asks no provider. Only a provider process that dies with its answer on the way makes it a lost one.
 */
function elsewhere(services: Services, entry: JournalEntry, { urn }: Resource): ComputeError | undefined {
  const { isReported, endpointId = "" } = entry;
  if (isReported !== true || !services.backend.hasEnded(urn)) return undefined;
  return new ComputeError({
    doing: "creating a compute",
    what: `an earlier run created compute ${endpointId} for this resource and told Pulumi so: another stack may have it by now (\`pulumi state move\`)`,
    fix: `If none has, add the line adopt: "${endpointId}"; if one has, ${createsAnother(services.journal, entry)}`,
  });
}

function mayReplaceItself(endpointId: string): ComputeError {
  return new ComputeError({
    doing: "replacing a compute",
    what: `compute ${endpointId}, which an earlier run created for this resource, may be the one to be replaced`,
    fix: "Run `pulumi up` once without --replace, which settles what the state holds, then replace it",
  });
}
