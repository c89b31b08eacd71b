/**
 * Runs before anything is changed: validates a declaration, and finds the words for what the change interrupts. It refuses
 * what a policy forbids only where no diff follows.
 */
import { argumentNames } from "../model/fields";
import { adoptForReplacement, heldInState } from "./adoption";
import type { ProviderConfig } from "../settings/config";
import { ComputeError, messageOf, oneLine } from "../model/errors";
import { asksService } from "./running";
import { listServesMs } from "../model/timing";
import { announcementOf } from "./announcement";
import type { Announcement } from "../model/notice";
import { afterItsMove, declaredTwice, heldTwice, secondPrimary, type BranchPlace } from "../run/ownership";
import { checkInputs, type CheckFailure, type PlannedInputs } from "../model/inputs";
import { decideOn, type Decision } from "../model/policy";
import {
  createsNew,
  compare,
  type CheckRequest,
  type CheckServices,
  type Findings,
  type PlannedCheck,
} from "./compare";
import type { ServiceName } from "../model/services";
import { isUnknown } from "../model/unknown";
import { isSameResource, titleIn } from "../run/resource";

export interface CheckResult extends Announcement {
  readonly inputs: Record<string, unknown>;
  readonly failures: readonly CheckFailure[];
  /** Additional warnings for the row of a new resource. */
  readonly warnings?: readonly string[];
}

export async function checkEndpoint(request: CheckRequest, services: CheckServices): Promise<CheckResult> {
  const { inputs: args, resource, stored } = request;
  const { config } = services;
  const { secrets } = resource;
  const creates = stored === undefined && args["adopt"] === undefined;
  const rules = { service: config.service, creates, secrets, stored };
  const { inputs, failures } = checkInputs(args, rules);
  const wrong = [...failures.map(({ reason }) => reason), ...connectionProblems(config)];
  if (wrong.length > 0) return { inputs, failures: wrong.map(failureOf) };

  const plan = { ...request, inputs: inputs as PlannedInputs };
  const compared = await compare(plan, services);
  const decision = decisionOn(plan, compared, services);
  // It is refused here only if no diff follows: an adoption, or a replacement by force.
  const refusal = stored === undefined ? decision.refusal : undefined;
  const listed = await listedPrimary(plan, services);
  const problem =
    selfReplacement(plan) ??
    (await secondHolder(plan, services)) ??
    compared.problem ??
    primaryInProgram(plan, services) ??
    listed.problem ??
    (refusal && `${refusal.what}. ${refusal.fix}`);
  if (problem !== undefined) return { inputs, failures: [failureOf(problem)] };
  const warnings = [compared.warning, listed.warning].filter((text) => text !== undefined);
  const { notice, verdict } = wordsOf(plan, compared, { decision, service: config.service });
  const isUnanswered = [compared, listed].some(({ read }) => read?.kind === "unanswered");
  return {
    inputs,
    failures: [],
    notice,
    // A new compute has no verdict otherwise.
    verdict: isUnanswered ? { ...(verdict ?? unaffected), unasked: true } : verdict,
    warnings,
  };
}

/**
 * For the preview of an adoption whose declaration a policy pack may have changed after its check.
 *
 * @throws ComputeError if the policy refuses it now.
 */
export async function refuseAdoption(plan: PlannedCheck, services: CheckServices): Promise<void> {
  const { refusal } = decisionOn(plan, await compare(plan, services), services);
  if (refusal !== undefined)
    throw new ComputeError({ doing: "adopting the compute of the line adopt", ...refusal });
}

/** What the check says of a change. A policy pack may change the inputs after it; the diff judges those. */
function wordsOf(
  { stored, resource }: PlannedCheck,
  { change, read }: Findings,
  { decision, service }: { readonly decision: Decision; readonly service: ServiceName },
): Announcement {
  if (change === undefined) return {};
  const { notice, verdict } = announcementOf({ change, read, secrets: resource.secrets, service }, decision);
  return { notice, verdict: stored !== undefined && change.changed.length === 0 ? undefined : verdict };
}

const unaffected = { effect: "none", certain: true } as const;

/** Adopting for a replacement may take over the very compute that is deleted next. */
function selfReplacement({ inputs, replaces }: PlannedCheck): string | undefined {
  if (replaces === undefined || inputs.adopt === undefined) return undefined;
  if (replaces.endpointId !== undefined && replaces.endpointId !== inputs.adopt) return undefined;
  return adoptForReplacement;
}

/** Two resources that adopt one compute, or a compute that a resource of the program or of the stack's state has. */
async function secondHolder(
  { stored, inputs, resource }: PlannedCheck,
  { ownership, backend }: CheckServices,
): Promise<string | undefined> {
  const { adopt: endpointId, projectId } = inputs;
  if (stored !== undefined || endpointId === undefined) return undefined;
  if (isUnknown(endpointId) || isUnknown(projectId)) return undefined;
  const urn = (await backend())?.holderOf(endpointId);
  if (urn !== undefined) {
    const doing = `adopting compute ${endpointId}`;
    const isOwn = isSameResource(urn, resource.urn ?? "");
    return isOwn ? adoptForReplacement : heldInState(urn, { doing }).message;
  }
  const other = ownership.take({ projectId, endpointId }, resource);
  return other && heldTwice(endpointId, resource, other).message;
}

/** A primary that another resource of the program declares as well. */
function primaryInProgram(
  { inputs, resource }: PlannedCheck,
  { ownership }: CheckServices,
): string | undefined {
  const branch = primaryPlace(inputs);
  const rival = ownership.declarePrimary(resource, branch);
  return branch && rival && declaredTwice(branch, resource, rival).message;
}

/** The branch whose primary a declaration is; undefined if it is none, or if that is not known yet. */
function primaryPlace({ projectId, branchId, type }: PlannedCheck["inputs"]): BranchPlace | undefined {
  if (type !== "read_write" || isUnknown(projectId) || isUnknown(branchId)) return undefined;
  return { projectId, branchId };
}

/**
 * In a preview: the primary that the service lists on the branch of a new one. If another resource of the stack has it,
 * that one may leave the branch in the same run, which only the update shows.
 */
async function listedPrimary(plan: PlannedCheck, services: CheckServices): Promise<Findings> {
  const { inputs, resource, isPreview, replaces } = plan;
  const { config, liveReads, backend, pause } = services;
  const branch = primaryPlace(inputs);
  // Of `--replace`, nothing may have named the compute that goes.
  const creates = createsNew(plan) && (replaces === undefined || replaces.endpointId !== undefined);
  if (branch === undefined || !creates || !isPreview || !asksService(plan, config)) return {};
  const listed = async (): Promise<Findings & { readonly id?: string | undefined }> => {
    const read = await liveReads.readLive({ ...branch, type: "read_write" });
    const id = read.kind === "found" ? read.endpoint.id : undefined;
    return { id: id === replaces?.endpointId ? undefined : id, read };
  };
  const first = await listed();
  if (first.id === undefined) return first;
  const stack = await backend();
  const urn = stack?.holderOf(first.id);
  // `--replace` and `pulumi state taint` look like a new resource: the option deleteBeforeReplace decides.
  if (urn !== undefined && isSameResource(urn, resource.urn ?? "")) return {};
  if (urn !== undefined) {
    const text = `Branch ${branch.branchId} has its one primary already, compute ${first.id} of resource "${titleIn(urn)}": this create is refused as long as it is there. ${afterItsMove}.`;
    return { warning: text };
  }
  // A list may still show a primary that was just deleted.
  await pause(listServesMs);
  const again = await listed();
  if (again.id === undefined) return again;
  const begun = stack?.begunFor(resource.urn) ?? [];
  const isBegun = begun.some((create) => isSameResource(create.urn, resource.urn ?? ""));
  return { problem: secondPrimary(branch, { primaryId: again.id, isBegun }).message };
}

/** An adoption or a forced replacement cannot wait, because there is no state to keep. */
function decisionOn(plan: PlannedCheck, { change }: Findings, { config, now }: CheckServices): Decision {
  if (change === undefined) return {};
  const cannotWait = plan.stored === undefined && !createsNew(plan) ? argumentNames : [];
  return decideOn(change, { config, nowMs: now(), cannotWait });
}

/**
 * What a check answers. No failure names its property: the engine would print it and its value before the reason, which has
 * both, as Go writes them (`value {<nil>}`) and on as many lines as the value has.
 */
function failureOf(problem: string): CheckFailure {
  return { property: "", reason: oneLine(problem) };
}

/** A preview without a key would promise an update that must fail. */
function connectionProblems(config: ProviderConfig): readonly string[] {
  try {
    config.connection();
    return [];
  } catch (error) {
    if (error instanceof ComputeError) return [messageOf(error)];
    throw error;
  }
}
