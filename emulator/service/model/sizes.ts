/**
 * The sizes of each service that the emulator can imitate (switch `service`).
 */
import type { Switches } from "../switches";

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

/** The two sizes of a compute, in CU. */
export interface CuLimits {
  readonly minCu: number;
  readonly maxCu: number;
}

interface Row {
  readonly sizes: readonly number[];
  /** Why a compute cannot scale between two listed sizes; undefined if it can. */
  readonly rangeRefusal: (limits: CuLimits) => string | undefined;
  /** The largest size that suspends, in CU. */
  readonly suspendsUpToCu: number;
  /** undefined if the size is not listed. */
  readonly maxConnections: (limits: CuLimits) => number | undefined;
}

const neonSizes = [
  ...[0.25, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
  ...[18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56],
];

const rows: Readonly<Record<Switches["service"], Row>> = {
  interface: {
    sizes: [...maxConnectionsOfCu.keys()],
    rangeRefusal: () => undefined,
    suspendsUpToCu: Infinity,
    // The minimum decides (8.2).
    maxConnections: ({ minCu }) => maxConnectionsOfCu.get(minCu),
  },
  // Published: the maximum decides, but it counts only up to eight times the minimum.
  neon: {
    sizes: neonSizes,
    rangeRefusal: ({ minCu, maxCu }) => {
      if (minCu === maxCu) return undefined;
      if (maxCu > 16) return "a compute scales up to 16 CU";
      return maxCu - minCu > 8 ? "a compute scales by at most 8 CU" : undefined;
    },
    suspendsUpToCu: 16,
    maxConnections: ({ minCu, maxCu }) => {
      if (!neonSizes.includes(minCu)) return undefined;
      const counted = maxCu > 8 * minCu ? 8 * minCu : maxCu;
      return Math.min(Math.max(Math.trunc(counted * 419.66), 100), 4000);
    },
  },
};

/** Default size, in CU: the smallest, because the interface does not show a default. */
export const defaultCu = 0.25;

/** What is wrong with a size; undefined if the service has this size. */
export function sizeRefusal(cu: number, { service, sizes }: Switches): string | undefined {
  const listed = rows[service].sizes;
  return sizes === "any" || listed.includes(cu) ? undefined : `one of ${listed.join(", ")}, not ${cu}`;
}

/** What is wrong with two sizes together; undefined if the service scales between them. */
export function rangeRefusal(limits: CuLimits, { service, sizes }: Switches): string | undefined {
  const { minCu, maxCu } = limits;
  if (minCu > maxCu)
    return `autoscaling_limit_min_cu (${minCu}) is above autoscaling_limit_max_cu (${maxCu}).`;
  const refusal = sizes === "any" ? undefined : rows[service].rangeRefusal(limits);
  return refusal && `autoscaling from ${minCu} to ${maxCu} CU is not supported: ${refusal}.`;
}

/** Whether a compute of this size suspends for inactivity. */
export function suspends({ minCu }: CuLimits, { service }: Switches): boolean {
  return minCu <= rows[service].suspendsUpToCu;
}

/** How many connections a compute accepts; undefined if the service does not list its size. */
export function maxConnections(limits: CuLimits, { service }: Switches): number | undefined {
  return rows[service].maxConnections(limits);
}

/**
 * max_connections of any size. A size without a row in the table gets 450 for each CU, as most rows have, but at least
 * 10 and at most 4,000.
 */
export function connectionsOfSize(limits: CuLimits, switches: Switches): number {
  return maxConnections(limits, switches) ?? Math.min(4000, Math.max(10, Math.round(limits.minCu * 450)));
}
