/**
 * Plans a change: which arguments differ, what that interrupts, and whether it is applied, waits until the compute is idle
 * or a window opens, or is refused. Pure. `check`, `diff`, `update` and the report all compare with `changeOf`; only
 * `decideOn` applies the policy and the window.
 */
import type { ProviderConfig } from "../../settings/config";
import type { Problem } from "../../errors";
import { effectOf, type ArgumentName } from "../../fields";
import { isOpen, momentText, nextOpening } from "../../settings/interruptionWindow";
import type { InterruptionPolicy } from "../../settings/policies";
import type { SettingSource } from "../../settings/sources";
import { changedArguments, type DeclaredArguments, type Stored } from "./changes";
import { interruptingArguments, interruptionOf, rowText, runsNothing, type Circumstances } from "./verdict";
import type { Interruption, Notice, Now, Verdict } from "./interruption";
import { unknownValue } from "./unknown";

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

/** What waits until the compute is idle or a window is open: the state keeps its value, so the next diff finds it again. */
export interface Deferral {
  /** The deferred arguments. */
  readonly names: readonly ArgumentName[];
  /** The deferred interruption, and until when it waits. */
  readonly text: string;
  /** The deferral for the report. */
  readonly verdict: NonNullable<Verdict["deferred"]>;
}

/** What the policy decides about a change; empty if the change is applied unchanged. */
export interface Decision {
  readonly deferral?: Deferral;
  /** The refused interruption, and what would allow it. */
  readonly refusal?: Pick<Problem, "what" | "fix">;
  /** Set if the update decides again: the condition under which it applies the change, for the notice. */
  readonly proviso?: string;
}

/** The time of the decision, and the policy. */
interface Situation {
  readonly config: Pick<ProviderConfig, "onInterruption" | "onInterruptionPlace" | "interruptionWindow">;
  /** Wall time in milliseconds. */
  readonly nowMs: number;
  /** Names of arguments that cannot keep their former values: there are none, or they must not be stored. */
  readonly cannotWait?: readonly string[];
  /** True directly before a change is sent: from then on, a compute that could not be read counts as active. */
  readonly isFinal?: boolean;
}

export function decideOn(change: PlannedChange, situation: Situation): Decision {
  const { interruption, now, inputs } = change;
  const { config, isFinal = false } = situation;
  const policy = policyOf(inputs, config);
  if (interruption === undefined || policy === "warn") return {};
  // From the update on, a compute that could not be read counts as active.
  const isIdle = runsNothing(now?.running);
  if (policy === "defer") {
    const { interruptionWindow: window } = config;
    if (window !== undefined && isOpen(window, situation.nowMs)) return {};
    if (isIdle && isFinal) return {};
    const names = waitingNames(change, situation);
    if (isIdle || (now?.running === undefined && !isFinal))
      return { proviso: names === undefined ? "refused unless it is idle then" : unlessActive };
    const until = untilOf(config, situation.nowMs);
    if (names === undefined) return { refusal: refusalOf(change, config, until.text) };
    const text = `${until.text}: ${interruption.text}; the first update that finds it idle applies it`;
    return { deferral: { names, text, verdict: { effect: interruption.effect, ...until } } };
  }
  return policy === "forbid" || !isIdle ? { refusal: refusalOf(change, config) } : {};
}

export const unlessActive = "left for a later update unless it is idle then";

/** What is said of a change after a decision; undefined if it interrupts nothing, and nothing waits. */
export function noticeOf(
  { interruption, now }: Pick<PlannedChange, "interruption" | "now">,
  { deferral, proviso }: Decision,
): Notice | undefined {
  if (deferral !== undefined) return { property: "deferred", text: deferral.text, now };
  if (interruption === undefined) return undefined;
  const text = [interruption.text, proviso].filter((part) => part !== undefined).join("; ");
  return { property: "interruption", ...interruption, text, now };
}

/**
 * Whether the policy may hold a change back: then the decision may depend on what the compute does at this moment, and the
 * update decides again, directly before it sends.
 */
export function mayHoldBack(inputs: DeclaredArguments, config: Situation["config"]): boolean {
  return policyOf(inputs, config) !== "warn";
}

/** The policy of the resource; if it is not set or not known yet, the stack's policy. */
export function policyOf(inputs: DeclaredArguments, config: Situation["config"]): InterruptionPolicy {
  return hasOwnPolicy(inputs) ? (inputs.onInterruption as InterruptionPolicy) : config.onInterruption;
}

function hasOwnPolicy({ onInterruption }: DeclaredArguments): boolean {
  return onInterruption !== undefined && onInterruption !== unknownValue;
}

/** Where the policy is set, as a clause. */
export function placeOf(inputs: DeclaredArguments, { onInterruptionPlace }: Situation["config"]): string {
  if (hasOwnPolicy(inputs)) return ownPlace;
  return onInterruptionPlace === undefined ? "by default" : places[onInterruptionPlace];
}

const ownPlace = "on this resource";

const places = {
  argument: "in the arguments of its Provider",
  stack: "in the stack's configuration, compute:onInterruption",
  environment: "in the environment, COMPUTE_ON_INTERRUPTION",
} as const satisfies Record<SettingSource, string>;

/**
 * Moves and replacements do not wait, because other resources of the same run may depend on them: for example, the
 * branch that a compute leaves may be deleted next, with every compute on it.
 */
function isCountedOn(name: ArgumentName): boolean {
  return ["replace", "move"].includes(effectOf(name));
}

/** Until when a change waits: until the compute is idle or, if there is one, for the next window. */
export function untilOf(
  { interruptionWindow: window }: Situation["config"],
  nowMs: number,
): { readonly text: string; readonly until?: string } {
  const opensMs = window && nextOpening(window, nowMs);
  if (window === undefined || opensMs === undefined) return { text: "until it is idle" };
  const text = `until it is idle, or until ${momentText(window, opensMs)}`;
  return { text, until: new Date(opensMs).toISOString() };
}

/** The arguments that interrupt; undefined if one of them cannot wait. */
function waitingNames(
  { before, inputs, changed }: PlannedChange,
  { cannotWait = [] }: Situation,
): readonly ArgumentName[] | undefined {
  const names = interruptingArguments(before, inputs, changed);
  const canWait = names.length > 0 && !names.some((name) => cannotWait.includes(name) || isCountedOn(name));
  return canWait ? names : undefined;
}

/**
 * Its advice is about this resource alone: its own setting overrides every other one.
 *
 * @param until - what the change would wait for, if it cannot wait.
 */
export function refusalOf(
  { interruption, inputs, now }: Pick<PlannedChange, "interruption" | "inputs" | "now">,
  config: Situation["config"],
  until?: string,
): NonNullable<Decision["refusal"]> {
  const what = interruption === undefined ? "" : rowText({ property: "interruption", ...interruption, now });
  const place = placeOf(inputs, config);
  const said = `(onInterruption is "${policyOf(inputs, config)}" ${place})`;
  const warns =
    place === ownPlace ? 'set it to "warn"' : `set onInterruption: "warn" ${ownPlace}, which overrides that`;
  if (until === undefined) return { what, fix: `This is forbidden here ${said}: to allow it, ${warns}` };
  const fix =
    `This cannot be left for later ${said}: of a move, a replacement or an adoption, other resources of the run may ` +
    "need the outcome, and a secret cannot stay where none is declared any more. Run " +
    `\`pulumi up\` again later: it is refused ${until}, or ${warns}`;
  return { what, fix };
}
