/**
 * Values of a preview as a report may show them: secrets stay masked, and what only the update will know says so.
 */

/** What a report holds for a value: JSON's scalars, or a text for anything else. */
export type Shown = string | number | boolean | null;

export const secret = "[secret]";
export const unknown = "[unknown]";

/** How the engine writes a value that only the update will know: one id for each type. */
const unknownIds: ReadonlySet<unknown> = new Set([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Marks a secret that the engine was told to show (`--show-secrets`): a comment is no place for it. */
const secretMarker = "4dabf18193072939515e22adb298388d";

/** The leaves of a value with their dotted paths; an empty map has none. */
export function leavesOf(path: string, value: unknown): readonly (readonly [path: string, value: Shown])[] {
  if (value === undefined || value === null) return [];
  if (unknownIds.has(value)) return [[path, unknown]];
  if (typeof value !== "object") return [[path, value as Shown]];
  if (secretMarker in value) return [[path, secret]];
  if (Array.isArray(value)) return [[path, JSON.stringify(maskedCopy(value))]];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(`${path}.${name}`, member));
}

function maskedCopy(value: unknown): unknown {
  if (unknownIds.has(value)) return unknown;
  if (typeof value !== "object" || value === null) return value;
  if (secretMarker in value) return secret;
  if (Array.isArray(value)) return value.map(maskedCopy);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskedCopy(member)]));
}
