/**
 * Decides what a declaration does to a compute: an update, a replacement or nothing.
 */
import type { ProviderConfig } from "../../settings/config";
import { ComputeError } from "../../errors";
import { effectOf, type ArgumentName } from "../../fields";
import type { PlannedInputs } from "./plannedInputs";
import { changeOf, decideOn, withProviso } from "./plan";
import type { EndpointState } from "../state";
import { rowText, moreCertain } from "./verdict";
import type { Interruption, Now } from "./interruption";
import { isUnknown } from "./unknown";

/** A declaration after `check`, and the result of `check`. */
export interface CheckedInputs {
  readonly inputs: PlannedInputs;
  /** Names of the arguments that are secret. */
  readonly secrets: readonly string[];
  /** The interruption that `check` reported; undefined if it found none, or was not called. */
  readonly noticed?: Interruption | undefined;
  /** The compute that `check` asked the service about: the only compute of its branch may be a different one. */
  readonly checkedId?: string | undefined;
  /** What the service said of that compute. */
  readonly now?: Now | undefined;
  /** What `check` deferred. It shows as an update, because the program differs from the live compute. */
  readonly deferred?: string | undefined;
}

export interface DiffResult {
  readonly changes: boolean;
  readonly changed: readonly ArgumentName[];
  /** Whether an update interrupts the compute, or may. */
  readonly interrupts: boolean;
  readonly replaces: readonly ArgumentName[];
  readonly deleteBeforeReplace: boolean;
  /** The warning on the row of the resource. */
  readonly warning: string | undefined;
  /** The interruption in the warning; undefined if there is none, or if it is deferred. */
  readonly announced: Interruption | undefined;
  /**
   * Set if a policy forbids an interruption that `check` could not see: after a failed update the old declaration has
   * what was requested, and only the state has what was applied.
   */
  readonly refusal: ComputeError | undefined;
}

/** @param nowMs - wall time in milliseconds. */
export function diffEndpoint(
  state: EndpointState,
  checked: CheckedInputs,
  { config, nowMs }: { readonly config: ProviderConfig; readonly nowMs: number },
): DiffResult {
  const { inputs, secrets, checkedId } = checked;
  const isAsked = checkedId !== undefined && checkedId === state.endpointId;
  // What the service said of another compute says nothing of this one.
  const noticed = isAsked || checkedId === undefined ? checked.noticed : undefined;
  const whole = changeOf(state, inputs, { secrets });
  // `check` has already decided on what it compared.
  const isUnseen = noticed === undefined && !isAsked;
  const decision = isUnseen ? decideOn(whole, { config, nowMs }) : {};
  const { deferral, refusal } = decision;
  const { changed, interruption } = deferral?.rest ?? whole;
  const replaces = changed.filter((name) => effectOf(name) === "replace");
  // Pending operations of an earlier run: an update without a change continues to wait for them.
  const unfinished = (state.operations?.length ?? 0) > 0;
  const waits = checked.deferred ?? deferral?.notice;
  const now = isAsked ? checked.now : undefined;
  const notice =
    changed.length === 0 ? undefined : moreCertain(withProviso(interruption, decision), noticed, isAsked);
  return {
    changes: changed.length > 0 || unfinished || waits !== undefined,
    changed,
    interrupts: replaces.length === 0 && interruption !== undefined,
    replaces,
    deleteBeforeReplace: replaces.length > 0 && takesOldPlace(state, inputs, replaces),
    warning:
      waits === undefined ? notice && rowText(notice, now) : rowText({ text: `deferred ${waits}` }, now),
    announced: waits === undefined ? notice : undefined,
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
