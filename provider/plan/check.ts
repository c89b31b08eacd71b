/**
 * Runs before anything is changed: validates a declaration. Of an adoption and a replacement by force, which no diff
 * follows, it also says what they interrupt, and refuses what a policy forbids.
 */
import { argumentNames } from "../model/fields";
import { adoptForReplacement, heldInState } from "./adoption";
import type { ProviderConfig } from "../settings/config";
import { ComputeError, messageOf, withChoices } from "../model/errors";
import { asksService } from "./running";
import { listServesMs } from "../model/timing";
import { managedNames } from "../model/changes";
import { changeOf } from "../model/interruption";
import { announcementOf } from "./announcement";
import type { Announcement } from "../model/notice";
import { besideItsPrimary, declaredTwice, heldTwice, secondPrimary } from "../run/ownership";
import { checkInputs, type CheckFailure, type ComputePlace, type PlannedInputs } from "../model/inputs";
import { decideOn, type Decision } from "../model/policy";
import {
  createsNew,
  compareNew,
  type CheckRequest,
  type CheckServices,
  type Findings,
  type PlannedCheck,
} from "./compare";
import { isUnknown } from "../model/unknown";
import { isSameResource, titleIn } from "../run/resource";

export interface CheckResult {
  readonly inputs: Record<string, unknown>;
  readonly failures: readonly CheckFailure[];
  /** The sentence of a change for `pulumi preview --diff`: for people, since the diff that follows judges. */
  readonly shown?: string | undefined;
  /** Of a new resource: what an adoption or a replacement by force interrupts, which no diff follows. */
  readonly announcement?: Announcement;
  /** Additional warnings for the row of a new resource. */
  readonly warnings?: readonly string[];
}

export async function checkEndpoint(request: CheckRequest, services: CheckServices): Promise<CheckResult> {
  const { inputs: args, resource, stored } = request;
  const { config } = services;
  const creates = stored === undefined && args["adopt"] === undefined;
  const rules = { service: config.service, creates, secrets: resource.secrets, stored };
  const { inputs, failures } = checkInputs(args, rules);
  const wrong = [...failures.map(({ reason }) => reason), ...connectionProblems(config)];
  if (wrong.length > 0) return { inputs, failures: wrong.map(failureOf) };

  const plan = plannedCheck(request, inputs as PlannedInputs, config);
  const rival = primaryInProgram(plan, services);
  if (stored === undefined) return { inputs, ...(await checkNew(plan, rival, services)) };
  if (rival !== undefined) return { inputs, failures: [failureOf(rival)] };
  const before = { ...stored, managed: managedNames(stored) };
  const told = { secrets: resource.secrets, service: config.service };
  return { inputs, failures: [], shown: changeOf(before, plan.inputs, told).interruption?.text };
}

function plannedCheck(request: CheckRequest, inputs: PlannedInputs, config: ProviderConfig): PlannedCheck {
  const { isPreview } = request;
  return { ...request, inputs, asks: asksService({ inputs, isPreview }, config) };
}

/** A new resource, or the new side of a replacement: it may take a place that is taken, or a compute that is there. */
async function checkNew(
  plan: PlannedCheck,
  rival: string | undefined,
  services: CheckServices,
): Promise<Omit<CheckResult, "inputs">> {
  const { config } = services;
  const found = await compareNew(plan, services);
  const decision = decisionOn(found, services);
  const { refusal } = decision;
  const listed = await listedPrimary(plan, services);
  const problem =
    selfReplacement(plan) ??
    (await secondHolder(plan, services)) ??
    found.problem ??
    rival ??
    listed.problem ??
    (refusal && `${refusal.what}. ${refusal.fix}`);
  if (problem !== undefined) return { failures: [failureOf(problem)] };
  const { change, read } = found;
  const { secrets } = plan.resource;
  const { notice, verdict }: Announcement =
    change === undefined ? {} : announcementOf({ change, read, secrets, service: config.service }, decision);
  const isUnanswered = [found, listed].some((findings) => findings.read?.kind === "unanswered");
  return {
    failures: [],
    // A new compute has no verdict otherwise.
    announcement: { notice, verdict: isUnanswered ? { ...(verdict ?? unaffected), unasked: true } : verdict },
    warnings: [found.warning, listed.warning].filter((text) => text !== undefined),
  };
}

/**
 * For the preview of an adoption whose declaration a policy pack may have changed after its check.
 *
 * @throws ComputeError if the policy refuses it now.
 */
export async function refuseAdoption(
  request: CheckRequest<PlannedInputs>,
  services: CheckServices,
): Promise<void> {
  const plan = plannedCheck(request, request.inputs, services.config);
  const { refusal } = decisionOn(await compareNew(plan, services), services);
  if (refusal !== undefined)
    throw new ComputeError({ doing: "adopting the compute that adopt names", ...refusal });
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
  { inputs, resource }: PlannedCheck,
  { ownership, backend }: CheckServices,
): Promise<string | undefined> {
  const { adopt: endpointId, projectId } = inputs;
  if (endpointId === undefined) return undefined;
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
function primaryPlace({ projectId, branchId, type }: PlannedCheck["inputs"]): ComputePlace | undefined {
  if (type !== "read_write" || isUnknown(projectId) || isUnknown(branchId)) return undefined;
  return { projectId, branchId, type };
}

/**
 * In a preview: the primary that the service lists on the branch of a new one. If another resource of the stack has it,
 * that one may leave the branch in the same run, which only the update shows.
 */
async function listedPrimary(plan: PlannedCheck, services: CheckServices): Promise<Findings> {
  const { inputs, resource, isPreview, replaces } = plan;
  const { liveReads, backend, pause } = services;
  const branch = primaryPlace(inputs);
  // Of `--replace`, nothing may have named the compute that goes.
  const creates = createsNew(plan) && (replaces === undefined || replaces.endpointId !== undefined);
  if (branch === undefined || !creates || !isPreview || !plan.asks) return {};
  const listed = async (): Promise<Findings & { readonly id?: string | undefined }> => {
    const read = await liveReads.readLive(branch);
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
    const whose = `"${titleIn(urn)}"`;
    const text = `Branch ${branch.branchId} already has a primary (${first.id} of resource ${whose}), and a branch can have only one: this create is refused as long as it is there.`;
    return { warning: [text, ...besideItsPrimary(whose).map((choice) => `- ${choice}`)].join("\n") };
  }
  // A list may still show a primary that was just deleted.
  await pause(listServesMs);
  const again = await listed();
  if (again.id === undefined) return again;
  const cutOff = stack?.cutOffFor(resource.urn) ?? [];
  const isCutOff = cutOff.some((create) => isSameResource(create.urn, resource.urn ?? ""));
  return { problem: secondPrimary(branch, { primaryId: again.id, isCutOff }).message };
}

/** An adoption or a forced replacement cannot wait, because there is no state to keep. */
function decisionOn({ change }: Findings, { config, now }: CheckServices): Decision {
  if (change === undefined) return {};
  return decideOn(change, { config, nowMs: now(), cannotWait: argumentNames });
}

/**
 * What a check answers. No failure names its property: the engine would print it and its value before the reason, which has
 * both, as Go writes them (`value {<nil>}`) and on as many lines as the value has.
 */
function failureOf(problem: string): CheckFailure {
  return { property: "", reason: withChoices(problem) };
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
