/**
 * A create that makes no compute: one to adopt, or one that an earlier run left behind, becomes this resource's.
 */
import { join } from "node:path";
import type { EndpointRef } from "../api/client";
import type { ApiEndpoint } from "../api/schemas";
import { ComputeError, isKind } from "../errors";
import { PartialFailure } from "./partialFailure";
import { isSealed, sealed, type JournalEntry } from "../writes/journal";
import { adoptForReplacement, adoptionProblem } from "./adopt";
import { findNow } from "./find";
import { heldElsewhere, heldTwice } from "./holders";
import type { EndpointInputs } from "./inputs";
import { unendedOperations } from "./pendingOperations";
import { findLeft } from "./recover";
import { patch } from "./patch";
import type { Resource } from "./resource";
import { settle } from "./settle";
import {
  fieldsOf,
  isPatched,
  toState,
  unsettledArguments,
  type Declaration,
  type EndpointState,
} from "./state";
import { callOptions, keepOnDisk, type Services, type Step } from "./step";

/** A compute that this resource is to be, instead of a new one: the one to adopt, or one left behind. */
export async function existing(step: Step, declaration: Declaration): Promise<ApiEndpoint | undefined> {
  const { inputs, resource, replaces } = declaration;
  if (inputs.adopt !== undefined) {
    if (replaces !== undefined) throw selfAdoption(inputs.adopt);
    refuseSecondHolder(step, { projectId: inputs.projectId, endpointId: inputs.adopt }, resource);
    return adoptable(step, inputs, inputs.adopt);
  }
  const left = await leftBehind(step, declaration);
  if (left === undefined) return undefined;
  await resource.row.say(
    "info",
    `An earlier run created compute ${left.id} for this resource: it is taken over, not created again.`,
  );
  return left;
}

/** Another resource's diff may have come since the check. */
function refuseSecondHolder({ services }: Step, ref: EndpointRef, resource: Resource): void {
  const other = services.holders.otherHolder(ref, resource);
  if (other !== undefined) throw heldTwice(ref.endpointId, resource, other);
}

/** The compute that an earlier run of this resource created and did not live to report. */
async function leftBehind(
  step: Step,
  { inputs, resource, replaces }: Declaration,
): Promise<ApiEndpoint | undefined> {
  const { services } = step;
  const owner = services.ownerOf(resource.id);
  const written = owner === undefined ? undefined : await services.journal.find(owner);
  if (written === undefined) return undefined;
  const entry = opened(written, inputs);
  // The engine replaces what it was told to without a diff: this may be the very compute that goes next.
  if (replaces !== undefined && replaces.endpointId === undefined && entry.endpointId !== undefined) {
    throw mayReplaceItself(entry.endpointId);
  }
  const found = await findLeft(step, entry).catch((error: unknown) => {
    // Another project that cannot be found is no hindrance: nothing of this program's is there any more.
    if (entry.projectId !== inputs.projectId && isKind(error, "notFound", "notFoundBetween"))
      return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  const ref = { projectId: entry.projectId, endpointId: found.id };
  if ((await heldElsewhere(services, ref, resource)) !== undefined) {
    await services.journal.clear(entry.owner);
    return undefined;
  }
  const same =
    entry.projectId === inputs.projectId && found.branch_id === inputs.branchId && entry.type === inputs.type;
  if (same) return found;
  throw new ComputeError({
    doing: `creating a compute on branch ${inputs.branchId}`,
    what: `an earlier run of this resource created ${entry.type} compute ${found.id} on ${isSealed(written.branchId) ? "another branch" : `branch ${found.branch_id}`} of project ${entry.projectId}, which is no longer in the state, and the program has changed since`,
    fix: `Put the old project, branch and type back for one \`pulumi up\`, which takes ${found.id} over; or, to leave it as it is, remove the note of it: ${noteOf(services, entry.owner)}`,
  });
}

/** The entry with the ids of the program where it has them as hashes. */
function opened(entry: JournalEntry, { projectId, branchId }: EndpointInputs): JournalEntry {
  return {
    ...entry,
    ...(entry.projectId === sealed(projectId) ? { projectId } : {}),
    ...(entry.branchId === sealed(branchId) ? { branchId } : {}),
  };
}

function noteOf(services: Services, owner: string): string {
  return join(services.config.journalFolder, `${owner}.json`);
}

function selfAdoption(endpointId: string): ComputeError {
  const doing = `replacing compute ${endpointId}`;
  return new ComputeError({
    doing,
    what: "it is the one that adopt names",
    fix: `Mind that ${adoptForReplacement}`,
  });
}

function mayReplaceItself(endpointId: string): ComputeError {
  return new ComputeError({
    doing: "replacing a compute",
    what: `compute ${endpointId}, which an earlier run created for this resource, may be the one to be replaced`,
    fix: "Run `pulumi up` once without --replace, which settles what the state holds, then replace it",
  });
}

/** The compute to adopt, if it is what the program says. */
async function adoptable(
  step: Step,
  inputs: EndpointInputs,
  endpointId: string,
): Promise<ApiEndpoint | undefined> {
  const ref = { projectId: inputs.projectId, endpointId };
  const endpoint = await findNow(step.services, ref, callOptions(step));
  const problem = adoptionProblem(inputs, endpoint);
  if (problem !== undefined) throw problem;
  return endpoint;
}

/** Makes an existing compute this resource's, and brings it to the declared settings. */
export function takeOver(
  step: Step,
  declaration: Declaration,
  endpoint: ApiEndpoint,
): Promise<EndpointState> {
  return noting(step, declaration, () => bringOver(step, declaration, endpoint));
}

async function bringOver(
  step: Step,
  declaration: Declaration,
  endpoint: ApiEndpoint,
): Promise<EndpointState> {
  const { inputs } = declaration;
  const { id } = endpoint;
  const ref = { projectId: inputs.projectId, endpointId: id };
  const target = { doing: `taking over compute ${id}`, kind: "change", ref } as const;
  step.services.pendingCreates.takeOver(id);
  step.services.holders.hold(ref, declaration.resource);
  // Before any wish of the program's: what the service answers, so that only real differences are sent.
  const bare = { projectId: inputs.projectId, branchId: endpoint.branch_id, type: inputs.type };
  const state = { ...toState(endpoint, { inputs: bare }), ...fieldsOf(endpoint, inputs) };
  const changed = unsettledArguments(state, inputs);
  const outcome = isPatched(changed)
    ? await patch(step, target, { changed, state, declaration })
    : // An adopted compute's past is its own; what this resource created has to have started well.
      { endpoint, operations: inputs.adopt === undefined ? undefined : await unendedOperations(step, ref) };
  return settle(step, target, { outcome, declaration, known: state });
}

/**
 * Once the state has an adopted compute, a note keeps it from whatever resource had it before. A failure that leaves
 * the compute out of the state leaves no note.
 */
async function noting(
  { services }: Step,
  { inputs, resource, givers }: Declaration,
  adopt: () => Promise<EndpointState>,
): Promise<EndpointState> {
  const note = async (): Promise<void> => {
    const { id } = resource;
    if (inputs.adopt === undefined || id === undefined) return;
    const ref = { projectId: inputs.projectId, endpointId: inputs.adopt };
    await keepOnDisk(resource, () => services.takeovers.note(ref, id, givers));
  };
  try {
    const result = await adopt();
    await note();
    return result;
  } catch (error) {
    if (error instanceof PartialFailure) await note();
    throw error;
  }
}
