/**
 * Whether a declaration changes a compute: an update, a replacement or nothing.
 */
import type { ProviderConfig } from "../../settings/config";
import { ComputeError } from "../../errors";
import { effectOf, type ArgumentName } from "../../fields";
import type { PlannedInputs } from "./plannedInputs";
import { changeOf, decideOn } from "./plan";
import type { EndpointState } from "../state";
import { isUnknown, surerOf, type Interruption } from "./verdict";

/** A declaration after `check`, and what that said of it. */
export interface CheckedInputs {
  readonly inputs: PlannedInputs;
  /** Names of the arguments that are secret. */
  readonly secrets: readonly string[];
  /** The judgement of `check`; undefined where it saw no interruption, or said nothing. */
  readonly noticed?: Pick<Interruption, "text" | "certain"> | undefined;
  /** The compute that `check` asked the service of: the only one of its branch may be another. */
  readonly askedOf?: string | undefined;
  /** What `check` held back, for which an update is shown: a program that differs from what runs is not unchanged. */
  readonly deferral?: string | undefined;
}

export interface DiffResult {
  readonly changes: boolean;
  readonly changed: readonly ArgumentName[];
  /** Whether an update interrupts the compute, or may. */
  readonly interrupts: boolean;
  readonly replaces: readonly ArgumentName[];
  readonly deleteBeforeReplace: boolean;
  /** What the row of the resource warns of. */
  readonly warning: string | undefined;
  /**
   * Where a policy forbids an interruption that `check` could not see: after a failed update the old declaration says
   * what was asked for, and only the state says what came of it.
   */
  readonly refusal: ComputeError | undefined;
}

/** @param nowMs - wall time in milliseconds. */
export function diffEndpoint(
  state: EndpointState,
  checked: CheckedInputs,
  { config, nowMs }: { readonly config: ProviderConfig; readonly nowMs: number },
): DiffResult {
  const { inputs, secrets, noticed, askedOf } = checked;
  const isAsked = askedOf !== undefined && askedOf === state.endpointId;
  const whole = changeOf(state, inputs, { secrets, sizeTable: config.sizeTable });
  // What `check` has seen, it has decided on.
  const isUnseen = noticed === undefined && !isAsked;
  const { deferral, refusal } = isUnseen ? decideOn(whole, { config, nowMs }) : {};
  const { changed, interruption } = deferral?.rest ?? whole;
  const replaces = changed.filter((name) => effectOf(name) === "replace");
  // Operations that an earlier run left behind: an update without a change goes on waiting for them.
  const unfinished = (state.operations?.length ?? 0) > 0;
  const waits = checked.deferral ?? deferral?.notice;
  const warned = changed.length === 0 ? undefined : surerOf(interruption, noticed, isAsked)?.text;
  return {
    changes: changed.length > 0 || unfinished || waits !== undefined,
    changed,
    interrupts: replaces.length === 0 && interruption !== undefined,
    replaces,
    deleteBeforeReplace: replaces.length > 0 && takesOldPlace(state, inputs, replaces),
    warning: waits === undefined ? warned : `deferred ${waits}`,
    refusal: refusal && new ComputeError({ doing: `changing compute ${state.endpointId}`, ...refusal }),
  };
}

/** A branch holds one primary (interface 1): a new one on the old one's branch needs the old one gone first. */
function takesOldPlace(
  state: EndpointState,
  { projectId, branchId, type }: PlannedInputs,
  replaces: readonly ArgumentName[],
): boolean {
  const bothPrimary = state.type === "read_write" && (type === state.type || isUnknown(type));
  const sameBranch = branchId === state.branchId || isUnknown(branchId);
  // Another project's branch is another branch.
  return bothPrimary && sameBranch && !(replaces.includes("projectId") && !isUnknown(projectId));
}
