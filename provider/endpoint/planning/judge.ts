/**
 * What a declaration does to its compute: compared with the old declaration or with an existing compute, and with what the
 * service answers if it may be asked.
 */
import type { ProviderConfig } from "../../settings/config";
import type { ApiEndpoint } from "../../api/schemas";
import { adoptionProblem, asFound } from "./adopt";
import { managedNames, type Stored } from "./changes";
import type { PrimaryServices } from "./checkPrimary";
import type { Ownership } from "../ownership";
import type { CheckFailure, EndpointInputs } from "./inputs";
import type { PlannedInputs } from "./plannedInputs";
import type { LiveLook, LiveLooks } from "./live";
import { changeOf, mayHoldBack, mayInterrupt, type PlannedChange, type NoticeOptions } from "./plan";
import type { Resource } from "../resource";
import { asksLive, changeNow, nowOf } from "./running";
import type { EndpointState } from "../state";
import { forcedReplacement } from "./verdict";
import { isUnknown } from "./unknown";

type RawArguments = Readonly<Record<string, unknown>>;

export interface CheckServices extends PrimaryServices {
  readonly config: ProviderConfig;
  readonly looks: Pick<LiveLooks, "lookLive" | "listLive" | "serviceNow">;
  readonly ownership: Pick<Ownership, "take" | "holderOf" | "inState">;
  /** Wall time of this machine in milliseconds. */
  readonly now: () => number;
}

/** What the engine wants to have checked. */
export interface CheckRequest {
  /** The declaration in the state; undefined for a new compute, and for the new side of a replacement. */
  readonly stored: RawArguments | undefined;
  /** The program's arguments; any value may be unknown. */
  readonly args: RawArguments;
  readonly resource: Resource;
  readonly isPreview: boolean;
  /** Whether the declaration is the new side of a replacement. */
  readonly isReplacement: boolean;
  /** Its compute, if a diff has named it. */
  readonly replacedId?: string | undefined;
  /** Whether a replacement deletes the old compute first. */
  readonly deletesFirst?: boolean | undefined;
  /** The compute that a refresh of this run has found for the resource. */
  readonly found?: EndpointState | undefined;
  /** Set if a compute is replaced although no declaration asks for it, so that no diff reports it. */
  readonly forced?: Forced | undefined;
  /** Arguments that had secrets in the old declaration and have none in the new one. */
  readonly madePublic?: readonly string[];
}

/** A replacement forced by the user: by a command such as `--replace`, or by an option of the resource. */
export interface Forced {
  readonly by: "command" | "option";
  readonly endpointId: string;
}

export interface Plan extends CheckRequest {
  readonly inputs: PlannedInputs;
  readonly services: CheckServices;
}

/** What a change does, and how that is known. */
export interface Judged {
  /** Undefined for a new compute. */
  readonly change?: PlannedChange<PlannedInputs>;
  /** What the service answered about the compute; undefined if it was not asked. */
  readonly looked?: LiveLook | undefined;
  readonly problem?: CheckFailure;
}

export function judge(plan: Plan): Promise<Judged> {
  if (plan.stored !== undefined) return judgeChange(plan, plan.stored);
  if (plan.forced !== undefined) return judgeForced(plan, plan.forced);
  return plan.inputs.adopt === undefined ? judgeLeft(plan) : judgeAdoption(plan);
}

async function judgeForced(plan: Plan, { by, endpointId }: Forced): Promise<Judged> {
  const { inputs, services } = plan;
  const change = { before: {}, inputs, changed: [], interruption: forcedReplacement(by) };
  if (isUnknown(inputs.projectId) || !asksService(plan)) return { change };
  const looked = await services.looks.lookLive({ projectId: inputs.projectId, endpointId });
  const now = looked.kind === "found" ? nowOf(looked.endpoint, services.looks.serviceNow()) : undefined;
  return { change: { ...change, now }, looked };
}

/** The change from the old declaration to the new one, and from the live compute if it is known. */
async function judgeChange(plan: Plan, stored: RawArguments): Promise<Judged> {
  const { inputs, services, found } = plan;
  // Includes the names of declared Postgres settings: a setting that is left out now is a change.
  const before: Stored = { ...found, ...stored, managed: managedNames(stored) };
  const change = changeOf(before, inputs, noticeOptions(plan));
  if (!mayInterrupt(change) || !asksService(plan)) return { change };
  const { projectId, branchId, type } = stored as Pick<EndpointInputs, "projectId" | "branchId" | "type">;
  const compute = { projectId, endpointId: found?.endpointId, branchId, type };
  const looked = await services.looks.lookLive(compute);
  if (looked.kind !== "found") return { change, looked };
  const live = changeNow(change, looked.endpoint, {
    ...noticeOptions(plan),
    nowMs: services.looks.serviceNow(),
  });
  const { interruption, now } = live;
  return { change: { ...change, interruption, now }, looked };
}

/** An adopted compute gets the declared settings, which may restart it: a create that interrupts. */
async function judgeAdoption(plan: Plan): Promise<Judged> {
  const { inputs, services } = plan;
  const { adopt: endpointId, projectId, branchId, type, regionId, restartTriggers } = inputs;
  if (endpointId === undefined) return {};
  // If the service cannot be asked, any declared value may differ from the live compute.
  const place: Stored = { projectId, branchId, type, regionId, restartTriggers, managed: [] };
  const guess = { change: changeOf(place, inputs, { ...noticeOptions(plan), isGuess: true }) };
  if (isUnknown(endpointId) || isUnknown(projectId) || !asksService(plan)) return guess;
  const looked = await services.looks.lookLive({ projectId, endpointId });
  if (looked.kind === "unsure" || looked.kind === "unanswered") return { ...guess, looked };
  const endpoint = looked.kind === "found" ? looked.endpoint : undefined;
  const problem = adoptionProblem(inputs, endpoint);
  if (problem !== undefined) return { problem: { property: "adopt", reason: problem.message } };
  return endpoint === undefined ? { ...guess, looked } : judgeFound(plan, endpoint);
}

/** A compute that an earlier run created is changed to the declaration as by an update. */
async function judgeLeft(plan: Plan): Promise<Judged> {
  const { inputs, isReplacement, services } = plan;
  const { projectId, branchId, type, regionId } = inputs;
  if (isReplacement || !asksService(plan)) return {};
  if (isUnknown(projectId) || isUnknown(branchId) || isUnknown(type) || isUnknown(regionId)) return {};
  const unfinished = await services.unfinished({ projectId, branchId, type, regionId });
  if (unfinished === undefined) return {};
  return unfinished.kind === "answered"
    ? judgeFound(plan, unfinished.endpoint)
    : { problem: { property: "", reason: unfinished.error.message } };
}

/** The change from the live values of an existing compute to the declaration. */
function judgeFound(plan: Plan, endpoint: ApiEndpoint): Judged {
  const { inputs, services } = plan;
  const before = asFound(endpoint, inputs);
  const now = nowOf(endpoint, services.looks.serviceNow());
  return {
    change: changeOf(before, inputs, { ...noticeOptions(plan), now }),
    looked: { kind: "found", endpoint },
  };
}

/** Whether the declaration creates a compute, unless an earlier run has already created it. */
export function isLeft({ stored, forced, inputs }: Plan): boolean {
  return stored === undefined && forced === undefined && inputs.adopt === undefined;
}

export function asksService({ inputs, isPreview, services: { config } }: Plan): boolean {
  return asksLive(config) && (isPreview || mayHoldBack(inputs, config));
}

/** How a notice shows values. */
function noticeOptions({ resource }: Plan): NoticeOptions {
  return { secrets: resource.secrets };
}
