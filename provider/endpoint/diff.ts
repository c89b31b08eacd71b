/**
 * Whether a declaration changes a compute: an update, a replacement or nothing.
 */
import type { ProviderConfig } from "../config";
import { ComputeError } from "../errors";
import { effectOf, type ArgumentName } from "../fields";
import { changedArguments } from "./changes";
import { deferralOf } from "./deferral";
import type { EndpointInputs } from "./inputs";
import { isForbidden, mustWait, policyOf } from "./policy";
import type { EndpointState } from "./state";
import { interruptionOf, surerOf, unknownValue, type Interruption } from "./verdict";

/** A declaration after `check`, and what that said of it. */
export interface Checked {
  readonly inputs: EndpointInputs;
  /** Names of the arguments that are secret. */
  readonly secrets: readonly string[];
  /** The judgement of `check`; undefined where it saw no interruption, or said nothing. */
  readonly noticed?: Pick<Interruption, "text" | "certain"> | undefined;
  /** The compute that `check` asked the service of: the only one of its branch may be a stranger. */
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
  checked: Checked,
  { config, nowMs }: { readonly config: ProviderConfig; readonly nowMs: number },
): DiffResult {
  const { secrets, noticed, askedOf } = checked;
  const isAsked = askedOf !== undefined && askedOf === state.endpointId;
  const isUnseen = noticed === undefined && !isAsked;
  const judged = judgeState(state, checked.inputs, { secrets, config });
  const deferral =
    isUnseen && judged.interruption !== undefined
      ? deferralOf(
          { before: state, inputs: checked.inputs, ...judged, interruption: judged.interruption },
          config,
          nowMs,
        )
      : undefined;
  const inputs = deferral?.inputs ?? checked.inputs;
  const { changed, interruption } =
    deferral === undefined ? judged : judgeState(state, inputs, { secrets, config });
  const replaces = changed.filter((name) => effectOf(name) === "replace");
  const isRefused = interruption !== undefined && isUnseen && forbids(inputs, { config, nowMs });
  // Operations that an earlier run left behind: an update without a change goes on waiting for them.
  const unfinished = (state.operations?.length ?? 0) > 0;
  const waits = checked.deferral ?? deferral?.notice;
  return {
    changes: changed.length > 0 || unfinished || waits !== undefined,
    changed,
    interrupts: replaces.length === 0 && interruption !== undefined,
    replaces,
    deleteBeforeReplace: replaces.length > 0 && takesOldPlace(state, inputs, replaces),
    warning:
      waits !== undefined
        ? `deferred ${waits}`
        : changed.length === 0
          ? undefined
          : surerOf(interruption, noticed, isAsked)?.text,
    refusal: isRefused ? forbiddenChange(state, interruption) : undefined,
  };
}

function judgeState(
  state: EndpointState,
  inputs: EndpointInputs,
  { secrets, config }: { readonly secrets: readonly string[]; readonly config: ProviderConfig },
): { readonly changed: readonly ArgumentName[]; readonly interruption: Interruption | undefined } {
  const changed = changedArguments(state, inputs);
  return {
    changed,
    interruption: interruptionOf(state, inputs, { changed, secrets, sizeTable: config.sizeTable }),
  };
}

/** What no check has asked the service of counts as active. */
function forbids(
  inputs: EndpointInputs,
  { config, nowMs }: { readonly config: ProviderConfig; readonly nowMs: number },
): boolean {
  const policy = policyOf(inputs, config);
  return isForbidden(policy, undefined) || mustWait(policy, config, nowMs);
}

function forbiddenChange(state: EndpointState, { text }: Interruption): ComputeError {
  return new ComputeError({
    doing: `changing compute ${state.endpointId}`,
    what: `forbidden: ${text}`,
    fix: 'To allow it, set onInterruption: "warn" on this resource',
  });
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
