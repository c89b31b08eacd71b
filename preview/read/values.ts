/**
 * Values of a preview: secrets stay masked, and every unknown value becomes the same placeholder.
 */
import type { Now, Running } from "../../provider/model/interruption";
import { unknownValue, unknownValues } from "../../provider/model/unknown";

/** The form of a value in a report: JSON's scalars, or text for anything else. */
export type Shown = string | number | boolean | null;

/** The mask of a secret, from the engine and in a report. */
export const secret = "[secret]";
/** The text for a value that only the update will know. */
export const unknown = "[unknown]";

/** Marks a secret that the engine was told to show (`--show-secrets`): it must not appear in a comment. */
const secretMarker = "4dabf18193072939515e22adb298388d";

/** Terraform and Python write names in snake_case. */
export function camelCase(path: string): string {
  return path.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What CI systems write instead of a secret, or of a part of one. Two values with equal masks may differ. */
const ciMask = /\*{3}|\[MASKED\]/;

/** A value with every secret masked, and every unknown value replaced by the provider's placeholder. */
export function plainValue(value: unknown): unknown {
  if (unknownValues.has(value)) return unknownValue;
  if (typeof value === "string" && ciMask.test(value)) return secret;
  if (Array.isArray(value)) return value.map(plainValue);
  if (!isMap(value)) return value;
  if (secretMarker in value) return secret;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainValue(member)]));
}

/** The leaves of a value with their dotted paths; an empty map has none, a list counts as a leaf. */
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
export function readableText(value: unknown): string | undefined {
  return typeof value === "string" && value !== secret && value !== unknownValue ? value : undefined;
}

/** True if a value contains a secret at any depth. */
export function holdsSecret(value: unknown): boolean {
  if (value === secret) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsSecret);
}

/** What the state alone shows: whether the compute is disabled, and so has no connections. */
export function runningInState(stored: Readonly<Record<string, unknown>> | undefined): Running | undefined {
  return stored?.["disabled"] === true ? "disabled" : undefined;
}

/** The same, in the form of what a service says. */
export function nowInState(stored: Readonly<Record<string, unknown>>): Now | undefined {
  const running = runningInState(stored);
  return running && { running };
}

/** The items that are neither undefined nor false. */
export function present<Item>(items: readonly (Item | undefined | false)[]): readonly Item[] {
  return items.filter((item): item is Item => item !== undefined && item !== false);
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Groups in the order of their first items. */
export function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly [Item, ...Item[]]> {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
