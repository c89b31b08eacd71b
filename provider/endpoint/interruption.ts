/**
 * What a change does to a running compute, in words. Pure: the preview's property, the warning on the
 * resource's row and the report all say what this says.
 */
import { computeSize } from "../sizes";
import { argumentNames, effects, type ArgumentName, type Effect } from "./effects";
import { unknownValue, type EndpointInputs } from "./inputs";
import { hashOfTrigger, triggerHashes, type EndpointState } from "./state";

/** A change that drops, or may drop, open connections. */
export interface Interruption {
  /** The heaviest effect of the change. */
  readonly effect: Exclude<Effect, "none">;
  /** False where only the update will know: an unknown value, or an interface that does not say. */
  readonly certain: boolean;
  /** One sentence, from the effect to what clients notice. */
  readonly text: string;
}

/** What is known of a compute before the change: the old state, or the old declaration. */
export type Before = Readonly<Partial<EndpointInputs>> & Pick<Partial<EndpointState>, "__triggers">;
/** The new declaration; any value may still be unknown. */
export type After = Readonly<Partial<Record<ArgumentName, unknown>>>;

/** What else bears on a change. */
export interface Circumstances {
  /** The arguments that change, as `diff` sees them. */
  readonly changed: readonly ArgumentName[];
  /** What the service says of the compute at this moment, such as `idle now`; empty where it was not asked. */
  readonly now?: string;
  /** Arguments whose values are secret: the notice names them and shows nothing of them. */
  readonly secrets?: readonly string[];
}

interface Cause {
  readonly effect: Exclude<Effect, "none">;
  readonly certain: boolean;
  readonly text: string;
}

/** Heaviest first. */
const weight = ["replace", "move", "suspend", "restart", "unstated"] as const satisfies readonly Effect[];

/**
 * The interruption that a change brings; undefined where connections are unaffected.
 *
 * @param before - what is known of the compute before the change.
 * @param after - the new declaration.
 */
export function interruptionOf(
  before: Before,
  after: After,
  circumstances: Circumstances,
): Interruption | undefined {
  const { changed, now = "", secrets = [] } = circumstances;
  const change: Change = { before, after, changed, secrets };
  const causes = argumentNames
    .filter((name) => changed.includes(name))
    .flatMap((name) => causeOf(name, change))
    // A disabled compute runs nothing: only its host can go away.
    .filter((cause) => before.disabled !== true || cause.effect === "replace");
  const certain = causes.some((cause) => cause.certain);
  const heaviest = weight.find((effect) =>
    causes.some((cause) => cause.effect === effect && cause.certain === certain),
  );
  if (heaviest === undefined) return undefined;
  // A new compute has all its settings from the start: only what replaces it matters then.
  const told = heaviest === "replace" ? causes.filter((cause) => cause.effect === "replace") : causes;
  const texts = [...new Set(told.map((cause) => cause.text))];
  return {
    effect: heaviest,
    certain,
    text: `${certain ? "" : "may "}${verbs[heaviest]}: ${texts.join(" and ")} ${consequence(heaviest, change, now)}`,
  };
}

interface Change {
  readonly before: Before;
  readonly after: After;
  readonly changed: readonly ArgumentName[];
  readonly secrets: readonly string[];
}

const verbs = {
  replace: "replace",
  move: "move",
  suspend: "suspend",
  restart: "restart",
  unstated: "interrupt",
} as const;

function causeOf(name: ArgumentName, change: Change): readonly Cause[] {
  const { before, after } = change;
  const effect: Effect = effects[name];
  if (effect === "none") return [];
  const isKnown = after[name] !== unknownValue;
  const isSecret = change.secrets.includes(name);
  switch (name) {
    case "autoscalingLimitMinCu":
    case "autoscalingLimitMaxCu":
      return [{ effect, certain: isKnown && before[name] !== undefined, text: sizeText(change) }];
    case "disabled":
      // Enabling a compute drops nothing: none was running.
      if (after.disabled === false) return [];
      return [{ effect, certain: isKnown, text: isKnown ? "disabling it" : untilUpdate(name) }];
    case "restartTriggers":
      return triggerCauses(change);
    case "settings":
      return [{ effect, certain: false, text: `settings.pgSettings${settingNames(change)}` }];
    default: {
      const text = isSecret ? `${name} (secret)` : fromTo(name, before[name], after[name]);
      return [{ effect, certain: isKnown && effect !== "unstated", text }];
    }
  }
}

function untilUpdate(name: string): string {
  return `${name}, known only during the update,`;
}

/** `branchId br-a → br-b`; without the old value where it was not declared. */
function fromTo(name: string, from: unknown, to: unknown): string {
  if (to === unknownValue) return untilUpdate(name);
  const plainly = (value: unknown): string => JSON.stringify(value).replaceAll('"', "");
  return from === undefined ? `${name} ${plainly(to)}` : `${name} ${plainly(from)} → ${plainly(to)}`;
}

function triggerCauses({ before, after }: Change): readonly Cause[] {
  const effect = effects.restartTriggers;
  if (after.restartTriggers === unknownValue) {
    return [{ effect, certain: false, text: untilUpdate("restartTriggers") }];
  }
  const triggers = after.restartTriggers as Readonly<Record<string, unknown>> | undefined;
  const pulled = pulledTriggers(before, triggers);
  if (pulled.length === 0) return [];
  const old = triggerHashes(before);
  // A new one restarts the compute whatever its value will be.
  const isKnown = (name: string): boolean => triggers?.[name] !== unknownValue;
  const certain = pulled.some((name) => isKnown(name) || !Object.hasOwn(old, name));
  return [{ effect, certain, text: `restartTriggers (${pulled.join(", ")})` }];
}

/** Names of the triggers that are new or have another value: each asks for a restart. Removing one does not. */
export function pulledTriggers(
  before: Pick<Before, "restartTriggers" | "__triggers">,
  after: Readonly<Record<string, unknown>> | undefined,
): readonly string[] {
  const old = triggerHashes(before);
  return Object.keys(after ?? {}).filter((name) => old[name] !== hashOfTrigger(after?.[name]));
}

/** Names alone: the values may be secret. */
function settingNames({ before, after }: Change): string {
  const wanted = (after.settings as { pgSettings?: unknown } | undefined)?.pgSettings;
  if (typeof wanted !== "object" || wanted === null) return "";
  const stored: Readonly<Record<string, unknown>> = before.settings?.pgSettings ?? {};
  const names = Object.entries(wanted).filter(([name, value]) => String(stored[name]) !== String(value));
  return names.length === 0 ? "" : ` (${names.map(([name]) => name).join(", ")})`;
}

const sizeNames = ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"] as const;

/** One text for both limits, so that a change of both reads as one cause. */
function sizeText({ before, after, changed, secrets }: Change): string {
  if (sizeNames.some((name) => secrets.includes(name))) return "size (secret)";
  const changing = sizeNames.filter((name) => changed.includes(name));
  if (changing.every((name) => after[name] === unknownValue)) return untilUpdate("size");
  const from = cuRange(sizeNames.map((name) => before[name]));
  const to = cuRange(sizeNames.map((name) => after[name] ?? before[name]));
  const isCompared = changing.some((name) => before[name] !== undefined);
  return isCompared ? `size ${from} → ${to} CU` : `size ${to} CU, if it runs at another,`;
}

/** `1` or `0.5–2`. A CU is a vCPU, so that vCPUs are not told apart (interface 8.1). */
function cuRange(limits: readonly unknown[]): string {
  const shown = limits
    .filter((cu) => cu !== undefined)
    .map((cu) => (typeof cu === "number" ? String(cu) : "?"));
  return [...new Set(shown)].join("–");
}

/** What is dropped, and what clients notice afterwards. */
function consequence(effect: Exclude<Effect, "none">, change: Change, now: string): string {
  const facts = now === "" ? "" : ` (${now})`;
  if (effect === "replace") {
    return `makes a new compute and deletes this one; its host goes away and open connections drop${facts}`;
  }
  if (effect === "unstated") {
    return `changes, and the interface does not say whether open connections survive${facts}`;
  }
  // Interface 1: all connections, so those through the pooler as well.
  const dropped =
    change.before.poolerEnabled === true ? "open connections, pooled ones too" : "open connections";
  return `drops ${dropped}${facts}${clientsNotice(change)}`;
}

/** max_connections follow the smaller limit (interface 8.2); so does the cache that is always there. */
function clientsNotice({ before, after, secrets }: Change): string {
  if (secrets.includes("autoscalingLimitMinCu")) return "";
  const from = before.autoscalingLimitMinCu;
  const to = after.autoscalingLimitMinCu;
  if (from === undefined || typeof to !== "number" || from === to) return "";
  const old = computeSize(from);
  const next = computeSize(to);
  if (old === undefined || next === undefined) return "";
  return (
    `; max_connections ${old.maxConnections} → ${next.maxConnections}, ` +
    `RAM ${old.ramGb} → ${next.ramGb} GB, file cache ${old.localFileCacheGb} → ${next.localFileCacheGb} GB`
  );
}
