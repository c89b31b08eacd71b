/**
 * What a new resource does to an existing compute: to a compute that it adopts, that a forced replacement replaces, or that a
 * create without an answer may have made. No diff follows, so the change is judged here.
 */
import type { PlannedInputs } from "../model/inputs";
import { forcedReplacement } from "../model/interruption";
import { isUnknown, type Planned } from "../model/unknown";
import type { Replacement } from "../run/history";
import type { Resource } from "../run/resource";
import { adoptionProblem } from "./adoption";
import { judged, judgeFound, type Moment } from "./judge";
import type { Findings, PlanServices } from "./services";

/** A declaration whose resource has no compute yet: a new resource, or the new side of a replacement. */
export interface NewResource {
  readonly inputs: PlannedInputs;
  readonly resource: Resource;
  readonly isPreview: boolean;
  /** Set for the new side of a replacement. */
  readonly replaces?: Replacement | undefined;
}

/**
 * Judges what a new resource does to a compute that exists already.
 *
 * @returns undefined if the declaration only creates a compute, as far as that is known.
 */
export async function judgeNew(declared: NewResource, services: PlanServices): Promise<Findings> {
  const { inputs, replaces } = declared;
  if (replaces?.isForced === true) return judgeReplaced(declared, replaces, services);
  const { adopt } = inputs;
  return adopt === undefined ? findForReplica(declared, services) : judgeAdopted(declared, adopt, services);
}

function momentOf({ resource }: NewResource, { config, now }: PlanServices): Moment {
  return { secrets: resource.secrets, config, now };
}

async function judgeReplaced(
  declared: NewResource,
  { endpointId }: Replacement,
  services: PlanServices,
): Promise<Findings> {
  const { inputs } = declared;
  const { projectId } = inputs;
  const isAsked = endpointId !== undefined && !isUnknown(projectId) && services.config.liveFacts;
  const read = isAsked ? await services.liveReads.readLive({ projectId, endpointId }) : undefined;
  const now = read?.kind === "found" ? read.now : undefined;
  const change = { before: {}, inputs, changed: [], interruption: forcedReplacement, now };
  return { read, judgement: judged(change, read, momentOf(declared, services)) };
}

/** An adopted compute gets the declared values, which may restart it: this create can interrupt. */
async function judgeAdopted(
  declared: NewResource,
  endpointId: Planned<string>,
  services: PlanServices,
): Promise<Findings> {
  const { inputs } = declared;
  const { projectId } = inputs;
  const isAsked = !isUnknown(endpointId) && !isUnknown(projectId) && services.config.liveFacts;
  const read = isAsked ? await services.liveReads.readLive({ projectId, endpointId }) : undefined;
  const endpoint = read?.kind === "found" ? read.endpoint : undefined;
  const isAnswered = endpoint !== undefined || read?.kind === "missing";
  const problem = isAnswered ? adoptionProblem(inputs, endpoint) : undefined;
  if (problem !== undefined) return { problem: problem.message };
  return { read, judgement: judgeFound(inputs, read, momentOf(declared, services)) };
}

/** Finds what an earlier run may have begun to create: this new replica, or another replica on its branch. */
async function findForReplica(declared: NewResource, services: PlanServices): Promise<Findings> {
  const { projectId, branchId, type } = declared.inputs;
  // In an update, the create itself looks for such a compute.
  if (type !== "read_only" || !declared.isPreview || !services.config.liveFacts) return {};
  if (isUnknown(projectId) || isUnknown(branchId)) return {};
  return services.previewReplica({ projectId, branchId, type });
}
