/**
 * What a new resource does to an existing compute: to a compute that it adopts, that a forced replacement replaces, or that a
 * create without an answer may have made. No diff follows, so the change is judged here.
 */
import type { Problem } from "../model/errors";
import type { PlannedInputs } from "../model/inputs";
import { forcedReplacement } from "../model/interruption";
import type { Announcement } from "../model/notice";
import { decideOn } from "../model/policy";
import { isUnknown, type Planned } from "../model/unknown";
import type { Replacement } from "../run/history";
import type { Resource } from "../run/resource";
import { adoptionProblem } from "./adoption";
import { announcementOf } from "./announcement";
import { compareFound } from "./compare";
import type { Findings, PlanServices } from "./services";

/** A declaration whose resource has no compute yet: a new resource, or the new side of a replacement. */
export interface NewResource {
  readonly inputs: PlannedInputs;
  readonly resource: Resource;
  readonly isPreview: boolean;
  /** Set for the new side of a replacement. */
  readonly replaces?: Replacement | undefined;
}

/** What exists already, and what is said about it. */
export interface JudgedFindings extends Findings {
  readonly announcement: Announcement;
  /** Why a policy refuses the change. */
  readonly refusal?: Pick<Problem, "what" | "fix"> | undefined;
}

/** An adoption or a forced replacement cannot wait, because there is no old state to keep. */
export async function judgeNew(declared: NewResource, services: PlanServices): Promise<JudgedFindings> {
  const found = await findForNew(declared, services);
  const { change, read } = found;
  if (change === undefined) return { ...found, announcement: {} };
  const { config, now } = services;
  const isAdoption = true;
  const decision = decideOn(change, { config, nowMs: now(), isAdoption });
  const known = { change, read, isAdoption, secrets: declared.resource.secrets, service: config.service };
  return { ...found, announcement: announcementOf(known, decision), refusal: decision.refusal };
}

function findForNew(declared: NewResource, services: PlanServices): Promise<Findings> {
  const { inputs, replaces } = declared;
  if (replaces?.isForced === true) return findReplaced(declared, replaces, services);
  const { adopt } = inputs;
  return adopt === undefined ? findForReplica(declared, services) : findAdopted(declared, adopt, services);
}

async function findReplaced(
  { inputs }: NewResource,
  { endpointId }: Replacement,
  { config, liveReads }: PlanServices,
): Promise<Findings> {
  const change = { before: {}, inputs, changed: [], interruption: forcedReplacement };
  const { projectId } = inputs;
  if (endpointId === undefined || isUnknown(projectId) || !config.liveFacts) return { change };
  const read = await liveReads.readLive({ projectId, endpointId });
  return { change: { ...change, now: read.kind === "found" ? read.now : undefined }, read };
}

/** An adopted compute gets the declared values, which may restart it: this create can interrupt. */
async function findAdopted(
  { inputs, resource }: NewResource,
  endpointId: Planned<string>,
  { config, liveReads }: PlanServices,
): Promise<Findings> {
  const { projectId } = inputs;
  const telling = { secrets: resource.secrets, service: config.service };
  if (isUnknown(endpointId) || isUnknown(projectId) || !config.liveFacts)
    return { change: compareFound(inputs, undefined, telling) };
  const read = await liveReads.readLive({ projectId, endpointId });
  const live = read.kind === "found" ? read : undefined;
  const isAnswered = live !== undefined || read.kind === "missing";
  const problem = isAnswered ? adoptionProblem(inputs, live?.endpoint) : undefined;
  if (problem !== undefined) return { problem: problem.message };
  return { change: compareFound(inputs, live, telling), read };
}

/** Finds what an earlier run may have begun to create: this new replica, or another replica on its branch. */
async function findForReplica(declared: NewResource, services: PlanServices): Promise<Findings> {
  const { projectId, branchId, type } = declared.inputs;
  // In an update, the create itself looks for such a compute.
  if (type !== "read_only" || !declared.isPreview || !services.config.liveFacts) return {};
  if (isUnknown(projectId) || isUnknown(branchId)) return {};
  return services.previewReplica({ projectId, branchId, type });
}
