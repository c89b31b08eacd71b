/** max_connections of every listed size, in CU (interface 8.1). */
const maxConnectionsOfCu: ReadonlyMap<number, number> = new Map([
  [0.25, 112],
  [0.5, 225],
  [1, 450],
  [2, 901],
  [3, 1351],
  [4, 1802],
  [5, 2253],
  [6, 2703],
  [7, 3154],
  [8, 3604],
  [9, 4000],
  [10, 4000],
]);

/** Sizes that can be asked for, in CU (interface 8.1). */
export const listedCu: readonly number[] = [...maxConnectionsOfCu.keys()];

/** Size of a compute made without one, in CU: the smallest, since the interface does not show a default. */
export const defaultCu = 0.25;

/**
 * Connections that a compute takes; the minimum size decides (interface 8.2).
 *
 * @returns undefined where the size is not in the table.
 */
export function maxConnections(minCu: number): number | undefined {
  return maxConnectionsOfCu.get(minCu);
}
