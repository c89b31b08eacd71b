/**
 * What is known about the services that implement the interface, one row for each. Sizes and figures in notices, checks,
 * imports, reports and `sizes.ts` come from the row of the service that a stack uses.
 *
 * Pure and without imports.
 */

/** What is known about one service. */
export interface ServiceFacts {
  /** Its name in sentences. */
  readonly title: string;
  /** The `type` of its read replicas, which interface 2.1 does not show. */
  readonly replicaType: string;
  /** Every size in Compute Units, smallest first. */
  readonly sizes: readonly number[];
  /** Limits of autoscaling in CU: the largest maximum, and how far it may be above the minimum; absent if there are none. */
  readonly ranges?: { readonly mostCu: number; readonly spanCu: number };
  /** Size in CU above which a compute never suspends; absent if computes of every size can suspend. */
  readonly suspendsUpToCu?: number;
  /** Share of the RAM that the local file cache can use. */
  readonly fileCacheShare: number;
  /** Smallest size in CU that has shared_buffers in place of the file cache; absent if every size has the file cache. */
  readonly fileCacheBelowCu?: number;
  /** Arguments that the service accepts and that have no effect there: an import leaves them out. */
  readonly withoutEffect?: readonly string[];
  /** Postgres' max_connections. @param maxCu - undefined if it is not known. */
  readonly maxConnections: (minCu: number, maxCu: number | undefined) => number | undefined;
}

/** RAM in GB for each CU: the same for every known service (interface 8.1). */
export const ramGbPerCu = 4;

/** Connections by size in CU; the last two are capped at 4,000 (interface 8.1). */
const interfaceConnections: ReadonlyMap<number, number> = new Map([
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

const services = {
  // Interface 8.1 and 8.2.
  interface: {
    title: "this service",
    replicaType: "read_only",
    sizes: [...interfaceConnections.keys()],
    fileCacheShare: 0.8,
    maxConnections: (minCu) => interfaceConnections.get(minCu),
  },
  // Neon's published types, and its documentation of October 2026.
  neon: {
    title: "Neon",
    replicaType: "read_only",
    sizes: [0.25, 0.5, ...steps(1, 16, 1), ...steps(18, 56, 2)],
    ranges: { mostCu: 16, spanCu: 8 },
    suspendsUpToCu: 16,
    fileCacheShare: 0.75,
    fileCacheBelowCu: 18,
    withoutEffect: ["poolerEnabled", "poolerMode", "passwordlessAccess"],
    // The maximum counts too, up to eight times the minimum.
    maxConnections: (minCu, maxCu) =>
      maxCu === undefined
        ? undefined
        : Math.max(100, Math.min(4000, Math.floor(419.66 * Math.min(maxCu, 8 * minCu)))),
  },
  // Nothing is known: no size is refused, and no figure shown.
  unknown: undefined,
} as const satisfies Record<ServiceName, ServiceFacts | undefined>;

function steps(from: number, to: number, by: number): readonly number[] {
  return Array.from({ length: (to - from) / by + 1 }, (_, index) => from + index * by);
}

/** `interface` is the interface as it is written down, `neon` is Neon, `unknown` any other service. */
export type ServiceName = "interface" | "neon" | "unknown";

export const serviceNames = Object.keys(services) as readonly ServiceName[];

/**
 * What is known about a service; undefined for `unknown`.
 *
 * @throws RangeError for any other value: in JavaScript, no compiler checks what a program passes.
 */
export function factsOf(service: ServiceName): ServiceFacts | undefined {
  if (Object.hasOwn(services, service)) return services[service];
  const names = serviceNames.map((name) => `"${name}"`).join(", ");
  throw new RangeError(`The service is ${JSON.stringify(service)}, but must be one of ${names}.`);
}

/** The service at a base URL, if no setting names it. */
export function serviceAt(baseUrl: string | undefined): ServiceName {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return "interface";
  return new URL(baseUrl).hostname.endsWith(".neon.tech") ? "neon" : "interface";
}

/** Whether a service has a size. An unknown service may have every size above 0. */
export function isSize(cu: number, service: ServiceName): boolean {
  const facts = factsOf(service);
  return facts === undefined ? cu > 0 : facts.sizes.includes(cu);
}

/** Whether a service has computes with these two sizes as their limits. */
export function isRange(minCu: number, maxCu: number, service: ServiceName): boolean {
  if (![minCu, maxCu].every((cu) => isSize(cu, service)) || minCu > maxCu) return false;
  const ranges = factsOf(service)?.ranges;
  return (
    minCu === maxCu || ranges === undefined || (maxCu <= ranges.mostCu && maxCu - minCu <= ranges.spanCu)
  );
}
