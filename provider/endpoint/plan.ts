/**
 * What happens before anything is changed: `check` validates a declaration, says in previews what the change
 * interrupts, and refuses what a policy forbids; `diff` says update, replace or nothing.
 */
import type { InterruptionPolicy, ProviderConfig } from "../config";
import { ComputeError, messageOf } from "../errors";
import { adoptionProblem } from "./adopt";
import { effects, type ArgumentName } from "./effects";
import {
  checkInputs,
  splitHidden,
  unknownValue,
  type CheckFailure,
  type EndpointInputs,
  type HiddenInputs,
} from "./inputs";
import { heldTwice, type Holders } from "./holders";
import { interruptionOf, type Interruption } from "./interruption";
import { describeNow, isRunning, type LiveLook, type LookLive } from "./live";
import { changedArguments, fieldsOf, managedNames, type EndpointState } from "./state";

type Bag = Readonly<Record<string, unknown>>;

/** Said by `check`, and by `create` where the engine replaces without having asked. */
export const adoptForReplacement =
  "a compute cannot replace itself: remove the line with adopt, so that the replacement creates a compute";

export interface PlanServices {
  readonly config: ProviderConfig;
  readonly look: LookLive;
  readonly holders: Holders;
  /** Wall time in milliseconds. */
  readonly now: () => number;
  /** Whether the declaration is the new side of a replacement. */
  readonly isReplacement?: boolean;
}

export interface CheckResult {
  readonly inputs: Record<string, unknown>;
  readonly failures: readonly CheckFailure[];
  /** For the row of a resource that `diff` is not called for: a compute about to be adopted. */
  readonly warning?: string;
}

/**
 * @param stored - the inputs in the state; empty for a new compute, and for the new side of a replacement.
 * @param declared - the program's arguments with the hidden members; any value may be unknown.
 */
export async function checkEndpoint(
  stored: Bag,
  declared: Bag,
  services: PlanServices,
): Promise<CheckResult> {
  const { config } = services;
  const { args, hidden } = splitHidden(declared);
  const isNew = stored["projectId"] === undefined;
  const creates = isNew && args["adopt"] === undefined;
  const secrets = hidden.__secrets ?? [];
  const checked = checkInputs(args, { allowUnlistedSizes: config.allowUnlistedSizes, creates, secrets });
  const inputs = { ...checked.inputs, __urn: hidden.__urn, __secrets: hidden.__secrets };
  const failures = [...checked.failures, ...connectionFailures(config)];
  if (failures.length > 0) return { inputs, failures: unquoted(failures, secrets) };

  const isPreview = hidden.__dryRun === true;
  const plan = { stored, inputs: checked.inputs, secrets, isPreview, services };
  const noticed = isNew ? await noticeOfAdoption(plan) : await noticeOfChange(plan);
  const found =
    selfReplacement(checked.inputs, services) ??
    (isNew ? secondHolder(checked.inputs, hidden.__urn, services) : undefined) ??
    noticed.problem ??
    forbidden(noticed, checked.inputs, config);
  if (found !== undefined) return { inputs, failures: unquoted([found], secrets) };
  return {
    inputs: { ...inputs, ...noticeInputs(noticed, plan) },
    failures: [],
    ...(isNew && isPreview && noticed.notice !== undefined ? { warning: noticed.notice.text } : {}),
  };
}

/** Adopting for a replacement would take over the very compute that is deleted next. */
function selfReplacement(inputs: Bag, { isReplacement }: PlanServices): CheckFailure | undefined {
  if (isReplacement !== true || inputs["adopt"] === undefined) return undefined;
  return { property: "adopt", reason: adoptForReplacement };
}

/** Two resources that adopt one compute, or one that another resource has already. */
function secondHolder(
  inputs: Bag,
  urn: string | undefined,
  { holders }: PlanServices,
): CheckFailure | undefined {
  const { adopt: endpointId, projectId } = inputs as unknown as EndpointInputs;
  if (endpointId === undefined || [endpointId, projectId].includes(unknownValue) || urn === undefined)
    return undefined;
  const other = holders.hold({ projectId, endpointId }, [urn]);
  if (other === undefined) return undefined;
  return { property: "adopt", reason: heldTwice(endpointId, [urn, other]).message };
}

/** The engine prints the value of the property that a failure names: a secret one is named in the reason alone. */
function unquoted(failures: readonly CheckFailure[], secrets: readonly string[]): readonly CheckFailure[] {
  return failures.map((failure) =>
    secrets.includes(failure.property.split(".")[0] ?? "") ? { ...failure, property: "" } : failure,
  );
}

/** A preview without a key would promise an update that cannot come. */
function connectionFailures(config: ProviderConfig): readonly CheckFailure[] {
  try {
    config.connection();
    return [];
  } catch (error) {
    if (error instanceof ComputeError) return [{ property: "", reason: messageOf(error) }];
    throw error;
  }
}

interface Plan {
  readonly stored: Bag;
  readonly inputs: Bag;
  readonly secrets: readonly string[];
  readonly isPreview: boolean;
  readonly services: PlanServices;
}

interface Noticed {
  readonly notice?: Interruption | undefined;
  /** Whether the service was asked, and what it said of the compute. */
  readonly looked?: LiveLook | undefined;
  readonly problem?: CheckFailure;
}

/** From the old declaration to the new one, and to what the service runs where that is known. */
async function noticeOfChange({ stored, inputs, secrets, isPreview, services }: Plan): Promise<Noticed> {
  // With the names of declared Postgres settings: one that is left out now is a change.
  const __managed = managedNames(stored as unknown as EndpointInputs);
  const before = { ...asState(stored), __managed };
  const declared = inputs as unknown as EndpointInputs;
  const notice = interruptionOf(before, inputs, { changed: changedArguments(before, declared), secrets });
  if (notice === undefined || !asksService(isPreview, policyOf(inputs, services.config), services.config))
    return { notice };
  const looked = await services.look({
    projectId: before.projectId,
    branchId: before.branchId,
    type: before.type,
  });
  if (looked.kind !== "found") return { notice, looked };
  const live = { ...before, ...fieldsOf(looked.endpoint, declared) };
  const changed = changedArguments(live, declared);
  const now = describeNow(looked.endpoint, services.now());
  return { looked, notice: interruptionOf(live, inputs, { changed, now, secrets }) };
}

/** An adopted compute is brought to the declared settings, which may restart it: a create that interrupts. */
async function noticeOfAdoption({ inputs, secrets, isPreview, services }: Plan): Promise<Noticed> {
  const declared = inputs as unknown as EndpointInputs;
  const { adopt: endpointId, projectId } = declared;
  const isKnown = endpointId !== undefined && ![endpointId, projectId].includes(unknownValue);
  if (!isKnown || !asksService(isPreview, policyOf(inputs, services.config), services.config)) return {};
  const looked = await services.look({ projectId, endpointId });
  if (looked.kind === "unsure") return { looked };
  const problem = adoptionProblem(declared, looked.kind === "found" ? looked.endpoint : undefined);
  if (problem !== undefined) return { problem: { property: "adopt", reason: problem.message } };
  if (looked.kind !== "found") return { looked };
  const live = asState(fieldsOf(looked.endpoint, declared));
  const own = { ...live, restartTriggers: declared.restartTriggers };
  const now = describeNow(looked.endpoint, services.now());
  return {
    looked,
    notice: interruptionOf(own, inputs, { changed: changedArguments(own, declared), now, secrets }),
  };
}

function asState(values: Bag): EndpointState {
  return { __managed: Object.keys(values), ...values } as unknown as EndpointState;
}

/** Saved plans compare a preview with its update: what the service says now would differ between the two. */
function asksService(isPreview: boolean, policy: InterruptionPolicy, config: ProviderConfig): boolean {
  return config.liveFacts && !config.updatePlans && (isPreview || policy !== "warn");
}

function policyOf(inputs: Bag, config: ProviderConfig): InterruptionPolicy {
  const declared = inputs["onInterruption"];
  return declared === undefined || declared === unknownValue
    ? config.onInterruption
    : (declared as InterruptionPolicy);
}

/** The failure that a policy makes of a notice. */
function forbidden(
  { notice, looked }: Noticed,
  inputs: Bag,
  config: ProviderConfig,
): CheckFailure | undefined {
  if (notice === undefined) return undefined;
  const policy = policyOf(inputs, config);
  const isIdle = looked?.kind === "found" && isRunning(looked.endpoint) === false;
  if (policy === "warn" || (policy === "forbid-when-active" && isIdle)) return undefined;
  // The engine quotes a named property with its value; one that is not declared has none.
  const property = inputs["onInterruption"] === undefined ? "" : "onInterruption";
  return { property, reason: refusal(notice, policy) };
}

function refusal(notice: Interruption, policy: InterruptionPolicy): string {
  return (
    `${notice.text}. This is forbidden here (onInterruption is "${policy}"): to allow it, set onInterruption: "warn" ` +
    "on this resource, or run `pulumi config set compute:onInterruption warn` where the stack says so"
  );
}

/** The notice belongs into previews alone, unless a saved plan holds the update to what its preview showed. */
function noticeInputs(
  { notice, looked }: Noticed,
  { stored, isPreview, services }: Plan,
): Record<string, unknown> {
  const { updatePlans } = services.config;
  const text = notice?.text ?? (updatePlans ? stored["interruption"] : undefined);
  return {
    ...((isPreview || updatePlans) && text !== undefined ? { interruption: text } : {}),
    ...(isPreview && looked?.kind === "found" ? { __looked: looked.endpoint.id } : {}),
  };
}

export interface DiffResult {
  readonly changes: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** What the row of the resource warns of. */
  readonly warning: string | undefined;
  /**
   * Where a policy forbids an interruption that `check` could not see: after a failed update the old declaration says
   * what was asked for, and only the old outputs say what came of it.
   */
  readonly refusal: ComputeError | undefined;
}

/** @param state - the outputs in the state. @param declared - the inputs after `check`. */
export function diffEndpoint(state: EndpointState, declared: Bag, config: ProviderConfig): DiffResult {
  const { args, hidden } = splitHidden(declared);
  const inputs = args as unknown as EndpointInputs;
  const changed = changedArguments(state, inputs);
  const replaces = changed.filter((name) => effects[name] === "replace");
  const interruption = interruptionOf(state, args, { changed, secrets: hidden.__secrets ?? [] });
  const noticed = declared["interruption"] as string | undefined;
  const isUnseen = noticed === undefined && !isTrusted(hidden, state);
  const isForbidden = interruption !== undefined && isUnseen && policyOf(args, config) !== "warn";
  // Operations that an earlier run left behind: an update without a change goes on waiting for them.
  const unfinished = (state.__operations?.length ?? 0) > 0;
  return {
    changes: changed.length > 0 || unfinished,
    replaces,
    deleteBeforeReplace: replaces.length > 0 && takesOldPlace(state, inputs, replaces),
    warning: changed.length === 0 ? undefined : warningOf(interruption, noticed, isTrusted(hidden, state)),
    refusal: isForbidden ? forbiddenChange(state, interruption) : undefined,
  };
}

function forbiddenChange(state: EndpointState, { text }: Interruption): ComputeError {
  return new ComputeError({
    doing: `changing compute ${state.endpointId}`,
    what: `forbidden: ${text}`,
    fix: 'To allow it, set onInterruption: "warn" on this resource',
  });
}

/** Whether `check` asked the service of this very compute: the only one of its branch may be a stranger. */
function isTrusted(hidden: HiddenInputs, state: EndpointState): boolean {
  return hidden.__looked !== undefined && hidden.__looked === state.endpointId;
}

/** The words of `check` where it has asked the service; else the surer of the two. */
function warningOf(
  interruption: Interruption | undefined,
  noticed: string | undefined,
  trusted: boolean,
): string | undefined {
  if (trusted) return noticed;
  return interruption?.certain === true ? interruption.text : (noticed ?? interruption?.text);
}

/** A branch holds one primary (interface 1): a new one on the old one's branch needs the old one gone first. */
function takesOldPlace(
  state: EndpointState,
  inputs: EndpointInputs,
  replaces: readonly ArgumentName[],
): boolean {
  const bothPrimary = state.type === "read_write" && [state.type, unknownValue].includes(inputs.type);
  const sameBranch = inputs.branchId === state.branchId || inputs.branchId === unknownValue;
  // Another project's branch is another branch.
  return bothPrimary && sameBranch && !(replaces.includes("projectId") && inputs.projectId !== unknownValue);
}
