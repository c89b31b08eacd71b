/**
 * Finds what differs in one compute: between the state and the declaration, and between the state and what a refresh
 * found. The provider's comparison decides what counts as a difference.
 */
import { isDeepStrictEqual } from "node:util";
import {
  droppedSettings,
  isSamePgSetting,
  isSameValue,
  pgSettingPrefix,
  type DeclaredArguments,
  type Stored,
} from "../../provider/pure/changes";
import { changeOf } from "../../provider/pure/plan";
import {
  argumentNames,
  attributeNames,
  effectOf,
  isOwn,
  type ArgumentName,
  type AttributeName,
  type Effect,
} from "../../provider/pure/fields";
import { readInputs, readStored, type HiddenInputs } from "../../provider/pure/stored";
import type { ResourceState } from "../read/schemas";
import type { PreviewStep } from "../read/preview";
import { holdsSecret, leavesOf, shownValue } from "../read/values";
import { verdictOf } from "./judged";
import type { Change, Difference, Drift } from "./shape";

/** The two sides of a step, with the provider's names. */
export interface Sides {
  /** undefined for a new compute. */
  readonly stored: Stored | undefined;
  readonly declared: DeclaredArguments;
  readonly hidden: HiddenInputs;
}

/** @param warnings - what the preview says on the resource's row. */
export function sidesOf(step: PreviewStep, warnings: readonly string[] = []): Sides {
  const { before, after } = step;
  const { args, hidden } = readInputs(after?.inputs ?? {});
  return {
    stored: before && readStored(before.outputs),
    declared: args,
    hidden: { ...hidden, verdict: verdictOf(step, warnings) },
  };
}

/** In the order of the table of arguments, the most severe effect first. */
export function changesOf({ stored, declared }: Sides, drift: Drift | null): readonly Change[] {
  const changed = stored === undefined ? argumentNames : changeOf(stored, declared).changed;
  const dropped = droppedSettings(stored ?? {}, declared).map((name) => `${pgSettingPrefix}${name}`);
  return argumentNames.flatMap((name) =>
    differencesOf(name, [stored?.[name], declared[name]], (path) => isOwn(name) || dropped.includes(path))
      .filter(({ hidden }) => hidden || changed.includes(name))
      .map((difference) => ({
        ...difference,
        effect: effectOn(name, difference, { stored, declared }),
        undoes: !difference.hidden && isUndone(difference, drift),
      })),
  );
}

function isUndone({ argument, from, to }: Difference, drift: Drift | null): boolean {
  const outside = drift?.changes.find((change) => change.argument === argument);
  return outside !== undefined && outside.from === to && outside.to === from;
}

/**
 * Compares what the service returned with the state: only arguments that the program declares, as the provider
 * compares them.
 */
export function driftBetween(before: ResourceState, found: ResourceState): readonly Difference[] {
  const [old, next] = [readStored(before.outputs), readStored(found.outputs)];
  return attributeNames
    .filter((name) => old.managed?.includes(name) ?? false)
    .flatMap((name) => differencesOf(name, [old[name], next[name]], () => true))
    .filter(({ hidden }) => !hidden);
}

/** @param isDropped - whether leaving a member out is a change; other members belong to the service. */
function differencesOf(
  name: ArgumentName,
  [before, after]: readonly [unknown, unknown],
  isDropped: (path: string) => boolean,
): readonly Difference[] {
  const from = new Map(leavesOf(name, before));
  const to = new Map(leavesOf(name, after));
  // A map that is secret or unknown as a whole hides its members.
  const isHidden = (path: string): boolean => [...to.keys()].some((other) => path.startsWith(`${other}.`));
  const dropped = [...from.keys()].filter((path) => !to.has(path) && !isHidden(path) && isDropped(path));
  return [...to.keys(), ...dropped]
    .map((argument) => ({ argument, old: from.get(argument), next: to.get(argument) }))
    .map(({ argument, old, next }) => ({
      difference: { argument, from: shownValue(old), to: shownValue(next) },
      isSame: isSame(name, old, next),
      isSecret: holdsSecret(old) && holdsSecret(next),
    }))
    .filter(({ isSame, isSecret }) => !isSame || isSecret)
    .map(({ difference, isSame, isSecret }) => ({ ...difference, hidden: isSame && isSecret }));
}

function isSame(name: ArgumentName, old: unknown, next: unknown): boolean {
  if (old === undefined || next === undefined) return false;
  if (name === "settings") return isSamePgSetting(old, next);
  return isOwn(name) ? isDeepStrictEqual(old, next) : isSameValue(name as AttributeName, old, next);
}

/** The effect of this change alone; for a secret, the effect of any change to it. */
function effectOn(
  name: ArgumentName,
  { hidden }: Difference,
  { stored = {}, declared }: Pick<Sides, "stored" | "declared">,
): Effect {
  if (hidden) return effectOf(name);
  return changeOf(stored, { [name]: declared[name] }).interruption?.effect ?? "none";
}
