/**
 * What a policy does with an interruption: it is applied, waits until the compute is idle or a window opens, or is refused.
 */
import type { ProviderConfig } from "../settings/config";
import type { Problem } from "./errors";
import type { SettingSource } from "../settings/sources";
import type { Arguments } from "./changes";
import { effectOf, type ArgumentName } from "./fields";
import { interruptingArguments, runsNothing, type Interruption, type PlannedChange } from "./interruption";
import { isOpen, momentText, nextOpening, type InterruptionPolicy } from "./interruptionWindow";
import { rowText, type Verdict } from "./notice";
import { unknownValue } from "./unknown";

type PolicyConfig = Pick<ProviderConfig, "onInterruption" | "onInterruptionPlace" | "interruptionWindow">;

/** How the advice of a refusal begins: the report recognises a refusal by it. */
export const refusals = {
  forbidden: "This is forbidden here",
  undeferrable: "This cannot be deferred",
} as const;

/** When a decision is made, and by which configuration. */
export interface Situation {
  readonly config: PolicyConfig & Pick<ProviderConfig, "liveFacts" | "service">;
  /** Wall time in milliseconds. */
  readonly nowMs: number;
  /** True directly before a change is sent: at that point, a compute that could not be read counts as active. */
  readonly isFinal?: boolean;
  /** True for an adoption: there are no old values to keep. */
  readonly isAdoption?: boolean;
  /** Names of arguments that were secret and no longer are: their old values must not be stored. */
  readonly madePublic?: readonly string[] | undefined;
}

/** What the policy decides about an interruption; empty if it is applied unchanged. */
export interface Decision {
  /**
   * What waits until the compute is idle or a window is open: the state keeps the old value, so the next diff finds the
   * difference again.
   */
  readonly deferral?: {
    /** The deferred arguments. */
    readonly names: readonly ArgumentName[];
    /** The deferred interruption, and until when it waits. */
    readonly text: string;
    /** The deferral for the report. */
    readonly verdict: NonNullable<Verdict["deferred"]>;
  };
  /** The refused interruption, and what would allow it. */
  readonly refusal?: Pick<Problem, "what" | "fix">;
  /** Set if the update decides again: the condition under which it applies the change, for the notice. */
  readonly proviso?: string;
}

/** What the policy decides about a change; empty if the change is applied unchanged. */
export function decideOn(change: PlannedChange, situation: Situation): Decision {
  const { inputs, interruption, now } = change;
  if (interruption === undefined) return {};
  const interrupting = { ...change, interruption };
  const { config } = situation;
  const isIdle = runsNothing(now?.running);
  const { policy } = policyOf(inputs, config);
  switch (policy) {
    case "warn":
      return {};
    case "forbid":
      return { refusal: refusalOf(interrupting, config) };
    case "forbid-when-active":
      return isIdle ? {} : { refusal: refusalOf(interrupting, config) };
    case "defer":
      return deferUnlessIdle(interrupting, situation);
  }
}

type InterruptingChange = PlannedChange & { readonly interruption: Interruption };

/** What `defer` decides. A plan cannot know whether the compute will be idle, so it leaves that decision to the update. */
function deferUnlessIdle(change: InterruptingChange, situation: Situation): Decision {
  const { interruption, now } = change;
  const { config, nowMs, isFinal = false } = situation;
  const { interruptionWindow: window } = config;
  if (window !== undefined && isOpen(window, nowMs)) return {};
  const isIdle = runsNothing(now?.running);
  if (isIdle && isFinal) return {};
  const reason = whyNotToWait(change, situation);
  const mayBeIdle = isIdle || (now?.running === undefined && !isFinal);
  if (mayBeIdle)
    return {
      proviso: reason === undefined ? unlessActive : "refused unless the update finds the compute idle",
    };
  if (reason !== undefined)
    return { refusal: refusalOf(change, config, { reason, passes: passesWhen(config, nowMs) }) };
  const first = firstApplying(config, nowMs);
  const verdict = { effect: interruption.effect, text: first };
  const text = interruption.text.replace(": ", `, deferred ${first}: `);
  return { deferral: { names: interruptingArguments(change), text, verdict } };
}

/**
 * Why a change cannot wait; undefined if it can. Moves, replacements and adoptions do not wait: for example, the branch that a
 * compute leaves may be deleted next, with every compute on it.
 */
function whyNotToWait(
  change: PlannedChange,
  { isAdoption = false, madePublic = [] }: Situation,
): string | undefined {
  const names = interruptingArguments(change);
  // No argument asks for a forced replacement.
  const isReplaced = names.length === 0;
  if (isAdoption || isReplaced || names.some((name) => ["replace", "move"].includes(effectOf(name))))
    return "Moves, replacements and adoptions are refused instead, because other resources of this run may need them.";
  return names.some((name) => madePublic.includes(name))
    ? "A change that makes a secret value public is refused instead: if it waited, the state would store the old value in plain text."
    : undefined;
}

const unlessActive = "applied if the update finds the compute idle, otherwise left for a later update";

/**
 * Whether the policy may hold a change back. If so, the decision can depend on what the compute is doing at this moment, and
 * the update decides again right before it sends the change.
 */
export function mayHoldBack(inputs: Arguments, config: PolicyConfig): boolean {
  return policyOf(inputs, config).policy !== "warn";
}

/**
 * The policy that applies, and a clause that says where it is set. If the resource sets no policy, or its value is not known
 * yet, the configured policy applies.
 */
function policyOf(
  { onInterruption: own }: Arguments,
  { onInterruption, onInterruptionPlace: place }: PolicyConfig,
): { readonly policy: InterruptionPolicy; readonly place: string } {
  if (own !== undefined && own !== unknownValue)
    return { policy: own as InterruptionPolicy, place: ownPlace };
  return { policy: onInterruption, place: place === undefined ? "by default" : places[place] };
}

/** The argument, as each language names it: the plugin does not know the program's language. */
const ownSetting = "onInterruption (in Python: on_interruption)";

const ownPlace = "on this resource, set by the program or by a policy pack";

const places = {
  argument: "in the arguments of its Provider",
  stack: "in the stack's configuration (compute:onInterruption)",
  environment: "in the environment (COMPUTE_ON_INTERRUPTION)",
} as const satisfies Record<SettingSource, string>;

/** Which run applies a change that waits: nothing runs by itself. */
function firstApplying(config: PolicyConfig, nowMs: number): string {
  const opening = openingText(config, nowMs);
  const first = "until an update finds the compute idle";
  return opening === undefined ? first : `${first} or runs in the window from ${opening}`;
}

/** When a change that cannot be deferred is no longer refused. */
function passesWhen(config: PolicyConfig, nowMs: number): string {
  const opening = openingText(config, nowMs);
  return opening === undefined
    ? "once the compute is idle"
    : `once the compute is idle, or in the window from ${opening}`;
}

function openingText({ interruptionWindow: window }: PolicyConfig, nowMs: number): string | undefined {
  if (window === undefined) return undefined;
  const opensMs = nextOpening(window, nowMs);
  return opensMs === undefined ? undefined : momentText(window, opensMs);
}

/**
 * The error for a refused change. Its advice is for this resource alone, since a setting on the resource overrides every other
 * setting.
 *
 * @param exception - for a change that cannot be deferred: why, and when it is no longer refused.
 */
function refusalOf(
  { inputs, interruption, now }: InterruptingChange,
  config: PolicyConfig,
  exception?: { readonly reason: string; readonly passes: string },
): Pick<Problem, "what" | "fix"> {
  const what = rowText(interruption.text, { certain: interruption.certain, now });
  const { policy, place } = policyOf(inputs, config);
  const said = `onInterruption is "${policy}" ${place}`;
  const allows =
    place === ownPlace
      ? `set ${ownSetting} to "warn"`
      : `set ${ownSetting} to "warn" on this resource, which overrides that setting`;
  if (exception === undefined)
    return { what, fix: `${refusals.forbidden}: ${said}. To allow the change, ${allows}` };
  const { reason, passes } = exception;
  const fix = `${refusals.undeferrable}, although ${said}. ${reason} Run \`pulumi up\` ${passes}. To apply the change now, ${allows}`;
  return { what, fix };
}
