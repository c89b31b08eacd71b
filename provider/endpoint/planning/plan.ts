/**
 * What a declaration changes in a compute, what that interrupts, and what becomes of it: it is applied, waits for a
 * window, or is refused. Pure. `check`, `diff`, `update` and the report all compare with `changeOf`; the policy and the
 * window are asked in `decideOn` alone.
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
  unknownValue,
  type Circumstances,
  type Interruption,
  type Now,
  type Verdict,
} from "./verdict";

/** From what is known of a compute to what is declared. */
export interface PlannedChange<Inputs extends DeclaredArguments = DeclaredArguments> {
  /** What the declaration is compared with: a state, an old declaration, or what the service answers. */
  readonly before: Stored;
  readonly inputs: Inputs;
  /** Names of the arguments that differ between the two. */
  readonly changed: readonly ArgumentName[];
  /** undefined where open connections are unaffected. */
  readonly interruption: Interruption | undefined;
  /** What the service said of the compute; undefined where nobody asked, or got an answer. */
  readonly now?: Now | undefined;
}

/** What bears on the words of an interruption besides the two sides. */
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

/** Whether the change would interrupt the compute if it ran. One that counts as disabled may have been enabled outside. */
export function mayInterrupt({ before, inputs, changed }: PlannedChange): boolean {
  return interruptingArguments(before, inputs, changed).length > 0;
}

/** What is left for a window: the rest is applied now, and the next check finds the difference again. */
export interface Deferral<Inputs extends DeclaredArguments = DeclaredArguments> {
  /** The change without what waits, which stays as it was before. */
  readonly rest: PlannedChange<Inputs>;
  /** The arguments that wait. */
  readonly names: readonly ArgumentName[];
  /** Until when the interruption waits, and which it is. */
  readonly notice: string;
  /** The same for the report. */
  readonly verdict: NonNullable<Verdict["deferred"]>;
}

/** What the policy makes of a change; neither where it is applied as it is. */
export interface Decision<Inputs extends DeclaredArguments = DeclaredArguments> {
  readonly deferral?: Deferral<Inputs>;
  /** The interruption, and what would allow it. */
  readonly refusal?: Pick<Problem, "what" | "fix">;
}

/** When a change is decided on, and by whose policy. */
export interface Situation {
  readonly config: Pick<ProviderConfig, "onInterruption" | "interruptionWindow">;
  /** Wall time in milliseconds. */
  readonly nowMs: number;
  /** Names of arguments that cannot stay as they were: nothing was before, or what was before may not be stored. */
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
  // One that nobody could be asked about counts as active.
  const runsNothing = now?.running === "idle" || now?.running === "disabled";
  const isForbidden = policy === "forbid" || (policy === "forbid-when-active" && !runsNothing);
  return isForbidden ? { refusal: refusalOf(interruption, policy) } : {};
}

/** Whether the policy may hold a change back: what the compute does at this moment may decide on it then. */
export function mayHoldBack(inputs: DeclaredArguments, config: Situation["config"]): boolean {
  return policyOf(inputs, config) !== "warn";
}

/** That of the resource; where it says nothing, or something that is not known yet, the stack's. */
function policyOf(
  { onInterruption }: DeclaredArguments,
  config: Pick<ProviderConfig, "onInterruption">,
): InterruptionPolicy {
  return onInterruption === undefined || onInterruption === unknownValue
    ? config.onInterruption
    : (onInterruption as InterruptionPolicy);
}

/**
 * Moves and replacements do not wait: other resources of the same run may count on them, such as the branch that a
 * compute is to leave and that is deleted next, with every compute on it.
 */
function isCountedOn(name: ArgumentName): boolean {
  return ["replace", "move"].includes(effectOf(name));
}

interface Until {
  /** `until Sat 28 Nov 02:00 (Europe/Berlin)`. */
  readonly text: string;
  /** In ISO 8601; absent where no window is configured. */
  readonly until?: string;
}

/** The setting's key. Not from its table, which comes with what reads every setting. */
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

/** @param closed - until when no window is open, where it is refused for that. */
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
