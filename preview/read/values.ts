/**
 * Values of a preview: secrets stay masked, and what only the update will know is one value.
 */
import { unknownValue, unknownValues } from "../../provider/endpoint/planning/verdict";

/** What a report holds for a value: JSON's scalars, or a text for anything else. */
export type Shown = string | number | boolean | null;

/** How the engine masks a secret, and how a report does. */
export const secret = "[secret]";
/** How a report writes a value that only the update will know. */
export const unknown = "[unknown]";

/** Marks a secret that the engine was told to show (`--show-secrets`): a comment is no place for it. */
const secretMarker = "4dabf18193072939515e22adb298388d";

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as the rest of the program knows it: every secret masked, every unknown the provider's one. */
export function plainValue(value: unknown): unknown {
  if (unknownValues.has(value)) return unknownValue;
  if (Array.isArray(value)) return value.map(plainValue);
  if (!isMap(value)) return value;
  if (secretMarker in value) return secret;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainValue(member)]));
}

/** The leaves of a value with their dotted paths; an empty map has none, a list is one. */
export function leavesOf(path: string, value: unknown): readonly (readonly [path: string, value: unknown])[] {
  if (value === undefined || value === null) return [];
  if (!isMap(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(`${path}.${name}`, member));
}

export function shownValue(value: unknown): Shown {
  if (value === undefined || value === null) return null;
  if (value === unknownValue) return unknown;
  return typeof value === "object"
    ? JSON.stringify(value).replaceAll(unknownValue, unknown)
    : (value as Shown);
}

/** A text that is neither secret nor unknown. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== secret && value !== unknownValue ? value : undefined;
}

/** True where a secret is anywhere in a value. */
export function holdsSecret(value: unknown): boolean {
  if (value === secret) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsSecret);
}

/** In the order in which keys come. */
export function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
