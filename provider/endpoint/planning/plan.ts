/**
 * Plans a change: which arguments differ, what that interrupts, and whether it is applied, waits for a window, or is
 * refused. Pure. `check`, `diff`, `update` and the report all compare with `changeOf`; only `decideOn` applies the
 * policy and the window.
 */
import type { ProviderConfig } from "../../settings/config";
import type { Problem } from "../../errors";
import { effectOf, type ArgumentName } from "../../fields";
import { isOpen, momentText, nextOpening } from "../../settings/interruptionWindow";
import type { InterruptionPolicy, settings } from "../../settings/table";
import { changedArguments, type DeclaredArguments, type Stored } from "./changes";
import {
  interruptingArguments,
  interruptionOf,
  type Circumstances,
  type Interruption,
  type Now,
  type Verdict,
} from "./verdict";
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
  telling: NoticeOptions = {},
): PlannedChange<Inputs> {
  const changed = changedArguments(before, inputs);
  const interruption = interruptionOf(before, inputs, { ...telling, changed });
  return { before, inputs, changed, interruption, now: telling.now };
}

/**
 * Whether the change would interrupt the compute if it ran. A compute that is disabled in the state may have been
 * enabled outside.
 */
export function mayInterrupt({ before, inputs, changed }: PlannedChange): boolean {
  return interruptingArguments(before, inputs, changed).length > 0;
}

/** What is deferred to a window: the rest is applied now, and the next check finds the difference again. */
export interface Deferral<Inputs extends DeclaredArguments = DeclaredArguments> {
  /** The change without the deferred arguments, which keep their former values. */
  readonly rest: PlannedChange<Inputs>;
  /** The deferred arguments. */
  readonly names: readonly ArgumentName[];
  /** The deferred interruption, and until when it waits. */
  readonly notice: string;
  /** The deferral for the report. */
  readonly verdict: NonNullable<Verdict["deferred"]>;
}

/** What the policy decides about a change; both are undefined if the change is applied unchanged. */
export interface Decision<Inputs extends DeclaredArguments = DeclaredArguments> {
  readonly deferral?: Deferral<Inputs>;
  /** The refused interruption, and what would allow it. */
  readonly refusal?: Pick<Problem, "what" | "fix">;
}

/** The time of the decision, and the policy. */
export interface Situation {
  readonly config: Pick<ProviderConfig, "onInterruption" | "interruptionWindow">;
  /** Wall time in milliseconds. */
  readonly nowMs: number;
  /** Names of arguments that cannot keep their former values: there are none, or they must not be stored. */
  readonly cannotWait?: readonly string[];
}

export function decideOn<Inputs extends DeclaredArguments>(
  change: PlannedChange<Inputs>,
  { config, nowMs, cannotWait = [] }: Situation,
): Decision<Inputs> {
  const { interruption, now } = change;
  if (interruption === undefined) return {};
  const policy = policyOf(change.inputs, config);
  if (policy === "defer") {
    if (config.interruptionWindow !== undefined && isOpen(config.interruptionWindow, nowMs)) return {};
    const until = untilOf(config, nowMs);
    const names = interruptingArguments(change.before, change.inputs, change.changed);
    const canWait = names.length > 0 && !names.some((name) => cannotWait.includes(name) || isCountedOn(name));
    return canWait
      ? { deferral: deferralOf(change, interruption, { names, until }) }
      : { refusal: refusalOf(interruption, policy, until.text) };
  }
  // A compute that could not be read counts as active.
  const runsNothing = now?.running === "idle" || now?.running === "disabled";
  const isForbidden = policy === "forbid" || (policy === "forbid-when-active" && !runsNothing);
  return isForbidden ? { refusal: refusalOf(interruption, policy) } : {};
}

/** Whether the policy may hold a change back: then the decision may depend on what the compute does at this moment. */
export function mayHoldBack(inputs: DeclaredArguments, config: Situation["config"]): boolean {
  return policyOf(inputs, config) !== "warn";
}

/** The policy of the resource; if it is not set or not known yet, the stack's policy. */
function policyOf(
  { onInterruption }: DeclaredArguments,
  config: Pick<ProviderConfig, "onInterruption">,
): InterruptionPolicy {
  return onInterruption === undefined || onInterruption === unknownValue
    ? config.onInterruption
    : (onInterruption as InterruptionPolicy);
}

/**
 * Moves and replacements do not wait, because other resources of the same run may depend on them: for example, the
 * branch that a compute leaves may be deleted next, with every compute on it.
 */
function isCountedOn(name: ArgumentName): boolean {
  return ["replace", "move"].includes(effectOf(name));
}

interface Until {
  /** `until Sat 28 Nov 02:00 (Europe/Berlin)`. */
  readonly text: string;
  /** In ISO 8601; undefined if no window is configured. */
  readonly until?: string;
}

/** The setting's key. Not imported from the table of settings, which would load all the code that reads settings. */
const windowKey: (typeof settings)["interruptionWindow"]["key"] = "compute:interruptionWindow";

/** Until when no window is open. */
function untilOf({ interruptionWindow: window }: Situation["config"], nowMs: number): Until {
  const opensMs = window && nextOpening(window, nowMs);
  if (window === undefined || opensMs === undefined) return { text: `until ${windowKey} is set` };
  return { text: `until ${momentText(window, opensMs)}`, until: new Date(opensMs).toISOString() };
}

function deferralOf<Inputs extends DeclaredArguments>(
  { before, inputs, changed, now }: PlannedChange<Inputs>,
  { effect, text }: Interruption,
  { names, until }: { readonly names: readonly ArgumentName[]; readonly until: Until },
): Deferral<Inputs> {
  const kept = Object.entries({
    ...inputs,
    ...Object.fromEntries(names.map((name) => [name, before[name]])),
  });
  return {
    rest: {
      before,
      inputs: Object.fromEntries(kept.filter(([, value]) => value !== undefined)) as Inputs,
      changed: changed.filter((name) => !names.includes(name)),
      interruption: undefined,
      now,
    },
    names,
    notice: `${until.text}: ${text}`,
    verdict: { effect, ...until },
  };
}

/** @param closed - until when no window is open, if that is the reason for the refusal. */
function refusalOf(
  { text }: Interruption,
  policy: InterruptionPolicy,
  closed?: string,
): NonNullable<Decision["refusal"]> {
  const warns = 'set onInterruption: "warn" on this resource';
  if (closed === undefined)
    return {
      what: text,
      fix:
        `This is forbidden here (onInterruption is "${policy}"): to allow it, ${warns}, ` +
        "or run `pulumi config set compute:onInterruption warn` where the stack says so, " +
        "and unset COMPUTE_ON_INTERRUPTION where the environment does",
    };
  return {
    what: text,
    fix:
      'This cannot be left for a window (onInterruption is "defer"): of a move, a replacement or an adoption, other ' +
      "resources of the run may need the outcome, and a secret cannot stay where none is declared any more. Run " +
      `\`pulumi up\` within ${windowKey}, which is closed ${closed}, or ${warns}`,
  };
}
