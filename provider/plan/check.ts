/**
 * Validates a declaration before anything is changed. No diff follows for an adoption or a forced replacement, so this check
 * also says what those two interrupt, and refuses what a policy forbids.
 */
import { ComputeError, messageOf, withChoices } from "../model/errors";
import { managedNames, settingNames } from "../model/changes";
import { checkInputs, type CheckFailure, type PlannedInputs } from "../model/inputs";
import { changeOf } from "../model/interruption";
import type { Verdict } from "../model/notice";
import type { PropertyValues } from "../model/stored";
import type { Replacement } from "../run/history";
import type { Resource } from "../run/resource";
import type { ProviderConfig } from "../settings/config";
import { adoptedTwice } from "./adoption";
import type { Judgement } from "./judge";
import { judgeNew, type NewResource } from "./newResource";
import { findListedPrimary, primaryDeclaredTwice } from "./primary";
import { verdictOn } from "./said";
import type { PlanServices } from "./services";

/** What the engine asks to check. */
export interface CheckRequest {
  /** The declaration in the state; undefined for a new compute, and for the new side of a replacement. */
  readonly stored: PropertyValues | undefined;
  /** The program's arguments; any value may be unknown. */
  readonly inputs: PropertyValues;
  readonly resource: Resource;
  readonly isPreview: boolean;
  /** Set if the declaration is the new side of a replacement. */
  readonly replaces?: Replacement | undefined;
}

export interface CheckResult {
  readonly inputs: Record<string, unknown>;
  readonly failures: readonly CheckFailure[];
  /** The sentence about a change for `pulumi preview --diff`. It is for people: the diff that follows judges the change. */
  readonly shown?: string | undefined;
  /** What an adoption or a forced replacement interrupts: no diff follows for a new resource. */
  readonly judgement?: Judgement | undefined;
  readonly verdict?: Verdict | undefined;
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
    return { inputs, ...(await checkNew({ ...request, inputs: planned }, declaredTwice, services)) };
  }
  if (declaredTwice !== undefined) return { inputs, failures: [failureOf(declaredTwice)] };
  const before = { ...stored, managed: [...managedNames(stored), ...settingNames(stored)] };
  // A compute that the program has disabled is not interrupted, unless nobody asks the service whether it still is.
  const now = config.liveFacts && stored["disabled"] === true ? disabledNow : undefined;
  const telling = { secrets: resource.secrets, service: config.service, now };
  return { inputs, failures: [], shown: changeOf(before, planned, telling).interruption?.text };
}

const disabledNow = { running: "disabled" } as const;

/** Checks a new resource, or the new side of a replacement: its place may be taken, or its compute may already exist. */
async function checkNew(
  declared: NewResource,
  declaredTwice: string | undefined,
  services: PlanServices,
): Promise<Omit<CheckResult, "inputs">> {
  const found = await judgeNew(declared, services);
  const listed = await findListedPrimary(declared, services);
  const { judgement } = found;
  const refusal = judgement?.refusal;
  const problem =
    (await adoptedTwice(declared, services)) ??
    found.problem ??
    declaredTwice ??
    listed.problem ??
    (refusal && `${refusal.what}. ${refusal.fix}`);
  if (problem !== undefined) return { failures: [failureOf(problem)] };
  const verdict =
    judgement && verdictOn(judgement, { secrets: declared.resource.secrets, config: services.config });
  const isUnanswered = [found, listed].some(({ read }) => read?.kind === "unanswered");
  return {
    failures: [],
    // If the service did not answer, even a plain create gets a verdict, so that the report can say so.
    verdict: isUnanswered ? { ...(verdict ?? unaffected), unasked: true } : verdict,
    judgement,
    warnings: [found.warning, listed.warning].filter((text) => text !== undefined),
  };
}

const unaffected = { effect: "none", certain: true } as const;

/**
 * Judges an adoption again in its preview, since a policy pack may have changed the declaration after the check.
 *
 * @throws ComputeError if the provider's policy refuses the adoption now.
 */
export async function refuseAdoption(declared: NewResource, services: PlanServices): Promise<void> {
  const { judgement } = await judgeNew(declared, services);
  const refusal = judgement?.refusal;
  if (refusal !== undefined)
    throw new ComputeError({ doing: "adopting the compute that the argument adopt names", ...refusal });
}

/**
 * A failure as a check returns it. It names no property: the engine would print the property and its value before the reason,
 * which already contains both. The engine would print the value as Go does (`value {<nil>}`), on as many lines as the value
 * has.
 */
function failureOf(problem: string): CheckFailure {
  return { property: "", reason: withChoices(problem) };
}

/**
 * What keeps the provider from sending requests, such as a missing key: without this check, a preview would promise an update
 * that must fail.
 */
function connectionProblems(config: ProviderConfig): readonly string[] {
  try {
    config.connection();
    return [];
  } catch (error) {
    if (error instanceof ComputeError) return [messageOf(error)];
    throw error;
  }
}
