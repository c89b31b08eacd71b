/**
 * What the declaration of a new resource does to a compute that exists: the one that it adopts or replaces by force, or one
 * that a create without an answer may have made.
 */
import type { ProviderConfig } from "../settings/config";
import { adoptionProblem } from "./adoption";
import type { Arguments } from "../model/changes";
import type { Ownership } from "../run/ownership";
import type { ComputePlace, PlannedInputs } from "../model/inputs";
import type { LiveRead, LiveReads } from "./live";
import { changeOf, type PlannedChange, forcedReplacement } from "../model/interruption";
import type { Resource } from "../run/resource";
import type { KnownStack } from "../run/stackBackend";
import { changeOfFound, nowOf } from "./running";
import { ownOf } from "../model/state";
import type { PropertyValues } from "../model/stored";
import { isUnknown } from "../model/unknown";

export interface CheckServices {
  readonly config: ProviderConfig;
  readonly liveReads: Pick<LiveReads, "readLive" | "serviceNow">;
  readonly ownership: Pick<Ownership, "take" | "declarePrimary">;
  /** What creates that earlier runs began may have made where a new replica is to be. */
  readonly cutOff: (place: ComputePlace) => Promise<Findings>;
  /** What Pulumi's backend knows of the stack, asked with the first call; undefined if it could not be asked. */
  readonly backend: () => Promise<Pick<KnownStack, "cutOffFor" | "holderOf"> | undefined>;
  /** Resolves after so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  /** Wall time of this machine in milliseconds. */
  readonly now: () => number;
}

/**
 * What the engine wants to have checked.
 *
 * @typeParam Inputs - the program's arguments; any value may be unknown. Their own check makes them `PlannedInputs`.
 */
export interface CheckRequest<Inputs = PropertyValues> {
  /** The declaration in the state; undefined for a new compute, and for the new side of a replacement. */
  readonly stored: PropertyValues | undefined;
  readonly inputs: Inputs;
  readonly resource: Resource;
  readonly isPreview: boolean;
  /** Set if the declaration is the new side of a replacement. */
  readonly replaces?: Replacement | undefined;
}

/** A compute that gets a new one in its place. */
export interface Replacement {
  /** The replaced compute; undefined if neither a refresh nor a diff of this run has named it. */
  readonly endpointId?: string | undefined;
  /** Whether a command or an option of the user asks for it, and no changed argument. */
  readonly isForced: boolean;
}

/** A request whose inputs have passed their own check. */
export interface PlannedCheck extends CheckRequest<PlannedInputs> {
  /** Whether the service is asked what is there. */
  readonly asks: boolean;
}

/** What a declaration does to its compute, as far as it is known, and what is to be said of it. */
export interface Findings {
  /** Undefined for a new compute. */
  readonly change?: PlannedChange<PlannedInputs>;
  /** What the service answered about the compute; undefined if it was not asked. */
  readonly read?: LiveRead | undefined;
  /** Why it is refused. */
  readonly problem?: string | undefined;
  readonly warning?: string | undefined;
}

export function compareNew(plan: PlannedCheck, services: CheckServices): Promise<Findings> {
  if (plan.replaces?.isForced === true) return compareForced(plan, plan.replaces, services);
  return plan.inputs.adopt === undefined ? compareCutOff(plan, services) : compareAdopted(plan, services);
}

async function compareForced(
  plan: PlannedCheck,
  { endpointId }: Replacement,
  { liveReads }: CheckServices,
): Promise<Findings> {
  const { inputs } = plan;
  const change = { before: {}, inputs, changed: [], interruption: forcedReplacement };
  const { projectId } = inputs;
  if (endpointId === undefined || isUnknown(projectId) || !plan.asks) return { change };
  const read = await liveReads.readLive({ projectId, endpointId });
  const now = read.kind === "found" ? nowOf(read.endpoint, liveReads.serviceNow()) : undefined;
  return { change: { ...change, now }, read };
}

/** An adopted compute gets the declared settings, which may restart it: a create that interrupts. */
async function compareAdopted(plan: PlannedCheck, services: CheckServices): Promise<Findings> {
  const { inputs, resource } = plan;
  const { config, liveReads } = services;
  const { adopt: endpointId, projectId, branchId, type, regionId } = inputs;
  if (endpointId === undefined) return {};
  // If the service cannot be asked, any declared value may differ from the live compute.
  const place: Arguments = { ...ownOf(inputs), projectId, branchId, type, regionId, managed: [] };
  const told = { secrets: resource.secrets, service: config.service, isGuess: true };
  const guess = { change: changeOf(place, inputs, told) };
  if (isUnknown(endpointId) || isUnknown(projectId) || !plan.asks) return guess;
  const read = await liveReads.readLive({ projectId, endpointId });
  if (read.kind === "unsure" || read.kind === "unanswered") return { ...guess, read };
  const endpoint = read.kind === "found" ? read.endpoint : undefined;
  const problem = adoptionProblem(inputs, endpoint);
  if (problem !== undefined) return { problem: problem.message };
  if (endpoint === undefined) return { ...guess, read };
  return { change: changeOfFound(endpoint, inputs, { secrets: resource.secrets, services }), read };
}

/** A new replica: an earlier run may have begun to create it, or another one on its branch. */
async function compareCutOff(plan: PlannedCheck, services: CheckServices): Promise<Findings> {
  const { projectId, branchId, type } = plan.inputs;
  if (type !== "read_only" || !plan.asks) return {};
  if (isUnknown(projectId) || isUnknown(branchId)) return {};
  return services.cutOff({ projectId, branchId, type });
}

/** Whether the declaration of a new resource creates a compute. */
export function createsNew({ replaces, inputs }: PlannedCheck): boolean {
  return replaces?.isForced !== true && inputs.adopt === undefined;
}
