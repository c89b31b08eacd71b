/**
 * Judges what a change does to a running compute. Pure: the preview's property, the warning on the resource's row, a
 * policy's refusal and the report all use this judgement.
 */
import { argumentNames, effectOf, type ArgumentName, type Effect } from "./fields";
import { unknownValue } from "./unknown";
import type { ServiceName } from "./services";
import { cuRange, figuresBetween } from "./sizes";
import { changedSettings, type DeclaredArguments, type Stored } from "./changes";
import { dueTriggers, isRestartCertain } from "./triggers";
import type { FurtherEffect, Interruption, Notice, Now, Running, Verdict } from "./interruption";

/** Whether the service says that the compute runs nothing, so that no connection is open. */
export function runsNothing(running: Running | undefined): boolean {
  return running === "idle" || running === "disabled";
}

/** Whether open connections drop. An idle or disabled compute has none. */
export function dropsOf({
  effect,
  certain,
  now,
}: Pick<Verdict, "effect" | "certain" | "now">): "yes" | "may" | "no" {
  if (effect === "none" || runsNothing(now)) return "no";
  return certain ? "yes" : "may";
}

/** What else affects the judgement of a change. */
export interface Circumstances {
  /** The arguments that change, as `diff` finds them. */
  readonly changed: readonly ArgumentName[];
  /** What the service says about the compute at this moment; undefined if it was not asked. */
  readonly now?: Now | undefined;
  /** Arguments whose values are secret: the notice names them without their values. */
  readonly secrets?: readonly string[];
  /** True if it is not known what the compute runs: then every cause is a "may". */
  readonly isGuess?: boolean;
  /** Whose figures a notice shows; without it, no figure. */
  readonly service?: ServiceName;
}

interface Cause {
  readonly argument: ArgumentName;
  readonly effect: Exclude<Effect, "none">;
  readonly certain: boolean;
  readonly text: string;
}

/** The most severe effect first. */
const weight = ["replace", "move", "suspend", "restart", "unstated"] as const satisfies readonly Effect[];

/**
 * The interruption that a change causes; undefined if connections are unaffected.
 *
 * @param before - what is known of the compute: the old state, or the old declaration.
 *
 * @param after - the new declaration.
 */
export function interruptionOf(
  before: Stored,
  after: DeclaredArguments,
  circumstances: Circumstances,
): Interruption | undefined {
  const { changed, now, secrets = [], isGuess = false, service = "unknown" } = circumstances;
  const sides: TwoSides = { before, after, changed, secrets };
  const causes = argumentNames
    .filter((name) => changed.includes(name))
    .flatMap((argument) => causesOf(argument, sides).map((cause) => ({ argument, ...cause })))
    // A disabled compute runs nothing: only a replacement, which changes its host, matters.
    .filter((cause) => !isOff(before, now) || cause.effect === "replace");
  const isVague = isGuess || !causes.some((cause) => cause.certain);
  const heaviest = weight.find((effect) =>
    causes.some((cause) => cause.effect === effect && (isGuess || cause.certain !== isVague)),
  );
  if (heaviest === undefined) return undefined;
  // A new compute has all its settings from the start: only what replaces it matters then.
  const named = heaviest === "replace" ? causes.filter((cause) => cause.effect === "replace") : causes;
  const texts = [...new Set(named.map((cause) => cause.text))];
  const isCertain = (cause: Cause): boolean => cause.certain && !isGuess;
  const certain = causes.some(isCertain);
  const also = furtherEffects(causes, heaviest, isCertain);
  return {
    effect: heaviest,
    certain,
    ...(also.length === 0 ? {} : { also }),
    text: `${isVague ? "may " : ""}${verbs[heaviest]}: ${texts.join(" and ")} ${consequence(heaviest, sides, service)}`,
  };
}

/** What the causes do besides the effect that the change is called by. */
function furtherEffects(
  causes: readonly Cause[],
  heaviest: Interruption["effect"],
  isCertain: (cause: Cause) => boolean,
): readonly FurtherEffect[] {
  // A new compute has all its settings from the start.
  if (heaviest === "replace" && causes.some(isCertain)) return [];
  return weight.flatMap((effect) => {
    const those = causes.filter((cause) => cause.effect === effect);
    // Beside another effect, what the interface does not say adds nothing.
    if (effect === heaviest || effect === "unstated" || those.length === 0) return [];
    return [{ effect, certain: those.some(isCertain) }];
  });
}

/**
 * Whether a compute is disabled and runs nothing. If the service was asked, its live state counts (interface 2.1): a
 * compute whose suspend failed is disabled and active. A state has only the flag.
 */
export function isOff({ disabled }: Stored, now: Now | undefined): boolean {
  return now === undefined ? disabled === true : now.running === "disabled";
}

/** Within a branch, the smaller rank comes first: replicas before the primary. */
export function restartRank({ type }: { readonly type?: string | null | undefined }): number {
  return type === "read_write" ? 1 : 0;
}

/** The arguments whose changes interrupt, or may interrupt. */
export function interruptingArguments(
  before: Stored,
  after: DeclaredArguments,
  changed: readonly ArgumentName[],
): readonly ArgumentName[] {
  const sides: TwoSides = { before, after, changed, secrets: [] };
  return changed.filter((name) => causesOf(name, sides).length > 0);
}

interface TwoSides {
  readonly before: Stored;
  readonly after: DeclaredArguments;
  readonly secrets: readonly string[];
  readonly changed: readonly ArgumentName[];
}

const verbs = {
  replace: "replace",
  move: "move",
  suspend: "suspend",
  restart: "restart",
  unstated: "interrupt",
} as const;

/** The parts of a notice, of whatever judgement; empty for any other text. */
export function noticeParts(text: string): {
  readonly effect?: Interruption["effect"];
  readonly certain?: boolean;
  /** `until it is idle`, of what waits. */
  readonly until?: string;
} {
  const form = `^(?:deferred (until [^]*?): )?(may )?(${Object.values(verbs).join("|")}): `;
  const [, until, may, verb] = new RegExp(form, "u").exec(text) ?? [];
  const effect = weight.find((each) => verbs[each] === verb);
  if (effect === undefined) return {};
  return { effect, certain: may === undefined, ...(until === undefined ? {} : { until }) };
}

/** Whether a warning of a row is a notice: any other one says something else. */
export function isNotice(warning: string): boolean {
  return noticeParts(warning).effect !== undefined;
}

/**
 * What changes, out of a notice of `interruptionOf`, whatever stands before it (`deferred until …: `): `size 1 → 2 CU`.
 * undefined for any other text.
 */
export function changeIn(text: string): string | undefined {
  const form = `(?:^|: )(?:may )?(?:${Object.values(verbs).join("|")}): (.+?),? (?:drops|makes|changes,) `;
  return new RegExp(form, "su").exec(text)?.[1];
}

function causesOf(name: ArgumentName, sides: TwoSides): readonly Omit<Cause, "argument">[] {
  const { before, after } = sides;
  const effect = effectOf(name);
  if (effect === "none") return [];
  const isKnown = after[name] !== unknownValue;
  const isSecret = sides.secrets.includes(name);
  switch (name) {
    case "autoscalingLimitMinCu":
    case "autoscalingLimitMaxCu":
      return [{ effect, certain: isKnown && before[name] !== undefined, text: sizeText(sides) }];
    case "disabled":
      // Enabling a compute drops no connections: it did not run.
      if (after.disabled === false) return [];
      return [{ effect, certain: isKnown, text: isKnown ? "disabling it" : untilUpdate(name) }];
    case "restartTriggers": {
      if (!isKnown) return [{ effect, certain: false, text: untilUpdate(name) }];
      const due = dueTriggers(before[name], after[name]);
      // Names only: the values may be secret.
      const text = `${name} (${due.join(", ")})`;
      return due.length === 0 ? [] : [{ effect, certain: isRestartCertain(before[name], after[name]), text }];
    }
    case "settings":
      return [{ effect, certain: false, text: `settings.pgSettings${settingNames(sides)}` }];
    default: {
      const text = isSecret ? `${name} (secret)` : fromTo(name, before[name], after[name]);
      return [{ effect, certain: isKnown && effect !== "unstated", text }];
    }
  }
}

function untilUpdate(name: string): string {
  return `${name}, known only during the update,`;
}

/** `branchId br-a → br-b`; without the old value if it was not declared. */
function fromTo(name: string, from: unknown, to: unknown): string {
  if (to === unknownValue) return untilUpdate(name);
  const plainly = (value: unknown): string => JSON.stringify(value).replaceAll('"', "");
  return from === undefined ? `${name} ${plainly(to)}` : `${name} ${plainly(from)} → ${plainly(to)}`;
}

/** Names only: the values may be secret. */
function settingNames({ before, after }: TwoSides): string {
  const names = changedSettings(before, after);
  return names.length === 0 ? "" : ` (${names.join(", ")})`;
}

const sizeNames = ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"] as const;

/** One text for both limits, so that a change of both shows as one cause. */
function sizeText({ before, after, changed, secrets }: TwoSides): string {
  if (sizeNames.some((name) => secrets.includes(name))) return "size (secret)";
  const changing = sizeNames.filter((name) => changed.includes(name));
  if (changing.every((name) => after[name] === unknownValue)) return untilUpdate("size");
  const from = cuRange(sizeNames.map((name) => before[name]));
  const to = cuRange(sizeNames.map((name) => after[name] ?? before[name]));
  const isCompared = changing.some((name) => before[name] !== undefined);
  return isCompared ? `size ${from} → ${to} CU` : `size ${to} CU, if it runs at another,`;
}

/** What is dropped, and what clients notice afterwards. */
function consequence(effect: Exclude<Effect, "none">, sides: TwoSides, service: ServiceName): string {
  if (effect === "replace") return replacing;
  if (effect === "unstated")
    return "changes, and the interface does not say whether open connections survive";
  // Interface 1: all connections drop, also those through the pooler.
  const dropped =
    sides.before["poolerEnabled"] === true ? "open connections, pooled ones too" : "open connections";
  return `drops ${dropped}${clientsNotice(sides, service)}`;
}

const replacing = "makes a new compute and deletes this one; its host goes away and open connections drop";

/** The interruption of a replacement that the declaration does not ask for. */
export const forcedReplacement: Interruption = {
  effect: "replace",
  certain: true,
  text: `${verbs.replace}: by force (--replace, taint or an option), which ${replacing}`,
};

/**
 * A sentence for the resource's row: what the service says of the compute now follows the connections.
 */
export function rowText({ property, text, certain, now }: Notice): string {
  const judged = certain === false ? text.replace(/^(may )?/, "may ") : text;
  const sentence = property === "deferred" ? `deferred ${text}` : judged;
  if (now?.running === undefined) return sentence;
  const { running, lastAccess } = now;
  const access = lastAccess === undefined ? "" : `, last access ${lastAccess}`;
  const facts = running === "active" ? `active now${access}` : `${running} now: none is open`;
  // Greedy: a name of the user's may contain the same words.
  return sentence.replace(/^[^]*open connections(, pooled ones too| drop| survive)?/, `$& (${facts})`);
}

/** The figures that change with the size, as far as they reveal no secret. */
function clientsNotice({ before, after, secrets }: TwoSides, service: ServiceName): string {
  const shown = sizeNames.filter((name) => !secrets.includes(name));
  const old = Object.fromEntries(shown.map((name) => [name, before[name]]));
  const next = Object.fromEntries(shown.map((name) => [name, after[name] ?? before[name]]));
  // In ASCII: the CLI cuts a long text after 150 bytes, even inside a character.
  const figures = figuresBetween(old, next, service).map(({ name, from, to, unit }) =>
    `${name} ${from} to ${to} ${unit}`.trimEnd(),
  );
  return figures.length === 0 ? "" : `; ${figures.join(", ")}`;
}
