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

/** The listed sizes, in CU (interface 8.1). */
export const listedCu: readonly number[] = [...maxConnectionsOfCu.keys()];

/** Default size, in CU: the smallest, because the interface does not show a default. */
export const defaultCu = 0.25;

/**
 * How many connections a compute takes: its minimum size decides (interface 8.2).
 *
 * @returns undefined where the size is not in the table.
 */
export function maxConnections(minCu: number): number | undefined {
  return maxConnectionsOfCu.get(minCu);
}

/** max_connections of any size: where the table has none, as many for each CU as most of its rows, and no more than any. */
export function connectionsOfSize(minCu: number): number {
  return maxConnections(minCu) ?? Math.min(4000, Math.max(10, Math.round(minCu * 450)));
}
