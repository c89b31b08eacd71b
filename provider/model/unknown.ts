/**
 * Values that are known only during the update: how the engine passes them, and a type that keeps them from the service.
 */

/** The engine's placeholder for a value that is known only during the update. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/**
 * A value that is known only during the update. Its type is neither text nor number, so that the compiler prevents
 * sending it.
 */
export interface Unknown {
  readonly [onlyInUpdate]: true;
}

declare const onlyInUpdate: unique symbol;

/** What a declaration may contain before the update: a value, or an unknown value, at any depth. */
export type Planned<Value> =
  | Unknown
  | (Value extends Readonly<Record<string, unknown>>
      ? { readonly [Name in keyof Value]: Planned<Value[Name]> }
      : Value);

export function isUnknown(value: unknown): value is Unknown {
  return value === unknownValue;
}

/**
 * The engine has a placeholder for each type of value, and newer SDKs send all of them. Both variants convert them to
 * `unknownValue`.
 */
export const unknownValues: ReadonlySet<unknown> = new Set([
  unknownValue,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** True for an unknown value, and for a map or list that contains one at any depth. */
export function holdsUnknown(value: unknown): boolean {
  if (value === unknownValue) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsUnknown);
}

/** A copy without nulls and unknown values, and the paths of the unknown values. */
export function withoutUnknown(declared: Readonly<Record<string, unknown>>): {
  known: Record<string, unknown>;
  unknownPaths: ReadonlySet<string>;
} {
  const unknownPaths = new Set<string>();
  const strip = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((member, index) => strip(member, [...path, String(index)]));
    if (typeof value !== "object" || value === null) return value;
    const kept: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(value)) {
      if (member === null || member === undefined) continue;
      if (member === unknownValue) unknownPaths.add([...path, key].join("."));
      else kept[key] = strip(member, [...path, key]);
    }
    return kept;
  };
  return { known: strip(declared, []) as Record<string, unknown>, unknownPaths };
}

/** Top-level members that are or contain an unknown value, unchanged. */
export function unknownMembers(
  declared: Readonly<Record<string, unknown>>,
  unknownPaths: ReadonlySet<string>,
): Record<string, unknown> {
  const names = new Set([...unknownPaths].map((path) => path.split(".")[0] ?? path));
  return Object.fromEntries([...names].map((name) => [name, declared[name]]));
}
