/**
 * What a change does to a running compute: which arguments differ before and after it, what that interrupts, and the sentence
 * that says so. Pure: check, diff, update and the report all call `changeOf`.
 */
import { argumentNames, effectOf, isOwn, type ArgumentName, type Effect } from "./fields";
import { withIgnored } from "./ignored";
import { unknownValue } from "./unknown";
import type { ServiceName } from "./services";
import { cuRange, figuresBetween } from "./sizes";
import {
  changedArguments,
  changedNames,
  droppedNames,
  settingsAmong,
  withoutPrefix,
  dueTriggers,
  isRestartCertain,
  type Arguments,
} from "./changes";

/** What a compute is doing at this moment, according to the service. */
export type Running = "active" | "idle" | "disabled";

/** What the service says about a compute at this moment. */
export interface Now {
  /** undefined if the service does not say: such a compute counts as active. */
  readonly running: Running | undefined;
  /** `5 min ago`, for an active compute; absent if the service does not say. */
  readonly lastAccess?: string | undefined;
}

/** A change that drops, or may drop, open connections. */
export interface Interruption {
  /** The most severe effect of the change. If any effect is certain, only certain effects count. */
  readonly effect: Exclude<Effect, "none">;
  /** False if only the update will show the effect, since a value is unknown or the interface does not state the effect. */
  readonly certain: boolean;
  /** Further effects of the change, the most severe first; absent if it has no others. */
  readonly also?: readonly FurtherEffect[] | undefined;
  /**
   * One sentence: the effect, its causes, and what clients notice. It does not say what the compute is doing now, so that a
   * saved plan stays valid; `rowText` adds that. `verdictOnRow` reads the verdict of the dynamic provider from this sentence:
   * if you change the words with which the sentence begins, or those that join its parts, change that function too.
   */
  readonly text: string;
}

/** A further effect of a change, beside `Interruption.effect`. */
export interface FurtherEffect {
  /** What this part of the change does. */
  readonly effect: Exclude<Effect, "none" | "unstated">;
  /** False if only the update will show the effect. */
  readonly certain: boolean;
}

/** The change from the known compute to the declaration. */
export interface PlannedChange<Inputs extends Arguments = Arguments> {
  /** What the declaration is compared with: a state, an old declaration, or what the service answers. */
  readonly before: Arguments;
  readonly inputs: Inputs;
  /**
   * Names of the arguments to send: those that differ from `before`. If `before` is what the service answers, also those that
   * differ from the state.
   */
  readonly changed: readonly ArgumentName[];
  /** undefined if open connections are unaffected. */
  readonly interruption: Interruption | undefined;
  /** What the service answered about the compute; undefined if it was not asked, or did not answer. */
  readonly now?: Now | undefined;
}

/** What affects the judgement of a change besides its two sides. */
export interface Circumstances {
  /** What the service says about the compute at this moment; undefined if it was not asked. */
  readonly now?: Now | undefined;
  /** Arguments whose values are secret: the notice names them without their values. */
  readonly secrets?: readonly string[];
  /** True if the values of the compute are unknown, so that no cause is certain. */
  readonly isGuess?: boolean;
  /** The service whose figures a notice shows; without it, no figure. */
  readonly service?: ServiceName;
  /** Paths that the program ignores: they count as unchanged. */
  readonly ignores?: readonly string[];
}

/** The two sides of a change, and the arguments in which they differ. */
type Sides = Pick<PlannedChange, "before" | "inputs" | "changed">;

export function changeOf<Inputs extends Arguments>(
  before: Arguments,
  inputs: Inputs,
  circumstances: Circumstances = {},
): PlannedChange<Inputs> {
  const wanted = withIgnored(before, inputs, circumstances.ignores ?? []);
  const sides = { before, inputs: wanted, changed: changedArguments(before, wanted) };
  return { ...sides, interruption: interruptionOf(sides, circumstances), now: circumstances.now };
}

/** The interruption that a change causes; undefined if connections are unaffected. */
export function interruptionOf(sides: Sides, circumstances: Circumstances): Interruption | undefined {
  const { now, secrets = [], isGuess = false, service = "unknown" } = circumstances;
  const causes = argumentNames
    .filter((name) => sides.changed.includes(name))
    .flatMap((name) => {
      // A trigger does not restart a compute that is still idle during the update, so its effect is not certain. All other
      // arguments are sent to an idle compute as well.
      const isOpen = isGuess || (isOwn(name) && now?.running === "idle");
      return causesOf(name, sides, secrets).map((cause) => {
        // The state calls the compute disabled, but nobody was asked: somebody may have enabled it.
        const mayBeOff = now === undefined && sides.before.disabled === true && cause.effect !== "replace";
        return { ...cause, certain: cause.certain && !isOpen && !mayBeOff };
      });
    })
    // A disabled compute runs nothing: only a replacement, which changes its host, matters.
    .filter((cause) => now?.running !== "disabled" || cause.effect === "replace");
  const certain = causes.some((cause) => cause.certain);
  const heaviest = effects.find((effect) =>
    causes.some((cause) => cause.effect === effect && cause.certain === certain),
  );
  if (heaviest === undefined) return undefined;
  // A new compute has all its values from the start, so only the causes of the replacement matter.
  const named = heaviest === "replace" ? causes.filter((cause) => cause.effect === "replace") : causes;
  const texts = [...new Set(named.map((cause) => cause.text))];
  const also = heaviest === "replace" && certain ? [] : furtherEffects(causes, heaviest);
  const several = texts.length > 1 ? "several" : "one";
  const form = certain ? several : "may";
  return {
    effect: heaviest,
    certain,
    ...(also.length === 0 ? {} : { also }),
    text: `${certain ? "" : "may "}${verbs[heaviest]}: ${texts.join(" and ")}${consequence({ effect: heaviest, form }, sides, { secrets, service, also })}`,
  };
}

/** The effects of the causes, except the effect with which the sentence begins. */
function furtherEffects(
  causes: readonly Cause[],
  heaviest: Interruption["effect"],
): readonly FurtherEffect[] {
  return effects.flatMap((effect) => {
    const those = causes.filter((cause) => cause.effect === effect);
    // An unstated effect adds nothing to another effect.
    if (effect === heaviest || effect === "unstated" || those.length === 0) return [];
    return [{ effect, certain: those.some(({ certain }) => certain) }];
  });
}

/** The word of each effect in a sentence, the most severe effect first. */
export const verbs = {
  replace: "replace",
  move: "move",
  suspend: "suspend",
  restart: "restart",
  unstated: "interrupt",
} as const satisfies Record<Interruption["effect"], string>;

export const effects = Object.keys(verbs) as readonly Interruption["effect"][];

/** The arguments whose changes interrupt, or may interrupt. */
export function interruptingArguments(sides: Sides): readonly ArgumentName[] {
  return sides.changed.filter((name) => causesOf(name, sides, []).length > 0);
}

/**
 * Whether the change would interrupt the compute if the compute were running. A compute that is disabled in the state may have
 * been enabled by somebody else.
 */
export function mayInterrupt(sides: Sides): boolean {
  return interruptingArguments(sides).length > 0;
}

/** Whether the service says that the compute runs nothing, so that no connection is open. */
export function runsNothing(running: Running | undefined): boolean {
  return running === "idle" || running === "disabled";
}

/** Why a change interrupts. */
interface Cause {
  readonly effect: Interruption["effect"];
  readonly certain: boolean;
  readonly text: string;
}

function causesOf(name: ArgumentName, sides: Sides, secrets: readonly string[]): readonly Cause[] {
  const { before, inputs } = sides;
  const effect = effectOf(name);
  if (effect === "none") return [];
  const isKnown = inputs[name] !== unknownValue;
  switch (name) {
    case "autoscalingLimitMinCu":
    case "autoscalingLimitMaxCu":
      return [{ effect, certain: isKnown && before[name] !== undefined, text: sizeText(sides, secrets) }];
    case "disabled":
      // Enabling a compute drops no connections: it was not running.
      if (inputs.disabled === false) return [];
      return [{ effect, certain: isKnown, text: isKnown ? "disabling the compute" : untilUpdate(name) }];
    case "restartTriggers": {
      if (!isKnown) return [{ effect, certain: false, text: untilUpdate(name) }];
      const due = dueTriggers(before[name], inputs[name]);
      // Names only: the values may be secret.
      const text = `${name} (${due.join(", ")})`;
      return due.length === 0
        ? []
        : [{ effect, certain: isRestartCertain(before[name], inputs[name]), text }];
    }
    case "settings":
      return [{ effect, certain: false, text: `settings.pgSettings${settingNames(sides)}` }];
    default: {
      const text = secrets.includes(name) ? `${name} (secret)` : fromTo(name, before[name], inputs[name]);
      return [{ effect, certain: isKnown && effect !== "unstated", text }];
    }
  }
}

function untilUpdate(name: string): string {
  return `${name} (value known only during the update)`;
}

/** `branchId br-a → br-b`; without the old value if it was not declared. */
function fromTo(name: string, from: unknown, to: unknown): string {
  if (to === unknownValue) return untilUpdate(name);
  const plainly = (value: unknown): string => JSON.stringify(value).replaceAll('"', "");
  return from === undefined ? `${name} ${plainly(to)}` : `${name} ${plainly(from)} → ${plainly(to)}`;
}

/** Names only: the values may be secret. */
function settingNames({ before, inputs }: Sides): string {
  const removed = droppedNames(before, inputs);
  const changed = settingsAmong(changedNames(before, inputs)).filter((name) => !removed.includes(name));
  const listed = (names: readonly string[]): string => names.map(withoutPrefix).join(", ");
  const parts = [listed(changed), removed.length > 0 ? `removed: ${listed(removed)}` : ""];
  const names = parts.filter((part) => part !== "").join("; ");
  return names && ` (${names})`;
}

const sizeNames = ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"] as const;

/** One text for both limits, so that a change of both shows as one cause. */
function sizeText({ before, inputs, changed }: Sides, secrets: readonly string[]): string {
  if (sizeNames.some((name) => secrets.includes(name))) return "size (secret)";
  const changing = sizeNames.filter((name) => changed.includes(name));
  if (changing.every((name) => inputs[name] === unknownValue)) return untilUpdate("size");
  const from = cuRange(sizeNames.map((name) => before[name]));
  const to = cuRange(sizeNames.map((name) => inputs[name] ?? before[name]));
  const isCompared = changing.some((name) => before[name] !== undefined);
  return isCompared ? `size ${from} → ${to} CU` : `size ${to} CU (if the current size differs)`;
}

/** What is dropped, and what clients notice afterwards. */
function consequence(
  { effect, form }: { readonly effect: Interruption["effect"]; readonly form: VerbForm },
  sides: Sides,
  {
    also,
    ...options
  }: {
    readonly secrets: readonly string[];
    readonly service: ServiceName;
    readonly also: readonly FurtherEffect[];
  },
): string {
  if (effect === "replace") return ` ${replacing[form]}${alsoText(also)}`;
  if (effect === "unstated") return "; the service does not document whether open connections survive";
  // Interface 1: all connections drop, also those through the pooler.
  const pooled = sides.before.poolerEnabled === true ? ", pooled ones too" : "";
  return ` ${dropping[form]} open connections${pooled}${alsoText(also)}${clientsNotice(sides, options)}`;
}

/** `; also: restart, may suspend`. */
function alsoText(also: readonly FurtherEffect[]): string {
  if (also.length === 0) return "";
  return `; also: ${also.map(({ effect, certain }) => `${certain ? "" : "may "}${verbs[effect]}`).join(", ")}`;
}

/** The verb of a notice with one cause, with several causes, or with causes that are uncertain. */
type VerbForm = "one" | "several" | "may";

const dropping: Readonly<Record<VerbForm, string>> = { one: "drops", several: "drop", may: "may drop" };

const replacing: Readonly<Record<VerbForm, string>> = {
  one: "creates a new compute and deletes this one; the old host goes away and open connections drop",
  several: "create a new compute and delete this one; the old host goes away and open connections drop",
  may: "may create a new compute and delete this one; then the old host goes away and open connections drop",
};

/** The interruption of a replacement that the declaration does not ask for. */
export const forcedReplacement: Interruption = {
  effect: "replace",
  certain: true,
  text: `${verbs.replace}: a forced replacement (--replace, taint or an option) ${replacing.one}`,
};

/** The figures that change with the size, except those that would reveal a secret. */
function clientsNotice(
  { before, inputs }: Sides,
  { secrets, service }: { readonly secrets: readonly string[]; readonly service: ServiceName },
): string {
  const shown = sizeNames.filter((name) => !secrets.includes(name));
  const old = Object.fromEntries(shown.map((name) => [name, before[name]]));
  const next = Object.fromEntries(shown.map((name) => [name, inputs[name] ?? before[name]]));
  // In ASCII: the CLI cuts a long text after 150 bytes, even inside a character.
  const figures = figuresBetween(old, next, service).map(({ name, from, to, unit }) =>
    `${name} ${from} to ${to} ${unit}`.trimEnd(),
  );
  return figures.length === 0 ? "" : `; ${figures.join(", ")}`;
}
