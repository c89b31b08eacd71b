/**
 * Whether a declaration changes a compute: an update, a replacement or nothing.
 */
import type { ProviderConfig } from "../config";
import { ComputeError } from "../errors";
import { effectOf, type ArgumentName } from "../fields";
import { changedArguments } from "./changes";
import type { EndpointInputs } from "./inputs";
import { policyOf } from "./policy";
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

export function diffEndpoint(state: EndpointState, checked: Checked, config: ProviderConfig): DiffResult {
  const { inputs, secrets, noticed, askedOf } = checked;
  const changed = changedArguments(state, inputs);
  const replaces = changed.filter((name) => effectOf(name) === "replace");
  const interruption = interruptionOf(state, inputs, { changed, secrets, sizeTable: config.sizeTable });
  const isAsked = askedOf !== undefined && askedOf === state.endpointId;
  const isUnseen = noticed === undefined && !isAsked;
  const isForbidden = interruption !== undefined && isUnseen && policyOf(inputs, config) !== "warn";
  // Operations that an earlier run left behind: an update without a change goes on waiting for them.
  const unfinished = (state.operations?.length ?? 0) > 0;
  return {
    changes: changed.length > 0 || unfinished,
    changed,
    interrupts: replaces.length === 0 && interruption !== undefined,
    replaces,
    deleteBeforeReplace: replaces.length > 0 && takesOldPlace(state, inputs, replaces),
    warning: changed.length === 0 ? undefined : surerOf(interruption, noticed, isAsked)?.text,
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
