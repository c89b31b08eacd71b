/**
 * Before anything is changed: a declaration is validated, a preview says what the change interrupts, and what a policy
 * forbids is refused.
 */
import type { ProviderConfig } from "../config";
import type { ApiEndpoint } from "../api/schemas";
import type { ArgumentName } from "../fields";
import { adoptionProblem, asFound } from "./adopt";
import { changedArguments, managedNames, type Stored } from "./changes";
import { deferralOf, untilOf, type Deferral } from "./deferral";
import { heldTwice, type Holders } from "./holders";
import { connectionFailures, unquoted } from "./checkFailures";
import { checkInputs, type CheckFailure, type EndpointInputs } from "./inputs";
import { describeUnheld, unheldReplicas } from "./leftovers";
import { describeNow, runningOf, type LiveLook, type LiveLooks } from "./live";
import { isForbidden, mustWait, policyOf, refusalText } from "./policy";
import type { Resource } from "./resource";
import { fieldsOf, type EndpointState } from "./state";
import {
  forcedReplacement,
  interruptionOf,
  unknownValue,
  type Circumstances,
  type Interruption,
  type Verdict,
} from "./verdict";

type Arguments = Readonly<Record<string, unknown>>;

/** Said by `check`, and by `create` where the engine replaces without having asked. */
export const adoptForReplacement =
  "a compute cannot replace itself: remove the line with adopt, so that the replacement creates a compute";

export interface CheckServices {
  readonly config: ProviderConfig;
  readonly looks: LiveLooks;
  readonly holders: Holders;
  /** The compute that an earlier run of this resource created and did not live to report, where that is certain. */
  readonly left: (inputs: EndpointInputs) => Promise<ApiEndpoint | undefined>;
  /** Wall time in milliseconds. */
  readonly now: () => number;
}

/** What the engine asks to be checked. */
export interface CheckRequest {
  /** The declaration in the state; undefined for a new compute, and for the new side of a replacement. */
  readonly stored: Arguments | undefined;
  /** The program's arguments; any value may be unknown. */
  readonly args: Arguments;
  readonly resource: Resource;
  readonly isPreview: boolean;
  /** Whether the declaration is the new side of a replacement. */
  readonly isReplacement: boolean;
  /** The compute of the resource as a refresh of this run has found it. */
  readonly found?: EndpointState | undefined;
  /** Where a compute is replaced though no declaration asks for it: no diff will tell. */
  readonly forced?: Forced | undefined;
  /** Arguments with secrets in the old declaration where the new one has none. */
  readonly madePublic?: readonly string[];
  /** Ids of the computes that the state has, as far as a refresh of this run has read them. */
  readonly idsInState?: () => ReadonlySet<string | undefined>;
}

/** A replacement that is the engine's wish: of a command such as `--replace`, or of an option of the resource. */
export interface Forced {
  readonly by: "command" | "option";
  readonly endpointId: string;
}

export interface CheckResult {
  readonly inputs: Record<string, unknown>;
  readonly failures: readonly CheckFailure[];
  readonly interruption?: Interruption | undefined;
  /**
   * The same without what may be otherwise a moment later, such as whether the compute is active: what a saved plan
   * may hold an update to.
   */
  readonly planned?: Interruption | undefined;
  /** What is left for a window: the inputs have it as it was before. */
  readonly deferral?: { readonly text: string; readonly planned: string } | undefined;
  /** Where the change, or the adoption, was judged. */
  readonly verdict?: Verdict | undefined;
  /** What the row of a new resource warns of besides. */
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

  const plan: Plan = { ...request, inputs: inputs as unknown as EndpointInputs, services };
  const judged = await judge(plan);
  const deferral = deferred(plan, judged);
  const found =
    selfReplacement(plan) ??
    secondHolder(plan) ??
    judged.problem ??
    (deferral === undefined ? forbidden(plan, judged) : undefined);
  if (found !== undefined) return { inputs, failures: unquoted([found], secrets) };
  const { interruption } = judged;
  const planned = interruption === undefined ? undefined : (judged.planned ?? interruption);
  const warnings = [...takenOver(plan, judged), ...(await unheldBeside(plan, judged))];
  const result = { failures: [], verdict: verdictOf(plan, judged, deferral), warnings };
  if (deferral === undefined) return { ...result, inputs, interruption, planned };
  const notice = (told: Interruption | undefined): string =>
    told === undefined ? deferral.notice : `${deferral.verdict.text}: ${told.text}`;
  return {
    ...result,
    inputs: { ...deferral.inputs },
    deferral: { text: deferral.notice, planned: notice(planned) },
  };
}

interface Plan extends CheckRequest {
  readonly inputs: EndpointInputs;
  readonly services: CheckServices;
}

/** Adopting for a replacement would take over the very compute that is deleted next. */
function selfReplacement({ inputs, isReplacement }: Plan): CheckFailure | undefined {
  if (!isReplacement || inputs.adopt === undefined) return undefined;
  return { property: "adopt", reason: adoptForReplacement };
}

/** Two resources that adopt one compute, or one that another resource has already. */
function secondHolder({ stored, inputs, resource, services }: Plan): CheckFailure | undefined {
  const { adopt: endpointId, projectId } = inputs;
  if (stored !== undefined || endpointId === undefined || isUnknown(endpointId, projectId)) return undefined;
  const other = services.holders.hold({ projectId, endpointId }, resource);
  if (other === undefined) return undefined;
  return { property: "adopt", reason: heldTwice(endpointId, resource, other).message };
}

/** What a change does, and how that is known. */
interface Judged {
  readonly isChange: boolean;
  /** What the new declaration is compared with, and what differs; absent for a new compute. */
  readonly from?: { readonly before: Stored; readonly changed: readonly ArgumentName[] };
  readonly interruption?: Interruption | undefined;
  /** The interruption without what may be otherwise a moment later; absent where that is the same. */
  readonly planned?: Interruption | undefined;
  /** What the service said of the compute; undefined where it was not asked. */
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
  const planned = forcedReplacement(by, "");
  if (isUnknown(inputs.projectId) || !asksService(plan))
    return { isChange: true, interruption: planned, planned };
  const looked = await services.looks.lookLive({ projectId: inputs.projectId, endpointId });
  const now = looked.kind === "found" ? describeNow(looked.endpoint, services.now()) : "";
  return { isChange: true, looked, interruption: forcedReplacement(by, now), planned };
}

/** From the old declaration to the new one, and to what the service runs where that is known. */
async function judgeChange(plan: Plan, stored: Arguments): Promise<Judged> {
  const { inputs, services } = plan;
  const told = toldOf(plan);
  // With the names of declared Postgres settings: one that is left out now is a change.
  const before: Stored = { ...plan.found, ...stored, managed: managedNames(stored) };
  const changed = changedArguments(before, inputs);
  const interruption = interruptionOf(before, inputs, { ...told, changed });
  const judged = { isChange: changed.length > 0, from: { before, changed }, interruption };
  // One that is declared as disabled may have been enabled behind our back: then it runs.
  const enabled = { ...before, disabled: undefined };
  const mayInterrupt = interruptionOf(enabled, inputs, { ...told, changed }) !== undefined;
  if (!mayInterrupt || !asksService(plan)) return judged;
  const { projectId, branchId, type } = stored as unknown as EndpointInputs;
  const endpointId = plan.found?.endpointId;
  const looked = await services.looks.lookLive({ projectId, endpointId, branchId, type });
  if (looked.kind !== "found") return { ...judged, looked };
  const live: Stored = { ...before, ...fieldsOf(looked.endpoint, inputs) };
  const now = describeNow(looked.endpoint, services.now());
  const differs = changedArguments(live, inputs);
  const interruptionNow = interruptionOf(live, inputs, { ...told, changed: differs, now });
  return { ...judged, looked, interruption: interruptionNow, planned: interruption };
}

/** An adopted compute is brought to the declared settings, which may restart it: a create that interrupts. */
async function judgeAdoption(plan: Plan): Promise<Judged> {
  const { inputs, services } = plan;
  const { adopt: endpointId, projectId } = inputs;
  if (endpointId === undefined) return { isChange: false };
  const isChange = true;
  const guess = { isChange, interruption: guessAtAdoption(plan) };
  if (isUnknown(endpointId, projectId) || !asksService(plan)) return guess;
  const looked = await services.looks.lookLive({ projectId, endpointId });
  if (looked.kind === "unsure") return { ...guess, looked };
  const problem = adoptionProblem(inputs, looked.kind === "found" ? looked.endpoint : undefined);
  if (problem !== undefined) return { isChange, problem: { property: "adopt", reason: problem.message } };
  if (looked.kind !== "found") return { isChange, looked };
  const { from: _, ...judged } = judgeFound(plan, looked.endpoint);
  return judged;
}

/** What an earlier run left behind is brought to the declaration as by an update. */
async function judgeLeft(plan: Plan): Promise<Judged> {
  const { inputs, isReplacement, services } = plan;
  const isKnown = !isReplacement && !isUnknown(inputs.projectId, inputs.branchId) && asksService(plan);
  const left = isKnown ? await services.left(inputs) : undefined;
  return left === undefined ? { isChange: false } : judgeFound(plan, left);
}

/** From what an existing compute runs to what is declared. */
function judgeFound(plan: Plan, endpoint: ApiEndpoint): Judged {
  const { inputs, services } = plan;
  const before = asFound(endpoint, inputs);
  const changed = changedArguments(before, inputs);
  const told = { ...toldOf(plan), changed };
  return {
    isChange: true,
    from: { before, changed },
    looked: { kind: "found", endpoint },
    interruption: interruptionOf(before, inputs, { ...told, now: describeNow(endpoint, services.now()) }),
    planned: interruptionOf(before, inputs, told),
  };
}

/** In the preview of a create that will make no compute. */
function takenOver({ stored, inputs, isPreview, forced }: Plan, { looked }: Judged): readonly string[] {
  const isLeft = stored === undefined && forced === undefined && inputs.adopt === undefined;
  if (!isPreview || !isLeft || looked?.kind !== "found") return [];
  return [
    `An earlier run created compute ${looked.endpoint.id} for this resource: it will be taken over, not created again.`,
  ];
}

/** How a notice tells of values. */
function toldOf({ resource, services }: Plan): Pick<Circumstances, "secrets" | "sizeTable"> {
  return { secrets: resource.secrets, sizeTable: services.config.sizeTable };
}

/** Where nobody can be asked what the compute runs: whatever is declared may differ from it. */
function guessAtAdoption(plan: Plan): Interruption | undefined {
  const { inputs } = plan;
  const { projectId, branchId, type, regionId, restartTriggers } = inputs;
  const before: Stored = { projectId, branchId, type, regionId, restartTriggers, managed: [] };
  const changed = changedArguments(before, inputs);
  return interruptionOf(before, inputs, { ...toldOf(plan), changed, isGuess: true });
}

/** In the preview of a new replica: others of its branch that a killed run may have left behind. */
async function unheldBeside(plan: Plan, { looked }: Judged): Promise<readonly string[]> {
  const { stored, inputs, isPreview, services, idsInState } = plan;
  const { projectId, branchId, type, adopt } = inputs;
  const isNewReplica = stored === undefined && adopt === undefined && type === "read_only";
  if (!isPreview || !isNewReplica || isUnknown(projectId, branchId) || !asksService(plan)) return [];
  const endpoints = await services.looks.listLive(projectId);
  if (endpoints === undefined) return [];
  const place = { projectId, branchId, nowMs: services.now() };
  const inState = idsInState?.();
  const unheld = unheldReplicas(endpoints, place, services.holders);
  return describeUnheld(
    unheld.filter(
      ({ id }) => inState?.has(id) !== true && !(looked?.kind === "found" && looked.endpoint.id === id),
    ),
    place.nowMs,
  );
}

/** Saved plans compare a preview with its update: what the service says now would differ between the two. */
function asksService({ inputs, isPreview, services: { config } }: Plan): boolean {
  return config.liveFacts && !config.updatePlans && (isPreview || policyOf(inputs, config) !== "warn");
}

/** What is left for a window. Of an adoption or a forced replacement nothing can be left: there is no state to keep. */
function deferred(plan: Plan, { from, interruption }: Judged): Deferral | undefined {
  const { inputs, services, madePublic = [] } = plan;
  if (from === undefined || interruption === undefined) return undefined;
  const deferral = deferralOf({ ...from, inputs, interruption }, services.config, services.now());
  // The engine knows a secret by its place in the present declaration: an old value would stand there in clear.
  return deferral?.names.some((name) => madePublic.includes(name)) === true ? undefined : deferral;
}

/** The failure that a policy makes of an interruption. */
function forbidden({ inputs, services }: Plan, judged: Judged): CheckFailure | undefined {
  const { config } = services;
  const { interruption, looked } = judged;
  const policy = policyOf(inputs, config);
  const now = looked?.kind === "found" ? runningOf(looked.endpoint) : undefined;
  const isClosed = mustWait(policy, config, services.now());
  if (interruption === undefined || !(isClosed || isForbidden(policy, now))) return undefined;
  // The engine quotes a named property with its value; one that is not declared has none.
  const property = inputs.onInterruption === undefined ? "" : "onInterruption";
  return {
    property,
    reason: refusalText(interruption, policy, isClosed ? untilOf(config, services.now()).text : undefined),
  };
}

function verdictOf(
  { inputs, resource, services }: Plan,
  { isChange, interruption, looked }: Judged,
  deferral: Deferral | undefined,
): Verdict | undefined {
  if (!isChange) return undefined;
  const found = looked?.kind === "found" ? looked.endpoint : undefined;
  const shown = (name: "projectId" | "branchId" | "type"): string | undefined =>
    resource.secrets.includes(name) || isUnknown(inputs[name]) ? undefined : inputs[name];
  const left = deferral === undefined ? interruption : undefined;
  return {
    effect: left?.effect ?? "none",
    // Nobody could be asked what an adopted compute runs now.
    certain: left?.certain ?? (inputs.adopt === undefined || found !== undefined),
    ordered: services.config.ordersRestarts,
    deferred: deferral?.verdict,
    now: found === undefined ? undefined : runningOf(found),
    endpointId: found?.id,
    projectId: shown("projectId"),
    branchId: shown("branchId"),
    type: shown("type"),
  };
}

function isUnknown(...values: readonly unknown[]): boolean {
  return values.includes(unknownValue);
}
