/**
 * Compares what a preview shows with what it counts: a part that is missing may have a deletion.
 */
import { UnreadableInputError } from "./json";
import { isChange } from "./steps";

/** The changes that are counted, and not shown: `delete: 0 of 1`; empty if there are none. */
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
    `lines of it are missing: it shows fewer changes than it counts (${missing})`,
  );
}
