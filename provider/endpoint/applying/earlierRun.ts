/**
 * Finds the compute that an earlier run of a resource created and could not report, and decides whether it is still that
 * resource's to take over.
 */
import { join } from "node:path";
import type { EndpointRef } from "../../api/client";
import type { ApiEndpoint } from "../../api/schemas";
import { ComputeError, isKind, isNotFound, RequestError } from "../../errors";
import { isSealed, sealed, type JournalEntry } from "../../writes/journal";
import { record, withEndpointId } from "./attempt";
import { differingIdentity } from "../planning/adopt";
import type { ComputePlace } from "../planning/inputs";
import { candidatesFor, findLeft } from "./recover";
import type { Resource } from "../resource";
import { computeTypeOf, type Declaration } from "../state";
import type { Services, Step } from "./step";

/** The compute that an earlier run of this resource created and could not report. */
export async function leftBehind(
  step: Step,
  { inputs, resource, replaces }: Declaration,
): Promise<ApiEndpoint | undefined> {
  const { services } = step;
  const written = await services.journal.find(services.ownerOf(resource.id));
  // An open create on the same branch keeps the entry of a compute that the state contains: this compute is the one
  // to be replaced.
  const isReplaced = replaces?.endpointId !== undefined && written?.endpointId === replaces.endpointId;
  if (written === undefined || isReplaced) return undefined;
  const entry = opened(written, inputs);
  // A replacement that skips the diff: the compute in the entry may be the very one to be deleted next.
  if (replaces !== undefined && replaces.endpointId === undefined && entry.endpointId !== undefined) {
    throw mayReplaceItself(entry.endpointId);
  }
  if (isSealed(entry.projectId)) throw inSecretProject(services, entry);
  const found = await findLeft(step, entry).catch((error: unknown) => {
    if (entry.projectId === inputs.projectId || !(error instanceof RequestError)) throw error;
    const { problem } = error;
    // If another project cannot be found, ignore it: it has no compute of this program any more. A gateway's 404 proves
    // that only of a compute that was reported to the engine.
    const isGone = isNotFound(error) || (entry.told !== undefined && isKind(error, "notFoundBetween"));
    if (isGone) return undefined;
    const fix = `${problem.fix}; or, to leave what an earlier run may have created there, remove the note of it: ${noteOf(services, entry.owner)}`;
    throw new ComputeError({ ...problem, fix, cause: error });
  });
  if (found === undefined) return undefined;
  const ref = { projectId: entry.projectId, endpointId: found.id };
  if (await isHeldElsewhere(services, ref, resource)) {
    services.ownership.release(ref, resource);
    await services.journal.clear(entry.owner);
    return undefined;
  }
  // Write the id down, so that no other create can claim this compute, whatever the next lists show.
  if (entry.endpointId === undefined) await record(step, withEndpointId(written, found.id));
  if (isAsDeclared(found, entry, inputs)) return found;
  services.ownership.release(ref, resource);
  throw new ComputeError({
    doing: `creating a compute on branch ${inputs.branchId}`,
    what: `an earlier run of this resource created ${computeTypeOf(found.type)} compute ${found.id} on ${isSealed(written.branchId) ? "another branch" : `branch ${found.branch_id}`} of project ${entry.projectId}, which is no longer in the state, and the program has changed since`,
    fix: `Put the old project, branch, type and region back for one \`pulumi up\`, which takes ${found.id} over; or, to leave it as it is, remove the note of it: ${noteOf(services, entry.owner)}`,
  });
}

/** Whether another resource now holds the compute that a create of this resource made. */
async function isHeldElsewhere(
  { ownership }: Services,
  ref: EndpointRef,
  resource: Resource,
): Promise<boolean> {
  const holding = await ownership.holderOf(ref, resource, {
    journal: "its own entry names the compute, or nobody else's did",
    state: "who has it there and is no longer in the program gives it up",
  });
  return holding !== undefined;
}

/** A known id is not enough to take a compute over: it must also match the declaration. */
function isAsDeclared(found: ApiEndpoint, { projectId }: JournalEntry, inputs: ComputePlace): boolean {
  return projectId === inputs.projectId && differingIdentity(inputs, found) === undefined;
}

/**
 * For a preview, which does not wait: the compute that a create will take over, if the current list proves it. If the
 * list does not show it yet, the create will find it.
 */
export async function lookLeft(
  services: Services,
  written: JournalEntry,
  { place, resource }: { readonly place: ComputePlace; readonly resource: Resource },
): Promise<ApiEndpoint | undefined> {
  const entry = opened(written, place);
  if (isSealed(entry.projectId)) return undefined;
  const now = await services.looks.listLive(entry.projectId);
  if (now === undefined) return undefined;
  const found =
    entry.endpointId === undefined
      ? (await candidatesFor(services, entry, now)).proven
      : now.get(entry.endpointId);
  if (found === undefined || !isAsDeclared(found, entry, place)) return undefined;
  const ref = { projectId: entry.projectId, endpointId: found.id };
  return (await isHeldElsewhere(services, ref, resource)) ? undefined : found;
}

/** The entry with the program's ids in place of hashes. */
function opened(entry: JournalEntry, { projectId, branchId }: ComputePlace): JournalEntry {
  return {
    ...entry,
    ...(entry.projectId === sealed(projectId) ? { projectId } : {}),
    ...(entry.branchId === sealed(branchId) ? { branchId } : {}),
  };
}

/** The journal has only a hash of the project, so that nobody can look there. */
function inSecretProject(services: Services, { owner, type }: JournalEntry): ComputeError {
  return new ComputeError({
    doing: "creating a compute",
    what: `an earlier run of this resource may have created a ${type} compute in another project, whose id is a secret`,
    fix: `Put the old project back for one \`pulumi up\`; or, to leave what may be there, remove the note of it: ${noteOf(services, owner)}`,
  });
}

function noteOf(services: Services, owner: string): string {
  return join(services.config.journalFolder, `${owner}.json`);
}

function mayReplaceItself(endpointId: string): ComputeError {
  return new ComputeError({
    doing: "replacing a compute",
    what: `compute ${endpointId}, which an earlier run created for this resource, may be the one to be replaced`,
    fix: "Run `pulumi up` once without --replace, which settles what the state holds, then replace it",
  });
}
