/**
 * Finds where two sides of a resource differ, or may differ, at any depth.
 */
import { unknownValue } from "../../provider/model/unknown";
import { isMap, secret } from "../read/values";

/** The dotted paths at which the sides differ, become known only in the update, or are masked and may differ. */
export function differingPaths(before: unknown, after: unknown): readonly string[] {
  return [...new Set(pathsOf([], [before, after]))];
}

type Two = readonly [before: unknown, after: unknown];

function pathsOf(path: readonly string[], [before, after]: Two): readonly string[] {
  const sides = [before, after].filter(isNested);
  const names = new Set(sides.flatMap((side) => Object.keys(side)));
  // An empty list or map is like none.
  const [old, next] = [before, after].map((side) => (isNested(side) ? undefined : side));
  if (names.size === 0) return mayDiffer(old, next) ? [path.join(".")] : [];
  // Members of a list have no names of their own.
  return [...names].flatMap((name) =>
    pathsOf(sides.every(Array.isArray) ? path : [...path, name], [member(before, name), member(after, name)]),
  );
}

function isNested(value: unknown): value is object {
  return isMap(value) || Array.isArray(value);
}

/** A map that is masked or unknown as a whole hides each of its members. */
function member(value: unknown, name: string): unknown {
  if (!isNested(value)) return value === secret || value === unknownValue ? value : undefined;
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function mayDiffer(before: unknown, after: unknown): boolean {
  if (after === unknownValue || before === secret || after === secret) return true;
  const [old, next] = [before ?? undefined, after ?? undefined];
  if (old === undefined || next === undefined) return old !== next;
  // The tools write some numbers as text.
  const spelling = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
  return spelling(old) !== spelling(next);
}

/** The members of one side that the other side has too: what only the service adds is not a difference. */
export function sharedWith(side: unknown, other: unknown): unknown {
  if (Array.isArray(side) && Array.isArray(other))
    return side.map((item, index) => sharedWith(item, (other as unknown[])[index]));
  if (!isMap(side) || !isMap(other)) return side === secret || other === secret ? undefined : side;
  const shared = Object.entries(side).filter(([name]) => Object.hasOwn(other, name));
  return Object.fromEntries(shared.map(([name, value]) => [name, sharedWith(value, other[name])]));
}
