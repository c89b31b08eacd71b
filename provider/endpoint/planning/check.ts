/**
 * Runs before anything is changed: validates a declaration, reports in a preview what the change interrupts, and
 * refuses what a policy forbids.
 */
import { argumentNames } from "../../fields";
import { adoptForReplacement } from "./adopt";
import { connectionFailures, unquoted } from "./checkFailures";
import { primaryInProgram, primaryThere, type PrimaryQuestion } from "./checkPrimary";
import { heldTwice } from "../ownership";
import { checkInputs, type CheckFailure } from "./inputs";
import type { PlannedInputs } from "./plannedInputs";
import { decideOn, withProviso, type Decision, type Deferral } from "./plan";
import type { Interruption, Verdict } from "./interruption";
import {
  asksService,
  isLeft,
  judge,
  type CheckRequest,
  type CheckServices,
  type Judged,
  type Plan,
} from "./judge";
import { isUnknown } from "./unknown";

export interface CheckResult {
  readonly inputs: Record<string, unknown>;
  readonly failures: readonly CheckFailure[];
  readonly interruption?: Interruption | undefined;
  /** What waits, for a window or until the compute is idle: the inputs keep its former values. */
  readonly deferred?: string | undefined;
  /** Set if the change, or the adoption, was judged. */
  readonly verdict?: Verdict | undefined;
  /** Additional warnings for the row of a new resource. */
  readonly warnings?: readonly string[];
}

export async function checkEndpoint(request: CheckRequest, given: CheckServices): Promise<CheckResult> {
  const { args, resource, stored } = request;
  const { config } = given;
  const { looks, isUnanswered } = watched(given.looks);
  const services = { ...given, looks };
  const { secrets } = resource;
  const creates = stored === undefined && args["adopt"] === undefined;
  const { allowUnlistedSizes } = config;
  const rules = { allowUnlistedSizes, creates, secrets, stored };
  const { inputs, failures } = checkInputs(args, rules);
  const wrong = [...failures, ...connectionFailures(config)];
  if (wrong.length > 0) return { inputs, failures: unquoted(wrong, secrets) };

  const plan: Plan = { ...request, inputs: inputs as PlannedInputs, services };
  const judged = await judge(plan);
  const { decision, refusal } = decided(plan, judged);
  const { deferral } = decision;
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
  const warnings = [...takenOver(plan, judged), ...(there.warning === undefined ? [] : [there.warning])];
  const ofChange = verdictOf(plan, judged, deferral);
  // A new compute has no verdict otherwise.
  const verdict = isUnanswered() ? { ...(ofChange ?? unaffected), unasked: true } : ofChange;
  const result = { failures: [], verdict, warnings };
  if (deferral !== undefined)
    return { ...result, inputs: { ...deferral.rest.inputs }, deferred: deferral.notice };
  return { ...result, inputs, interruption: withProviso(judged.change?.interruption, decision) };
}

const unaffected = { effect: "none", certain: true } as const;

/** The looks of one check, and whether one of them got no answer. */
function watched(looks: CheckServices["looks"]): {
  readonly looks: CheckServices["looks"];
  readonly isUnanswered: () => boolean;
} {
  let isUnanswered = false;
  return {
    looks: {
      ...looks,
      lookLive: async (...of) => {
        const looked = await looks.lookLive(...of);
        isUnanswered ||= looked.kind === "unanswered";
        return looked;
      },
      listLive: async (...of) => {
        const listed = await looks.listLive(...of);
        isUnanswered ||= listed === undefined;
        return listed;
      },
    },
    isUnanswered: () => isUnanswered,
  };
}

/** Adopting for a replacement may take over the very compute that is deleted next. */
function selfReplacement({ inputs, isReplacement, replacedId }: Plan): CheckFailure | undefined {
  if (!isReplacement || inputs.adopt === undefined) return undefined;
  if (replacedId !== undefined && replacedId !== inputs.adopt) return undefined;
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
  const { stored, found, inputs, resource, isPreview, isReplacement, deletesFirst } = plan;
  return {
    before: stored === undefined ? undefined : { ...stored, ...found },
    inputs,
    resource,
    creates: isLeft(plan) && !isReplacement && looked?.kind !== "found",
    live: looked?.kind === "found" ? looked.endpoint : undefined,
    isStateRead: found !== undefined,
    deletesFirst,
    looks: isPreview && asksService(plan),
  };
}

/** The message in the preview of a create that will take over an existing compute. */
function takenOver(plan: Plan, { looked }: Judged): readonly string[] {
  if (!plan.isPreview || !isLeft(plan) || looked?.kind !== "found") return [];
  return [
    `An earlier run created compute ${looked.endpoint.id} for this resource: it will be taken over, not created again.`,
  ];
}

interface Decided {
  readonly decision: Decision<PlannedInputs>;
  /** The decision's refusal, on the property that asks for it. */
  readonly refusal?: CheckFailure | undefined;
}

/** What the policy decides about an interruption. */
function decided(plan: Plan, { change }: Judged): Decided {
  const { stored, inputs, services, madePublic = [] } = plan;
  if (change === undefined) return { decision: {} };
  const decision = decideOn(change, {
    config: services.config,
    nowMs: services.now(),
    // An adoption or a forced replacement cannot wait, because there is no state to keep. The engine marks an output
    // secret only if the current inputs have a secret at the same path, so a kept old value would be shown in clear.
    cannotWait: stored === undefined && !isLeft(plan) ? argumentNames : madePublic,
  });
  const { refusal } = decision;
  if (refusal === undefined) return { decision };
  // The engine prints a named property with its value; an undeclared property has no value.
  const property = inputs.onInterruption === undefined ? "" : "onInterruption";
  return { decision, refusal: { property, reason: `${refusal.what}. ${refusal.fix}` } };
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
    also: left?.also,
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
