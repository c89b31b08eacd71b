/**
 * Compares the changes that a preview shows with those that it counts: a missing part may contain a deletion.
 */
import { UnreadableInputError } from "./json";
import { isChange } from "./steps";

/** The changes that are counted but not shown: `delete: 0 of 1`; empty if there are none. */
export function missingFrom(
  shown: readonly string[],
  counts: Readonly<Record<string, number>> | null | undefined,
): string {
  return Object.entries(counts ?? {})
    .map(([op, count]) => ({ op, count, seen: shown.filter((one) => one === op).length }))
    .filter(({ op, count, seen }) => isChange({ op }) && seen < count)
    .map(({ op, count, seen }) => `${op}: ${seen} of ${count}`)
    .join(", ");
}

export function withFewer(missing: string): UnreadableInputError {
  return new UnreadableInputError(
    `lines are missing, because the summary counts more changes than the lines show (${missing})`,
  );
}
