/**
 * What a change does to a running compute, in words. Pure: the preview's property, the warning on the
 * resource's row and the report all say what this says.
 */
import { isDeepStrictEqual } from "node:util";
import { computeSize } from "../sizes";
import { argumentNames, effects, type ArgumentName, type Effect } from "./effects";
import { unknownValue, type EndpointInputs } from "./inputs";

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
export type Before = Readonly<Partial<EndpointInputs>>;
/** The new declaration; any value may still be unknown. */
export type After = Readonly<Partial<Record<ArgumentName, unknown>>>;

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
 * @param changed - the arguments that change, as `diff` sees them.
 * @param now - what the service says of the compute at this moment, such as `idle now`; empty where unasked.
 */
export function interruptionOf(
  before: Before,
  after: After,
  { changed, now = "" }: { readonly changed: readonly ArgumentName[]; readonly now?: string },
): Interruption | undefined {
  const causes = argumentNames
    .filter((name) => changed.includes(name))
    .flatMap((name) => causeOf(name, before, after));
  const heaviest = weight.find((effect) => causes.some((cause) => cause.effect === effect));
  if (heaviest === undefined) return undefined;
  // A new compute has all its settings from the start: only what replaces it matters then.
  const told = heaviest === "replace" ? causes.filter((cause) => cause.effect === "replace") : causes;
  const certain = told.some((cause) => cause.certain);
  const heading = `${certain ? "" : "may "}${verbs[heaviest]}`;
  const texts = [...new Set(told.map((cause) => cause.text))];
  return {
    effect: heaviest,
    certain,
    text: `${heading}: ${texts.join(" and ")} ${consequence(heaviest, before, { after, now })}`,
  };
}

const verbs = {
  replace: "replace",
  move: "move",
  suspend: "suspend",
  restart: "restart",
  unstated: "interrupt",
} as const;

function causeOf(name: ArgumentName, before: Before, after: After): readonly Cause[] {
  const effect: Effect = effects[name];
  const wanted = after[name];
  const certain = wanted !== unknownValue;
  switch (name) {
    case "autoscalingLimitMinCu":
    case "autoscalingLimitMaxCu":
      return [{ effect: "restart", ...sizeCause(before, after) }];
    case "disabled":
      // Enabling a compute drops nothing: none was running.
      return wanted === false
        ? []
        : [
            {
              effect: "suspend",
              certain,
              text: certain ? "disabling it" : "disabled is known only during the update,",
            },
          ];
    case "restartTriggers":
      return triggerCauses(before, after);
    case "settings":
      return [
        { effect: "unstated", certain: false, text: `settings.pgSettings${settingNames(before, after)}` },
      ];
    default:
      if (effect === "none") return [];
      return [
        { effect, certain: certain && effect !== "unstated", text: fromTo(name, before[name], wanted) },
      ];
  }
}

/** `branchId br-a → br-b`; without the old value where it was not declared. */
function fromTo(name: string, from: unknown, to: unknown): string {
  if (to === unknownValue) return `${name}, known only during the update,`;
  const plainly = (value: unknown): string => JSON.stringify(value).replaceAll('"', "");
  return from === undefined ? `${name} ${plainly(to)}` : `${name} ${plainly(from)} → ${plainly(to)}`;
}

function triggerCauses(before: Before, after: After): readonly Cause[] {
  if (after.restartTriggers === unknownValue) {
    return [{ effect: "restart", certain: false, text: "restartTriggers, known only during the update," }];
  }
  const pulled = pulledTriggers(
    before.restartTriggers,
    after.restartTriggers as Record<string, unknown> | undefined,
  );
  if (pulled.length === 0) return [];
  const certain = pulled.some(
    (name) => (after.restartTriggers as Record<string, unknown>)[name] !== unknownValue,
  );
  return [{ effect: "restart", certain, text: `restartTriggers (${pulled.join(", ")})` }];
}

/** Names of the triggers that are new or have another value: each asks for a restart. Removing one does not. */
export function pulledTriggers(
  before: Readonly<Record<string, unknown>> | undefined,
  after: Readonly<Record<string, unknown>> | undefined,
): readonly string[] {
  return Object.keys(after ?? {}).filter((name) => !isDeepStrictEqual(before?.[name], after?.[name]));
}

/** Names alone: the values may be secret. */
function settingNames(before: Before, after: After): string {
  const settings = after.settings as EndpointInputs["settings"];
  const wanted = (settings as { pgSettings?: unknown } | undefined)?.pgSettings;
  if (typeof wanted !== "object" || wanted === null) return "";
  const stored: Readonly<Record<string, unknown>> = before.settings?.pgSettings ?? {};
  const names = Object.entries(wanted).filter(([name, value]) => String(stored[name]) !== String(value));
  return names.length === 0 ? "" : ` (${names.map(([name]) => name).join(", ")})`;
}

function sizeCause(before: Before, after: After): { certain: boolean; text: string } {
  const from = sizeOf(before);
  const to = sizeOf({ ...before, ...definedOf(after) });
  const wanted = [after.autoscalingLimitMinCu, after.autoscalingLimitMaxCu];
  if (wanted.includes(unknownValue)) return { certain: false, text: "size, known only during the update," };
  if (from === undefined) return { certain: false, text: `size ${describeSize(to)}, if it runs at another,` };
  return { certain: true, text: `size ${cuRange(from)} → ${describeSize(to)}` };
}

function definedOf(after: After): Before {
  return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined));
}

interface Size {
  readonly minCu: number | undefined;
  readonly maxCu: number | undefined;
}

function sizeOf(values: Before): Size | undefined {
  const { autoscalingLimitMinCu: minCu, autoscalingLimitMaxCu: maxCu } = values;
  return minCu === undefined && maxCu === undefined ? undefined : { minCu, maxCu };
}

/** `1 CU` or `0.5–2 CU`. A vCPU each, so that vCPUs are not told apart (interface 8.1). */
function describeSize(size: Size | undefined): string {
  return `${cuRange(size)} CU`;
}

function cuRange(size: Size | undefined): string {
  const limits = [size?.minCu, size?.maxCu].filter((cu) => cu !== undefined);
  return [...new Set(limits)].join("–");
}

/** What is dropped, and what clients notice afterwards. */
function consequence(
  effect: Exclude<Effect, "none">,
  before: Before,
  { after, now }: { readonly after: After; readonly now: string },
): string {
  const facts = now === "" ? "" : ` (${now})`;
  if (effect === "replace") {
    return `makes a new compute and deletes this one; its host goes away and open connections drop${facts}`;
  }
  if (effect === "unstated") {
    return `changes, and the interface does not say whether open connections survive${facts}`;
  }
  // Interface 1: all connections, so those through the pooler as well.
  const dropped = before.poolerEnabled === true ? "open connections, pooled ones too" : "open connections";
  return `drops ${dropped}${facts}${clientsNotice(before, after)}`;
}

/** max_connections follow the smaller limit (interface 8.2); so does the cache that is always there. */
function clientsNotice(before: Before, after: After): string {
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
