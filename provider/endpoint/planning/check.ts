/**
 * Runs before anything is changed: validates a declaration, reports in a preview what the change interrupts, and
 * refuses what a policy forbids.
 */
import { argumentNames } from "../../fields";
import { adoptForReplacement } from "./adopt";
import type { ProviderConfig } from "../../settings/config";
import { ComputeError, messageOf, oneLine } from "../../errors";
import { primaryInProgram, listedPrimary, type PrimaryQuestion } from "./checkPrimary";
import type { Judged } from "./diff";
import { heldTwice } from "../ownership";
import { checkInputs, type CheckFailure, type PlannedInputs } from "./inputs";
import { decideOn, noticeOf, type Decision, type Deferral } from "./plan";
import type { Verdict } from "./interruption";
import {
  asksService,
  createsNew,
  compare,
  type CheckRequest,
  type CheckServices,
  type Compared,
  type CheckContext,
} from "./compare";
import { isUnknown } from "./unknown";

export interface CheckResult extends Judged {
  /** The inputs keep the former values of what waits. */
  readonly inputs: Record<string, unknown>;
  readonly failures: readonly CheckFailure[];
  /** Additional warnings for the row of a new resource. */
  readonly warnings?: readonly string[];
}

export async function checkEndpoint(request: CheckRequest, services: CheckServices): Promise<CheckResult> {
  const { args, resource, stored } = request;
  const { config } = services;
  const { secrets } = resource;
  const creates = stored === undefined && args["adopt"] === undefined;
  const rules = { service: config.service, creates, secrets, stored };
  const { inputs, failures } = checkInputs(args, rules);
  const wrong = [...failures, ...connectionFailures(config)];
  if (wrong.length > 0) return { inputs, failures: unquoted(wrong, secrets) };

  const plan: CheckContext = { ...request, inputs: inputs as PlannedInputs, services };
  const compared = await compare(plan);
  const { decision, refusal } = decided(plan, compared);
  const { deferral } = decision;
  const question = primaryQuestion(plan, compared);
  const listed = await listedPrimary(question, services);
  const failure =
    selfReplacement(plan) ??
    secondHolder(plan) ??
    compared.problem ??
    primaryInProgram(question, services) ??
    listed.failure ??
    refusal;
  if (failure !== undefined) return { inputs, failures: unquoted([failure], secrets) };
  const warnings = [...takenOver(plan, compared), ...(listed.warning === undefined ? [] : [listed.warning])];
  const ofChange = verdictOf(plan, compared, deferral);
  const isUnanswered = compared.read?.kind === "unanswered" || listed.isUnanswered === true;
  // A new compute has no verdict otherwise.
  const verdict = isUnanswered ? { ...(ofChange ?? unaffected), unasked: true } : ofChange;
  return {
    inputs: deferral === undefined ? inputs : { ...deferral.rest.inputs },
    failures: [],
    notice: compared.change && noticeOf(compared.change, decision),
    verdict,
    warnings,
  };
}

const unaffected = { effect: "none", certain: true } as const;

/** Adopting for a replacement may take over the very compute that is deleted next. */
function selfReplacement({ inputs, replaces }: CheckContext): CheckFailure | undefined {
  if (replaces === undefined || inputs.adopt === undefined) return undefined;
  if (replaces.endpointId !== undefined && replaces.endpointId !== inputs.adopt) return undefined;
  return { property: "adopt", reason: adoptForReplacement };
}

/** Two resources that adopt one compute, or a compute that another resource already holds. */
function secondHolder({ stored, inputs, resource, services }: CheckContext): CheckFailure | undefined {
  const { adopt: endpointId, projectId } = inputs;
  if (stored !== undefined || endpointId === undefined) return undefined;
  if (isUnknown(endpointId) || isUnknown(projectId)) return undefined;
  const other = services.ownership.take({ projectId, endpointId }, resource);
  if (other === undefined) return undefined;
  return { property: "adopt", reason: heldTwice(endpointId, resource, other).message };
}

/** What a declaration means for the primaries of branches. */
function primaryQuestion(plan: CheckContext, { read }: Compared): PrimaryQuestion {
  const { stored, found, inputs, resource, isPreview, replaces, deletesFirst } = plan;
  return {
    before: stored === undefined ? undefined : { ...stored, ...found },
    inputs,
    resource,
    creates: createsNew(plan) && replaces === undefined && read?.kind !== "found",
    live: read?.kind === "found" ? read.endpoint : undefined,
    isStateRead: found !== undefined,
    deletesFirst,
    mayRead: isPreview && asksService(plan),
  };
}

/** The message in the preview of a create that will take over an existing compute. */
function takenOver(plan: CheckContext, { read }: Compared): readonly string[] {
  if (!plan.isPreview || !createsNew(plan) || read?.kind !== "found") return [];
  return [
    `An earlier run created compute ${read.endpoint.id} for this resource: it will be taken over, not created again.`,
  ];
}

/** What the policy decides about an interruption; a refusal is on the property that asks for it. */
function decided(
  plan: CheckContext,
  { change }: Compared,
): { readonly decision: Decision<PlannedInputs>; readonly refusal?: CheckFailure } {
  const { stored, inputs, services, madePublic = [] } = plan;
  if (change === undefined) return { decision: {} };
  const decision = decideOn(change, {
    config: services.config,
    nowMs: services.now(),
    // An adoption or a forced replacement cannot wait, because there is no state to keep. The engine marks an output
    // secret only if the current inputs have a secret at the same path, so a kept old value would be shown in clear.
    cannotWait: stored === undefined && !createsNew(plan) ? argumentNames : madePublic,
  });
  const { refusal } = decision;
  if (refusal === undefined) return { decision };
  // The engine prints a named property with its value; an undeclared property has no value.
  const property = inputs.onInterruption === undefined ? "" : "onInterruption";
  return { decision, refusal: { property, reason: `${refusal.what}. ${refusal.fix}` } };
}

function verdictOf(
  { inputs, stored, resource, services }: CheckContext,
  { change, read }: Compared,
  deferral: Deferral | undefined,
): Verdict | undefined {
  if (change === undefined || (stored !== undefined && change.changed.length === 0)) return undefined;
  const endpoint = read?.kind === "found" ? read.endpoint : undefined;
  const shown = (name: "projectId" | "branchId" | "type"): string | undefined => {
    const value = inputs[name];
    return resource.secrets.includes(name) || isUnknown(value) ? undefined : value;
  };
  const applied = deferral === undefined ? change.interruption : undefined;
  return {
    effect: applied?.effect ?? "none",
    service: services.config.service,
    // The service could not be asked what an adopted compute runs now.
    certain: applied?.certain ?? (inputs.adopt === undefined || endpoint !== undefined),
    also: applied?.also,
    deferred: deferral?.verdict,
    now: change.now?.running,
    lastAccess: change.now?.lastAccess,
    endpointId: endpoint?.id,
    projectId: shown("projectId"),
    branchId: shown("branchId"),
    type: shown("type"),
  };
}

/** The engine prints the value of the property that a failure names: a secret property is named only in the reason. */
export function unquoted(
  failures: readonly CheckFailure[],
  secrets: readonly string[],
): readonly CheckFailure[] {
  return failures.map(({ property, reason }) => ({
    property: secrets.includes(property.split(".")[0] ?? "") ? "" : property,
    reason: oneLine(reason),
  }));
}

/** A preview without a key would promise an update that must fail. */
export function connectionFailures(config: ProviderConfig): readonly CheckFailure[] {
  try {
    config.connection();
    return [];
  } catch (error) {
    if (error instanceof ComputeError) return [{ property: "", reason: messageOf(error) }];
    throw error;
  }
}
