/**
 * What happens before anything is sent: `check` validates a declaration and, in previews, says what the
 * change interrupts; `diff` says update, replace or nothing. Both are answered without a request.
 */
import type { ProviderConfig } from "../config";
import { ComputeError, messageOf } from "../errors";
import { effects, type ArgumentName } from "./effects";
import { checkInputs, unknownValue, type CheckFailure, type EndpointInputs } from "./inputs";
import { interruptionOf, type Interruption } from "./interruption";
import { changedArguments, type EndpointState } from "./state";

/** Members that the constructor adds for this process; none is an argument. */
export interface HiddenInputs {
  readonly __provider?: unknown;
  readonly __urn?: string | undefined;
  /** Present in previews alone; never stored. */
  readonly __dryRun?: boolean | undefined;
}

export interface CheckResult {
  readonly inputs: Record<string, unknown>;
  readonly failures: readonly CheckFailure[];
}

/**
 * @param stored - the inputs in the state; empty for a new compute, and for the new side of a replacement.
 * @param declared - the program's arguments with the hidden members; any value may be unknown.
 */
export function checkEndpoint(
  stored: Readonly<Record<string, unknown>>,
  declared: Readonly<Record<string, unknown>>,
  config: ProviderConfig,
): CheckResult {
  const { args, hidden } = splitHidden(declared);
  const creates = stored["projectId"] === undefined && args["adopt"] === undefined;
  const checked = checkInputs(args, { allowUnlistedSizes: config.allowUnlistedSizes, creates });
  const failures = [...checked.failures, ...connectionFailures(config)];
  const inputs = { ...checked.inputs, __urn: hidden.__urn };
  const notice =
    hidden.__dryRun === true && failures.length === 0 ? noticeOf(stored, checked.inputs) : undefined;
  return { inputs: notice === undefined ? inputs : { ...inputs, interruption: notice.text }, failures };
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

/** From the old declaration to the new one; the new side of a replacement has no old one and needs no notice. */
function noticeOf(
  stored: Readonly<Record<string, unknown>>,
  inputs: Readonly<Record<string, unknown>>,
): Interruption | undefined {
  if (stored["projectId"] === undefined) return undefined;
  const before = { __managed: Object.keys(stored), ...stored } as unknown as EndpointState;
  return interruptionOf(before, inputs, changedArguments(before, inputs as unknown as EndpointInputs));
}

export interface DiffResult {
  readonly changes: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** For the row of the resource. */
  readonly interruption: Interruption | undefined;
}

/** @param state - the outputs in the state. @param declared - the inputs after `check`. */
export function diffEndpoint(state: EndpointState, declared: Readonly<Record<string, unknown>>): DiffResult {
  const inputs = splitHidden(declared).args as unknown as EndpointInputs;
  const changed = changedArguments(state, inputs);
  const replaces = changed.filter((name) => effects[name] === "replace");
  // Operations that an earlier run left behind: an update without a change goes on waiting for them.
  const unfinished = (state.__operations?.length ?? 0) > 0;
  return {
    changes: changed.length > 0 || unfinished,
    replaces,
    deleteBeforeReplace: replaces.length > 0 && takesOldPlace(state, inputs, replaces),
    interruption: interruptionOf(state, inputs, changed),
  };
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

/** The program's arguments apart from what is added for this process, and from the notice of a preview. */
export function splitHidden(declared: Readonly<Record<string, unknown>>): {
  readonly args: Record<string, unknown>;
  readonly hidden: HiddenInputs;
} {
  const { __provider, __urn, __dryRun, interruption, ...args } = declared;
  return {
    args,
    hidden: { __provider, __urn: __urn as string | undefined, __dryRun: __dryRun as boolean | undefined },
  };
}
