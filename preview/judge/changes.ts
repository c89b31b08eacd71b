/**
 * Finds the provider's verdict on a step, and the differences in its compute: between the state and the declaration,
 * and between the state and what a refresh found. The provider's own comparison decides what counts as a difference.
 */
import { isDeepStrictEqual } from "node:util";
import { droppedNames, isSamePgSetting, isSameValue, type Arguments } from "../../provider/model/changes";
import { changeOf, interruptionOf } from "../../provider/model/interruption";
import {
  argumentNames,
  attributeNames,
  effectOf,
  isOwn,
  type ArgumentName,
  type AttributeName,
  type Effect,
} from "../../provider/model/fields";
import { type Verdict, verdictOnRow } from "../../provider/model/notice";
import {
  readInputs,
  readStored,
  verdictIn,
  verdictInReasons,
  type EngineDeclaration,
  type PropertyValues,
} from "../../provider/model/stored";
import type { ResourceState } from "../read/schemas";
import type { PreviewStep } from "../read/steps";
import { holdsSecret, leavesOf, nowInState, shownValue } from "../read/values";
import type { Change, Difference, Drift } from "../shape";

/** The two sides of a step, with the provider's names. */
export interface StepSides {
  /** undefined for a new compute. */
  readonly stored: (PropertyValues & Arguments) | undefined;
  readonly declared: PropertyValues & Arguments;
  readonly hidden: EngineDeclaration["hidden"];
}

/** @param said - what the preview says on the resource's row. */
export function sidesOf(step: PreviewStep, said: readonly string[] = []): StepSides {
  const { before, after } = step;
  const { args, hidden } = readInputs(after?.inputs ?? {});
  return {
    stored: before && readStored(before.outputs),
    declared: args,
    hidden: { ...hidden, verdict: verdictOf(step, said) },
  };
}

/** The arguments that change, in the order of the table of arguments: the most severe effect first. */
export function changesOf({ stored, declared }: StepSides, drift: Drift | null): readonly Change[] {
  const changed = stored === undefined ? argumentNames : changeOf(stored, declared).changed;
  const dropped = new Set(droppedNames(stored ?? {}, declared));
  const outside = new Map(drift?.changes.map((change) => [change.argument, change]));
  return argumentNames.flatMap((name) => {
    const found = differencesOf(
      name,
      [stored?.[name], declared[name]],
      (path) => isOwn(name) || dropped.has(path),
    ).filter(({ hidden }) => hidden || changed.includes(name));
    // An argument may have thousands of members, and all have its effect.
    const effect = found.length === 0 ? "none" : effectOn(name, { stored, declared });
    return found.map((difference) => ({
      ...difference,
      effect: difference.hidden ? effectOf(name) : effect,
      undoes: !difference.hidden && isUndone(difference, outside.get(difference.argument)),
    }));
  });
}

function isUndone({ from, to }: Difference, outside: Difference | undefined): boolean {
  return outside !== undefined && outside.from === to && outside.to === from;
}

/**
 * Compares the service's answer with the state. Like the provider, it compares only arguments that the program
 * declares.
 */
export function driftBetween(before: ResourceState, found: ResourceState): readonly Difference[] {
  const [old, next] = [readStored(before.outputs), readStored(found.outputs)];
  return attributeNames
    .filter((name) => old.managed.includes(name))
    .flatMap((name) => differencesOf(name, [old[name], next[name]], () => true))
    .filter(({ hidden }) => !hidden);
}

/** @param isDropped - whether leaving out a member removes it. If not, the service keeps the member. */
function differencesOf(
  name: ArgumentName,
  [before, after]: readonly [unknown, unknown],
  isDropped: (path: string) => boolean,
): readonly Difference[] {
  const from = new Map(leavesOf(name, before));
  const to = new Map(leavesOf(name, after));
  // A map that is secret or unknown as a whole hides its members.
  const isHidden = (path: string): boolean =>
    [...path.matchAll(/\./g)].some(({ index }) => to.has(path.slice(0, index)));
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

/** The effect of this change alone; of a secret's, it is the effect of any change to it. */
function effectOn(
  name: ArgumentName,
  { stored = {}, declared }: Pick<StepSides, "stored" | "declared">,
): Effect {
  return (
    interruptionOf({ before: stored, inputs: declared, changed: [name] }, { now: nowInState(stored) })
      ?.effect ?? "none"
  );
}

/**
 * Returns the provider's verdict. The diff decides the verdict: the plugin states it among the reasons of the diff, the
 * dynamic provider on the resource's row. A new resource has no diff: its check writes the verdict into the inputs.
 *
 * @param said - what the preview says on the resource's row.
 */
function verdictOf(
  { reasons = [], before, after }: PreviewStep,
  said: readonly string[],
): Verdict | undefined {
  if (before === undefined) return verdictIn(after?.inputs ?? {});
  return verdictInReasons(reasons) ?? said.map(verdictOnRow).find((verdict) => verdict !== undefined);
}

export function hasFailedBefore({ before }: PreviewStep): boolean {
  return (before?.initErrors?.length ?? 0) > 0;
}
