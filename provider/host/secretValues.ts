/**
 * The values of secret arguments, which no message may show.
 */
import { unknownValue } from "../model/unknown";

/** Shorter values are not treated as secrets: they would remove words and numbers from every message. */
const shortestSecret = 4;

/** @param secrets - names of the arguments that are or contain a secret. */
export function secretValuesOf(
  declared: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
): readonly string[] {
  return secrets
    .flatMap((name) => leavesOf(declared[name]))
    .filter((value) => value.length >= shortestSecret && value !== unknownValue);
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}
