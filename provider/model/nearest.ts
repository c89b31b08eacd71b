/**
 * Finds the known name that is nearest to a misspelt one. Pure: stack programs use it too.
 */

/** @returns the nearest of the known names; undefined if none is near enough. */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, edits: editsBetween(plain(name), plain(candidate)) }))
    .filter(({ candidate, edits }) => edits <= candidate.length / 4)
    .sort((left, right) => left.edits - right.edits);
  return ranked[0]?.candidate;
}

/** Ignores case, dashes and underscores: other languages write names differently. */
function plain(name: string): string {
  return name.replaceAll(/[_-]/g, "").toLowerCase();
}

/** How many letters have to be added, removed, replaced, or swapped with their neighbour. */
function editsBetween(from: string, to: string): number {
  let [before, last]: [readonly number[], readonly number[]] = [[], Array.from(`${to} `, (_, at) => at)];
  for (const [row, letter] of Array.from(from).entries()) {
    const next = [row + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const replaced = (last[column] ?? 0) + (letter === other ? 0 : 1);
      const oneSide = Math.min(last[column + 1] ?? 0, next[column] ?? 0) + 1;
      const isSwap = letter === to[column - 1] && other === from[row - 1];
      const swapped = isSwap ? (before[column - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, oneSide, swapped));
    }
    [before, last] = [last, next];
  }
  return last.at(-1) ?? 0;
}
