/**
 * Decides what a declaration does to a compute: an update, a replacement or nothing.
 */
import type { ProviderConfig } from "../../settings/config";
import { ComputeError } from "../../errors";
import { effectOf, type ArgumentName } from "../../fields";
import type { PlannedInputs } from "./inputs";
import { changeOf, decideOn, noticeOf } from "./plan";
import type { EndpointState } from "../state";
import type { Notice, Verdict } from "./interruption";
import { isUnknown } from "./unknown";

/** What `check` has found out about a change: what is said of it, and the judgement for the report. */
export interface Judged {
  readonly notice?: Notice | undefined;
  readonly verdict?: Verdict | undefined;
}

/** A declaration after `check`, with what it found out; a refresh requests a diff without a check. */
export interface CheckedInputs extends Judged {
  readonly inputs: PlannedInputs;
  /** Names of the arguments that are secret. */
  readonly secrets: readonly string[];
}

export interface DiffResult {
  readonly changes: boolean;
  readonly changed: readonly ArgumentName[];
  /** Whether an update interrupts the compute, or may. */
  readonly interrupts: boolean;
  readonly replaces: readonly ArgumentName[];
  readonly deleteBeforeReplace: boolean;
  /** For the row of the resource. What waits shows as an update, because the program differs from the compute. */
  readonly notice: Notice | undefined;
  /**
   * Set if a policy forbids an interruption that `check` could not see: after a failed update the old declaration has
   * what was requested, and only the state has what was applied.
   */
  readonly refusal: ComputeError | undefined;
}

/**
 * Judges the change again. `check` had no state: it compared with the old declaration, which after a failed update has
 * what was requested, or asked the service about the only compute of the branch. It runs first all the same, because
 * only `check` can add a notice to the inputs: the engine shows nothing else of a dynamic provider in a diff and in
 * `preview --json`. So its judgement stands if the service answered about this very compute; otherwise the state, which
 * has the service's last answer, decides.
 *
 * @param nowMs - wall time in milliseconds.
 */
export function diffEndpoint(
  state: EndpointState,
  { inputs, secrets, ...checked }: CheckedInputs,
  { config, nowMs }: { readonly config: ProviderConfig; readonly nowMs: number },
): DiffResult {
  const isJudged = checked.verdict?.endpointId === state.endpointId;
  const whole = changeOf(state, inputs, { secrets, service: config.service });
  const decision = isJudged ? {} : decideOn(whole, { config, nowMs });
  const { deferral, refusal } = decision;
  const { changed, interruption } = deferral?.rest ?? whole;
  const replaces = changed.filter((name) => effectOf(name) === "replace");
  // Pending operations of an earlier run: an update without a change continues to wait for them.
  const unfinished = (state.operations?.length ?? 0) > 0;
  const waits = checked.notice?.property === "deferred" ? { ...checked.notice, now: undefined } : undefined;
  const notice = isJudged ? checked.notice : (waits ?? noticeOf(whole, decision));
  const isWaiting = notice?.property === "deferred";
  return {
    changes: changed.length > 0 || unfinished || isWaiting,
    changed,
    interrupts: replaces.length === 0 && interruption !== undefined,
    replaces,
    deleteBeforeReplace: replaces.length > 0 && takesOldPlace(state, inputs, replaces),
    notice: changed.length > 0 || isWaiting ? notice : undefined,
    refusal: refusal && new ComputeError({ doing: `changing compute ${state.endpointId}`, ...refusal }),
  };
}

/**
 * A branch has one primary (interface 1): a new primary on the same branch requires that the old one is deleted
 * first.
 */
function takesOldPlace(
  state: EndpointState,
  { projectId, branchId, type }: PlannedInputs,
  replaces: readonly ArgumentName[],
): boolean {
  const bothPrimary = state.type === "read_write" && (type === state.type || isUnknown(type));
  const sameBranch = branchId === state.branchId || isUnknown(branchId);
  // A branch of another project is always another branch.
  return bothPrimary && sameBranch && !(replaces.includes("projectId") && !isUnknown(projectId));
}
