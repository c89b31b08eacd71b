/**
 * Runs before anything is changed: validates a declaration. No diff follows an adoption or a forced replacement, so this
 * check also says what such a change interrupts, and refuses what a policy forbids.
 */
import { ComputeError, messageOf, withChoices } from "../model/errors";
import { managedNames } from "../model/changes";
import { checkInputs, type CheckFailure, type PlannedInputs } from "../model/inputs";
import { changeOf } from "../model/interruption";
import type { Announcement } from "../model/notice";
import type { PropertyValues } from "../model/stored";
import type { Replacement } from "../run/history";
import type { Resource } from "../run/resource";
import type { ProviderConfig } from "../settings/config";
import { adoptedTwice } from "./adoption";
import { judgeNew, type NewResource } from "./newResource";
import { findListedPrimary, primaryDeclaredTwice } from "./primary";
import type { PlanServices } from "./services";

/**
 * What the engine wants to have checked.
 *
 * @typeParam Inputs - the program's arguments; any value may be unknown. `checkInputs` turns them into `PlannedInputs`.
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

export interface CheckResult {
  readonly inputs: Record<string, unknown>;
  readonly failures: readonly CheckFailure[];
  /** The sentence of a change for `pulumi preview --diff`: for people, since the diff that follows judges. */
  readonly shown?: string | undefined;
  /** For a new resource: what an adoption or a replacement by force interrupts, since no diff follows. */
  readonly announcement?: Announcement;
  /** Additional warnings for the row of a new resource. */
  readonly warnings?: readonly string[];
}

export async function checkEndpoint(request: CheckRequest, services: PlanServices): Promise<CheckResult> {
  const { inputs: args, resource, stored } = request;
  const { config } = services;
  const creates = stored === undefined && args["adopt"] === undefined;
  const rules = { service: config.service, creates, secrets: resource.secrets, stored };
  const { inputs, failures } = checkInputs(args, rules);
  const wrong = [...failures.map(({ reason }) => reason), ...connectionProblems(config)];
  if (wrong.length > 0) return { inputs, failures: wrong.map(failureOf) };

  const planned = inputs as PlannedInputs;
  const declaredTwice = primaryDeclaredTwice({ inputs: planned, resource }, services);
  if (stored === undefined) {
    const declared = newResource({ ...request, inputs: planned }, config);
    return { inputs, ...(await checkNew(declared, declaredTwice, services)) };
  }
  if (declaredTwice !== undefined) return { inputs, failures: [failureOf(declaredTwice)] };
  const before = { ...stored, managed: managedNames(stored) };
  const telling = { secrets: resource.secrets, service: config.service };
  return { inputs, failures: [], shown: changeOf(before, planned, telling).interruption?.text };
}

function newResource(
  { inputs, resource, isPreview, replaces }: CheckRequest<PlannedInputs>,
  config: ProviderConfig,
): NewResource {
  return { inputs, resource, isPreview, replaces, asks: config.liveFacts };
}

/** A new resource, or the new side of a replacement: it may take a place that is taken, or a compute that is there. */
async function checkNew(
  declared: NewResource,
  declaredTwice: string | undefined,
  services: PlanServices,
): Promise<Omit<CheckResult, "inputs">> {
  const found = await judgeNew(declared, services);
  const listed = await findListedPrimary(declared, services);
  const { refusal } = found;
  const problem =
    (await adoptedTwice(declared, services)) ??
    found.problem ??
    declaredTwice ??
    listed.problem ??
    (refusal && `${refusal.what}. ${refusal.fix}`);
  if (problem !== undefined) return { failures: [failureOf(problem)] };
  const { notice, verdict } = found.announcement;
  const isUnanswered = [found, listed].some(({ read }) => read?.kind === "unanswered");
  return {
    failures: [],
    // A new compute has no verdict otherwise.
    announcement: { notice, verdict: isUnanswered ? { ...(verdict ?? unaffected), unasked: true } : verdict },
    warnings: [found.warning, listed.warning].filter((text) => text !== undefined),
  };
}

const unaffected = { effect: "none", certain: true } as const;

/**
 * For the preview of an adoption whose declaration a policy pack may have changed after its check.
 *
 * @throws ComputeError if the policy refuses it now.
 */
export async function refuseAdoption(
  request: CheckRequest<PlannedInputs>,
  services: PlanServices,
): Promise<void> {
  const { refusal } = await judgeNew(newResource(request, services.config), services);
  if (refusal !== undefined)
    throw new ComputeError({ doing: "adopting the compute that adopt names", ...refusal });
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
