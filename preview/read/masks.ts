/**
 * What a change between two sides of a compute interrupts, if some values are masked, or known only during the update.
 */
import { pgSettingPrefix, type Arguments } from "../../provider/model/changes";
import { changeOf, type FurtherEffect, type Interruption } from "../../provider/model/interruption";
import type { Verdict } from "../../provider/model/notice";
import type { PropertyValues } from "../../provider/model/stored";
import { unknownValue } from "../../provider/model/unknown";
import { isMap, nowInState, secret } from "./values";

/** @param instead - as in `unmasked`. */
export function interruptionBetween(
  stored: PropertyValues & Arguments,
  declared: PropertyValues & Arguments,
  instead: string | undefined,
): Interruption | undefined {
  const seen: PropertyValues & Arguments = unmasked(stored, declared, instead);
  // Settings that are masked as a whole do not count as removed.
  const isHidden = declared.settings !== undefined && seen.settings === undefined;
  const managed = (stored.managed ?? []).filter((name) => !isHidden || !name.startsWith(pgSettingPrefix));
  return changeOf({ ...stored, managed }, seen, { now: nowInState(stored) }).interruption;
}

/** The known effects of all parts of a change. */
export function partsOf({
  effect,
  certain,
  also = [],
}: Pick<Verdict, "effect" | "certain" | "also">): readonly FurtherEffect[] {
  return effect === "none" || effect === "unstated" ? also : [{ effect, certain }, ...also];
}

/**
 * A replacement is open if its only reasons are values that become known during the update.
 *
 * @returns what happens to the compute if it is not replaced after all; undefined if it is replaced for certain.
 */
export function openReplacement(
  stored: PropertyValues & Arguments,
  declared: PropertyValues & Arguments,
): readonly FurtherEffect[] | undefined {
  const { interruption } = changeOf(stored, declared);
  const parts = interruption === undefined ? [] : partsOf(interruption);
  const isOpen = parts.some(({ effect, certain }) => effect === "replace" && !certain);
  return isOpen ? parts.filter(({ effect }) => effect !== "replace") : undefined;
}

/**
 * A declaration without masked values. If the earlier value is masked or unknown, nobody can tell whether the new one differs.
 *
 * @param instead - replaces such a value; if undefined, a value that is masked on either side is left out.
 */
function unmasked(
  stored: PropertyValues,
  declared: PropertyValues,
  instead: string | undefined,
): PropertyValues {
  const isMasked = (from: unknown, to: unknown): boolean =>
    from === secret || (instead === undefined ? to === secret : from === unknownValue);
  const seen = (from: unknown, to: unknown): unknown => {
    if (isMasked(from, to)) return instead ?? from;
    if (!isMap(to)) return to;
    const members = Object.entries(to).map(
      ([name, value]) => [name, seen(isMap(from) ? from[name] : undefined, value)] as const,
    );
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  };
  const entries = Object.entries(declared)
    // An argument that is left out completely is unmanaged, and not a change.
    .filter(([name, to]) => instead !== undefined || !isMasked(wholeOf(stored[name]), wholeOf(to)))
    .map(([name, to]) => [name, seen(stored[name], to)] as const);
  return Object.fromEntries(entries);
}

/** Settings are masked as a whole if their map is. */
function wholeOf(value: unknown): unknown {
  return isMap(value) && value["pgSettings"] === secret ? secret : value;
}
