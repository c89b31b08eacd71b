/**
 * Plans a change: which arguments differ, what that interrupts, and whether it is applied, waits for a window or until
 * the compute is idle, or is refused. Pure. `check`, `diff`, `update` and the report all compare with `changeOf`; only `decideOn` applies the
 * policy and the window.
 */
import type { ProviderConfig } from "../../settings/config";
import type { Problem } from "../../errors";
import { effectOf, type ArgumentName } from "../../fields";
import { isOpen, momentText, nextOpening } from "../../settings/interruptionWindow";
import type { InterruptionPolicy } from "../../settings/policies";
import type { SettingSource } from "../../settings/sources";
import type { settings } from "../../settings/table";
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

/** What waits, for a window or until the compute is idle: the rest is applied now, and the next check finds the difference again. */
export interface Deferral<Inputs extends DeclaredArguments = DeclaredArguments> {
  /** The change without the deferred arguments, which keep their former values. */
  readonly rest: PlannedChange<Inputs>;
  /** The deferred arguments. */
  readonly names: readonly ArgumentName[];
  /** The deferred interruption, and until when it waits. */
  readonly text: string;
  /** The deferral for the report. */
  readonly verdict: NonNullable<Verdict["deferred"]>;
}

/** What the policy decides about a change; empty if the change is applied unchanged. */
export interface Decision<Inputs extends DeclaredArguments = DeclaredArguments> {
  readonly deferral?: Deferral<Inputs>;
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

export function decideOn<Inputs extends DeclaredArguments>(
  change: PlannedChange<Inputs>,
  { config, nowMs, cannotWait = [], isFinal = false }: Situation,
): Decision<Inputs> {
  const { interruption, now } = change;
  if (interruption === undefined) return {};
  const policy = policyOf(change.inputs, config);
  const refused = (until?: string): Decision<Inputs> => ({
    refusal: refusalOf(rowText({ property: "interruption", ...interruption, now }), {
      policy,
      place: placeOf(change.inputs, config),
      until,
    }),
  });
  // A compute that could not be read counts as active.
  const isIdle = runsNothing(now?.running);
  if (waits(policy)) {
    if (config.interruptionWindow !== undefined && isOpen(config.interruptionWindow, nowMs)) return {};
    const waitsUntilIdle = policy === "when-idle";
    const mayBeIdle = isIdle || (now?.running === undefined && !isFinal);
    if (waitsUntilIdle && mayBeIdle) return isFinal ? {} : { proviso: unlessActive };
    const until = untilOf(config, { nowMs, waitsUntilIdle });
    const names = interruptingArguments(change.before, change.inputs, change.changed);
    const canWait = names.length > 0 && !names.some((name) => cannotWait.includes(name) || isCountedOn(name));
    return canWait ? { deferral: deferralOf(change, interruption, { names, until }) } : refused(until.text);
  }
  const isForbidden = policy === "forbid" || (policy === "forbid-when-active" && !isIdle);
  return isForbidden ? refused() : {};
}

export const unlessActive = "left for a later update unless it is idle then";
const onceIdle = "; the first update that finds it idle applies it";

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

/** Whether the policy leaves an interruption for a later run, in place of refusing it. */
export function waits(policy: InterruptionPolicy): policy is "defer" | "when-idle" {
  return policy === "defer" || policy === "when-idle";
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

interface Until {
  /** `until Sat 28 Nov 02:00 (Europe/Berlin)`, or `until it is idle`. */
  readonly text: string;
  /** In ISO 8601; undefined if no window is configured. */
  readonly until?: string;
  readonly untilIdle?: true;
}

/** The setting's key. Not imported from the table of settings, which would load all the code that reads settings. */
const windowKey: (typeof settings)["interruptionWindow"]["key"] = "compute:interruptionWindow";

/** What a change waits for while no window is open: for the next window, until the compute is idle, or for either. */
export function untilOf(
  { interruptionWindow: window }: Situation["config"],
  { nowMs, waitsUntilIdle }: { readonly nowMs: number; readonly waitsUntilIdle: boolean },
): Until {
  const opensMs = window && nextOpening(window, nowMs);
  const idle = waitsUntilIdle ? { untilIdle: true as const } : {};
  if (window === undefined || opensMs === undefined)
    return { text: waitsUntilIdle ? "until it is idle" : `until ${windowKey} is set`, ...idle };
  const opens = momentText(window, opensMs);
  return {
    text: waitsUntilIdle ? `until it is idle, or until ${opens}` : `until ${opens}`,
    until: new Date(opensMs).toISOString(),
    ...idle,
  };
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
    text: `${until.text}: ${text}${until.untilIdle === true ? onceIdle : ""}`,
    verdict: { effect, ...until },
  };
}

interface Refused {
  readonly policy: InterruptionPolicy;
  readonly place: string;
  /** What the change would wait for, if it cannot wait. */
  readonly until?: string | undefined;
}

/** Its advice is about this resource alone: its own setting overrides every other one. */
export function refusalOf(what: string, { policy, place, until }: Refused): NonNullable<Decision["refusal"]> {
  const said = `(onInterruption is "${policy}" ${place})`;
  const warns =
    place === ownPlace ? 'set it to "warn"' : `set onInterruption: "warn" ${ownPlace}, which overrides that`;
  if (until === undefined) return { what, fix: `This is forbidden here ${said}: to allow it, ${warns}` };
  const [left, again] =
    policy === "when-idle"
      ? ["until the compute is idle", `again later: it is refused ${until}`]
      : ["for a window", `within ${windowKey}, which is closed ${until}`];
  return {
    what,
    fix:
      `This cannot be left ${left} ${said}: of a move, a replacement or an adoption, other ` +
      "resources of the run may need the outcome, and a secret cannot stay where none is declared any more. Run " +
      `\`pulumi up\` ${again}, or ${warns}`,
  };
}
