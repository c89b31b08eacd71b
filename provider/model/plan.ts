/**
 * Plans a change: which arguments differ, what that interrupts, and which of them a policy lets wait. Check, diff, update
 * and the report all compare with `changeOf`; only `decideOn` asks the policy.
 */
import { effectOf, type ArgumentName } from "./fields";
import { changedArguments, type DeclaredArguments, type Stored } from "./changes";
import type { Interruption, Notice, Now } from "./interruption";
import { ruleOn, type Decision, type Situation } from "./policy";
import { interruptingArguments, interruptionOf, type Circumstances } from "./verdict";

/** The change from the known compute to the declaration. */
export interface PlannedChange<Inputs extends DeclaredArguments = DeclaredArguments> {
  /** What the declaration is compared with: a state, an old declaration, or what the service answers. */
  readonly before: Stored;
  readonly inputs: Inputs;
  /** Names of the arguments that differ between the two. */
  readonly changed: readonly ArgumentName[];
  /** undefined if open connections are unaffected. */
  readonly interruption: Interruption | undefined;
  /** What the service answered about the compute; undefined if it was not asked, or did not answer. */
  readonly now?: Now | undefined;
}

/** What affects the text of an interruption besides the two sides. */
export type NoticeOptions = Omit<Circumstances, "changed">;

export function changeOf<Inputs extends DeclaredArguments>(
  before: Stored,
  inputs: Inputs,
  options: NoticeOptions = {},
): PlannedChange<Inputs> {
  const changed = changedArguments(before, inputs);
  const interruption = interruptionOf(before, inputs, { ...options, changed });
  return { before, inputs, changed, interruption, now: options.now };
}

/**
 * Whether the change would interrupt the compute if it ran. A compute that is disabled in the state may have been
 * enabled outside.
 */
export function mayInterrupt({ before, inputs, changed }: PlannedChange): boolean {
  return interruptingArguments(before, inputs, changed).length > 0;
}

/** What the policy decides about a change; empty if the change is applied unchanged. */
export function decideOn(
  change: PlannedChange,
  {
    cannotWait = [],
    ...situation
  }: Situation & {
    /** Names of arguments that cannot keep their former values: there are none, or they must not be stored. */
    readonly cannotWait?: readonly string[];
  },
): Decision {
  const { interruption, inputs, now } = change;
  if (interruption === undefined) return {};
  return ruleOn({ inputs, interruption, now }, { ...situation, names: waitingNames(change, cannotWait) });
}

/** The arguments that interrupt; none if one of them cannot wait. */
function waitingNames(
  { before, inputs, changed }: PlannedChange,
  cannotWait: readonly string[],
): readonly ArgumentName[] {
  const names = interruptingArguments(before, inputs, changed);
  return names.some((name) => cannotWait.includes(name) || isCountedOn(name)) ? [] : names;
}

/**
 * Moves and replacements do not wait, because other resources of the same run may depend on them: for example, the
 * branch that a compute leaves may be deleted next, with every compute on it.
 */
function isCountedOn(name: ArgumentName): boolean {
  return ["replace", "move"].includes(effectOf(name));
}

/** What is said of a change after a decision; undefined if it interrupts nothing, and nothing waits. */
export function noticeOf(
  { interruption, now }: Pick<PlannedChange, "interruption" | "now">,
  { deferral, proviso }: Decision,
): Notice | undefined {
  if (deferral !== undefined) {
    return { property: "deferred", text: deferral.text, waiting: interruption, now };
  }
  if (interruption === undefined) return undefined;
  const text = [interruption.text, proviso].filter((part) => part !== undefined).join("; ");
  return { property: "interruption", ...interruption, text, now };
}
