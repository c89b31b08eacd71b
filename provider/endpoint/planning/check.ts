/**
 * Runs before anything is changed: validates a declaration, reports in a preview what the change interrupts, and
 * refuses what a policy forbids.
 */
import type { ProviderConfig } from "../../settings/config";
import type { ApiEndpoint } from "../../api/schemas";
import { argumentNames } from "../../fields";
import { adoptForReplacement, adoptionProblem, asFound } from "./adopt";
import { managedNames, type Stored } from "./changes";
import { connectionFailures, unquoted } from "./checkFailures";
import { primaryInProgram, primaryThere, type PrimaryQuestion, type PrimaryServices } from "./checkPrimary";
import { heldTwice, type Ownership } from "../ownership";
import { checkInputs, type CheckFailure, type ComputePlace, type EndpointInputs } from "./inputs";
import type { PlannedInputs } from "./plannedInputs";
import { asksLive, changeNow, nowOf, type LiveLook, type LiveLooks } from "./live";
import {
  changeOf,
  decideOn,
  mayHoldBack,
  mayInterrupt,
  type PlannedChange,
  type Deferral,
  type NoticeOptions,
} from "./plan";
import type { Resource } from "../resource";
import type { EndpointState } from "../state";
import { describeUnheld, unheldReplicas } from "./unheld";
import { forcedReplacement, hasRecord, isUnknown, type Interruption, type Verdict } from "./verdict";

type RawArguments = Readonly<Record<string, unknown>>;

export interface CheckServices extends PrimaryServices {
  readonly config: ProviderConfig;
  readonly looks: Pick<LiveLooks, "lookLive" | "listLive" | "serviceNow">;
  /** Absent where it is not known that a preview asks: an update sends no request for it. */
  readonly trackRecord?: LiveLooks["trackRecord"] | undefined;
  readonly ownership: Pick<Ownership, "take" | "free" | "holderOf" | "inState">;
  /** The compute that an earlier run of this resource created and could not report, if that is certain. */
  readonly left: (place: ComputePlace) => Promise<ApiEndpoint | undefined>;
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

export interface CheckResult {
  readonly inputs: Record<string, unknown>;
  readonly failures: readonly CheckFailure[];
  readonly interruption?: Interruption | undefined;
  /**
   * The interruption without live facts (e.g. "idle now"), so that a saved plan stays valid; undefined if there are
   * none.
   */
  readonly planned?: Interruption | undefined;
  /** What is deferred to a window: the inputs keep its former values. */
  readonly deferral?: { readonly text: string; readonly planned: string } | undefined;
  /** Set if the change, or the adoption, was judged. */
  readonly verdict?: Verdict | undefined;
  /** Additional warnings for the row of a new resource. */
  readonly warnings?: readonly string[];
}

export async function checkEndpoint(request: CheckRequest, services: CheckServices): Promise<CheckResult> {
  const { args, resource, stored } = request;
  const { config } = services;
  const { secrets } = resource;
  const creates = stored === undefined && args["adopt"] === undefined;
  const { allowUnlistedSizes, sizeTable } = config;
  const rules = { sizeTable, allowUnlistedSizes, creates, secrets, stored };
  const { inputs, failures } = checkInputs(args, rules);
  const wrong = [...failures, ...connectionFailures(config)];
  if (wrong.length > 0) return { inputs, failures: unquoted(wrong, secrets) };

  const plan: Plan = { ...request, inputs: inputs as PlannedInputs, services };
  const judged = await judge(plan);
  const { deferral, refusal } = decided(plan, judged);
  const question = primaryQuestion(plan, judged);
  const there = await primaryThere(question, services);
  const found =
    selfReplacement(plan) ??
    secondHolder(plan) ??
    judged.problem ??
    primaryInProgram(question, services) ??
    there.failure ??
    refusal;
  if (found !== undefined) return { inputs, failures: unquoted([found], secrets) };
  const interruption = judged.change?.interruption;
  const planned = interruption === undefined ? undefined : (judged.planned ?? interruption);
  const warnings = [
    ...takenOver(plan, judged),
    ...(await unheldBeside(plan, judged)),
    ...(there.warning === undefined ? [] : [there.warning]),
  ];
  const verdict = await withRecord(plan, verdictOf(plan, judged, deferral));
  const result = { failures: [], verdict, warnings };
  if (deferral === undefined) return { ...result, inputs, interruption, planned };
  return {
    ...result,
    inputs: { ...deferral.rest.inputs },
    deferral: {
      text: deferral.notice,
      planned: planned === undefined ? deferral.notice : `${deferral.verdict.text}: ${planned.text}`,
    },
  };
}

interface Plan extends CheckRequest {
  readonly inputs: PlannedInputs;
  readonly services: CheckServices;
}

/** Adopting for a replacement would take over the very compute that is deleted next. */
function selfReplacement({ inputs, isReplacement }: Plan): CheckFailure | undefined {
  if (!isReplacement || inputs.adopt === undefined) return undefined;
  return { property: "adopt", reason: adoptForReplacement };
}

/** Two resources that adopt one compute, or a compute that another resource already holds. */
function secondHolder({ stored, inputs, resource, services }: Plan): CheckFailure | undefined {
  const { adopt: endpointId, projectId } = inputs;
  if (stored !== undefined || endpointId === undefined) return undefined;
  if (isUnknown(endpointId) || isUnknown(projectId)) return undefined;
  const other = services.ownership.take({ projectId, endpointId }, resource);
  if (other === undefined) return undefined;
  return { property: "adopt", reason: heldTwice(endpointId, resource, other).message };
}

/** What a declaration means for the primaries of branches. */
function primaryQuestion(plan: Plan, { looked }: Judged): PrimaryQuestion {
  const { stored, found, inputs, resource, isPreview, isReplacement } = plan;
  return {
    before: stored === undefined ? undefined : { ...stored, ...found },
    inputs,
    resource,
    creates: isLeft(plan) && !isReplacement && looked?.kind !== "found",
    live: looked?.kind === "found" ? looked.endpoint : undefined,
    isStateRead: found !== undefined,
    looks: isPreview && asksService(plan),
  };
}

/** What a change does, and how that is known. */
interface Judged {
  /** Undefined for a new compute. */
  readonly change?: PlannedChange<PlannedInputs>;
  /** The interruption without live facts, so that a saved plan stays valid; undefined if there are none. */
  readonly planned?: Interruption | undefined;
  /** What the service answered about the compute; undefined if it was not asked. */
  readonly looked?: LiveLook | undefined;
  readonly problem?: CheckFailure;
}

function judge(plan: Plan): Promise<Judged> {
  if (plan.stored !== undefined) return judgeChange(plan, plan.stored);
  if (plan.forced !== undefined) return judgeForced(plan, plan.forced);
  return plan.inputs.adopt === undefined ? judgeLeft(plan) : judgeAdoption(plan);
}

async function judgeForced(plan: Plan, { by, endpointId }: Forced): Promise<Judged> {
  const { inputs, services } = plan;
  const planned = forcedReplacement(by);
  const change = { before: {}, inputs, changed: [], interruption: planned };
  if (isUnknown(inputs.projectId) || !asksService(plan)) return { change, planned };
  const looked = await services.looks.lookLive({ projectId: inputs.projectId, endpointId });
  const now = looked.kind === "found" ? nowOf(looked.endpoint, services.looks.serviceNow()) : undefined;
  return { change: { ...change, interruption: forcedReplacement(by, now), now }, looked, planned };
}

/** The change from the old declaration to the new one, and from the live compute if it is known. */
async function judgeChange(plan: Plan, stored: RawArguments): Promise<Judged> {
  const { inputs, services, found } = plan;
  // Includes the names of declared Postgres settings: a setting that is left out now is a change.
  const before: Stored = { ...found, ...stored, managed: managedNames(stored) };
  const change = changeOf(before, inputs, tellingOf(plan));
  if (!mayInterrupt(change) || !asksService(plan)) return { change };
  const { projectId, branchId, type } = stored as Pick<EndpointInputs, "projectId" | "branchId" | "type">;
  // Begins beside the list, so that a preview waits for both at once.
  if (hasRecord(change.interruption?.effect)) services.trackRecord?.({ projectId }).catch(() => undefined);
  const looked = await services.looks.lookLive({ projectId, endpointId: found?.endpointId, branchId, type });
  if (looked.kind !== "found") return { change, looked };
  const live = changeNow(change, looked.endpoint, { ...tellingOf(plan), nowMs: services.looks.serviceNow() });
  const { interruption, now } = live;
  return { change: { ...change, interruption, now }, looked, planned: change.interruption };
}

/** An adopted compute gets the declared settings, which may restart it: a create that interrupts. */
async function judgeAdoption(plan: Plan): Promise<Judged> {
  const { inputs, services } = plan;
  const { adopt: endpointId, projectId, branchId, type, regionId, restartTriggers } = inputs;
  if (endpointId === undefined) return {};
  // If the service cannot be asked, any declared value may differ from the live compute.
  const place: Stored = { projectId, branchId, type, regionId, restartTriggers, managed: [] };
  const guess = { change: changeOf(place, inputs, { ...tellingOf(plan), isGuess: true }) };
  if (isUnknown(endpointId) || isUnknown(projectId) || !asksService(plan)) return guess;
  const looked = await services.looks.lookLive({ projectId, endpointId });
  if (looked.kind === "unsure") return { ...guess, looked };
  const endpoint = looked.kind === "found" ? looked.endpoint : undefined;
  const problem = adoptionProblem(inputs, endpoint);
  if (problem !== undefined) return { problem: { property: "adopt", reason: problem.message } };
  return endpoint === undefined ? { ...guess, looked } : judgeFound(plan, endpoint);
}

/** A compute that an earlier run created is changed to the declaration as by an update. */
async function judgeLeft(plan: Plan): Promise<Judged> {
  const { inputs, isReplacement, services } = plan;
  const { projectId, branchId, type } = inputs;
  if (isReplacement || !asksService(plan)) return {};
  if (isUnknown(projectId) || isUnknown(branchId) || isUnknown(type)) return {};
  const left = await services.left({ projectId, branchId, type });
  return left === undefined ? {} : judgeFound(plan, left);
}

/** The change from the live values of an existing compute to the declaration. */
function judgeFound(plan: Plan, endpoint: ApiEndpoint): Judged {
  const { inputs, services } = plan;
  const before = asFound(endpoint, inputs);
  const now = nowOf(endpoint, services.looks.serviceNow());
  return {
    change: changeOf(before, inputs, { ...tellingOf(plan), now }),
    looked: { kind: "found", endpoint },
    planned: changeOf(before, inputs, tellingOf(plan)).interruption,
  };
}

/** Whether the declaration creates a compute, unless an earlier run has already created it. */
function isLeft({ stored, forced, inputs }: Plan): boolean {
  return stored === undefined && forced === undefined && inputs.adopt === undefined;
}

/** The message in the preview of a create that will take over an existing compute. */
function takenOver(plan: Plan, { looked }: Judged): readonly string[] {
  if (!plan.isPreview || !isLeft(plan) || looked?.kind !== "found") return [];
  return [
    `An earlier run created compute ${looked.endpoint.id} for this resource: it will be taken over, not created again.`,
  ];
}

/** How a notice shows values. */
function tellingOf({ resource, services }: Plan): NoticeOptions {
  return { secrets: resource.secrets, sizeTable: services.config.sizeTable };
}

/** In the preview of a new replica: other replicas of its branch that a killed run may have created. */
async function unheldBeside(plan: Plan, { looked }: Judged): Promise<readonly string[]> {
  const { stored, inputs, isPreview, services } = plan;
  const { projectId, branchId, type, adopt } = inputs;
  const isNewReplica = stored === undefined && adopt === undefined && type === "read_only";
  if (!isPreview || !isNewReplica || !asksService(plan)) return [];
  if (isUnknown(projectId) || isUnknown(branchId)) return [];
  const endpoints = await services.looks.listLive(projectId);
  if (endpoints === undefined) return [];
  const place = { projectId, branchId, nowMs: services.looks.serviceNow() };
  const unheld = await unheldReplicas(endpoints, place, services.ownership);
  const left = looked?.kind === "found" ? looked.endpoint.id : undefined;
  return describeUnheld(
    unheld.filter(({ id }) => id !== left),
    place.nowMs,
  );
}

function asksService({ inputs, isPreview, services: { config } }: Plan): boolean {
  return asksLive(config) && (isPreview || mayHoldBack(inputs, config));
}

interface Decided {
  readonly deferral?: Deferral<PlannedInputs> | undefined;
  readonly refusal?: CheckFailure | undefined;
}

/** What the policy decides about an interruption. */
function decided(plan: Plan, { change }: Judged): Decided {
  const { stored, inputs, services, madePublic = [] } = plan;
  if (change === undefined) return {};
  const { deferral, refusal } = decideOn(change, {
    config: services.config,
    nowMs: services.now(),
    // An adoption or a forced replacement cannot wait, because there is no state to keep. The engine marks an output
    // secret only if the current inputs have a secret at the same path, so a kept old value would be shown in clear.
    cannotWait: stored === undefined && !isLeft(plan) ? argumentNames : madePublic,
  });
  if (refusal === undefined) return { deferral };
  // The engine prints a named property with its value; an undeclared property has no value.
  const property = inputs.onInterruption === undefined ? "" : "onInterruption";
  return { refusal: { property, reason: `${refusal.what}. ${refusal.fix}` } };
}

/** What earlier changes did stands beside the effect, and does not change it. */
async function withRecord(plan: Plan, verdict: Verdict | undefined): Promise<Verdict | undefined> {
  const { inputs, services } = plan;
  const effect = verdict?.deferred?.effect ?? verdict?.effect;
  if (services.trackRecord === undefined || !asksService(plan) || !hasRecord(effect)) return verdict;
  const { projectId } = plan.stored ?? inputs;
  if (verdict === undefined || typeof projectId !== "string" || isUnknown(projectId)) return verdict;
  const asked = services.trackRecord({ projectId, endpointId: verdict.endpointId });
  const record = await asked.catch(() => undefined);
  return { ...verdict, record };
}

function verdictOf(
  { inputs, stored, resource, services }: Plan,
  { change, looked }: Judged,
  deferral: Deferral | undefined,
): Verdict | undefined {
  if (change === undefined || (stored !== undefined && change.changed.length === 0)) return undefined;
  const found = looked?.kind === "found" ? looked.endpoint : undefined;
  const shown = (name: "projectId" | "branchId" | "type"): string | undefined => {
    const value = inputs[name];
    return resource.secrets.includes(name) || isUnknown(value) ? undefined : value;
  };
  const left = deferral === undefined ? change.interruption : undefined;
  return {
    effect: left?.effect ?? "none",
    // The service could not be asked what an adopted compute runs now.
    certain: left?.certain ?? (inputs.adopt === undefined || found !== undefined),
    ordered: services.config.ordersRestarts,
    deferred: deferral?.verdict,
    now: change.now?.running,
    lastAccess: change.now?.lastAccess,
    endpointId: found?.id,
    projectId: shown("projectId"),
    branchId: shown("branchId"),
    type: shown("type"),
  };
}
