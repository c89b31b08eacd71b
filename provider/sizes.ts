/**
 * Compute sizes: the table of interface 8.1, and what a size means to clients.
 *
 * Pure and without imports: stack programs, the provider and `compute-preview` all read it.
 */

/** One row of the table of sizes. */
export interface ComputeSize {
  /** Compute Units, with one vCPU each. */
  readonly cu: number;
  /** Virtual CPUs. */
  readonly vCpu: number;
  /** RAM in GB, 4 GB per Compute Unit. */
  readonly ramGb: number;
  /** 80 % of the RAM, in GB; extends the fixed 128 MB of shared_buffers. */
  readonly localFileCacheGb: number;
  /** Postgres' max_connections: 112 to 4,000. */
  readonly maxConnections: number;
}

/** Sizes in CU with the connections each allows. The last two are capped at 4,000 (interface 8.1). */
const maxConnectionsByCu = [
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
] as const;

const ramGbPerCu = 4;

/**
 * Every size of the interface, smallest first.
 *
 * @example
 * ```ts
 * const smallest = computeSizes.find(({ maxConnections }) => maxConnections >= 500); // 2 CU
 * ```
 */
export const computeSizes: readonly ComputeSize[] = maxConnectionsByCu.map(([cu, maxConnections]) => ({
  cu,
  vCpu: cu,
  ramGb: cu * ramGbPerCu,
  localFileCacheGb: Math.round(cu * ramGbPerCu * 8) / 10,
  maxConnections,
}));

/**
 * The row of a size.
 *
 * @example
 * ```ts
 * const { ramGb, maxConnections } = computeSize(1)!; // 4 GB, 450 connections
 * ```
 *
 * @param cu - size in Compute Units.
 * @returns undefined for a size that the interface does not list (8.1).
 */
export function computeSize(cu: number): ComputeSize | undefined {
  return computeSizes.find((size) => size.cu === cu);
}

/** The two arguments of an Endpoint that set its size, both in CU. */
export interface SizeArgs {
  /** Smallest size in Compute Units. */
  readonly autoscalingLimitMinCu: number;
  /** Largest size in Compute Units; equal to the smallest for a fixed size. */
  readonly autoscalingLimitMaxCu: number;
}

/**
 * A compute that always has one size. Spread it into the arguments.
 *
 * @example
 * ```ts
 * new Endpoint("app", { projectId, branchId, ...fixedSize(1) });
 * ```
 *
 * @param cu - size in Compute Units, one of `computeSizes` unless `compute:allowUnlistedSizes` is true.
 */
export function fixedSize(cu: number): SizeArgs {
  return { autoscalingLimitMinCu: cu, autoscalingLimitMaxCu: cu };
}

/**
 * A compute that the service sizes between two limits, without restarts or disconnects.
 * `maxConnections` tells how many connections it then accepts.
 *
 * @example
 * ```ts
 * new Endpoint("app", { projectId, branchId, ...autoscaling(0.5, 4) });
 * ```
 *
 * @param minCu - smallest size in Compute Units, as `fixedSize` takes them.
 * @param maxCu - largest size in Compute Units, at least `minCu`.
 */
export function autoscaling(minCu: number, maxCu: number): SizeArgs {
  return { autoscalingLimitMinCu: minCu, autoscalingLimitMaxCu: maxCu };
}

/**
 * The connections that a compute accepts: with autoscaling those of the smaller size (interface 8.2).
 *
 * @example
 * ```ts
 * maxConnections(fixedSize(1)); // 450
 * maxConnections(autoscaling(0.25, 4)); // 112
 * ```
 *
 * @param size - `fixedSize(…)` or `autoscaling(…)`.
 * @returns undefined for a size that the interface does not list.
 */
export function maxConnections({ autoscalingLimitMinCu }: SizeArgs): number | undefined {
  return computeSize(autoscalingLimitMinCu)?.maxConnections;
}

/**
 * Both limits in CU, as text: `1` or `0.5–2`; empty if neither is declared. A CU is a vCPU, so vCPUs are not listed
 * separately (interface 8.1).
 *
 * @param limits - one that is not a number (unknown or secret) is shown as `?`.
 */
export function cuRange(limits: readonly unknown[]): string {
  const shown = limits
    .filter((cu) => cu !== undefined && cu !== null)
    .map((cu) => (typeof cu === "number" ? String(cu) : "?"));
  return [...new Set(shown)].join("–");
}

/** A figure that depends on a size, before and after a change. */
export interface Figure {
  /** Which figure it is. */
  readonly name: "max_connections" | "RAM" | "file cache";
  /** null for a new compute. */
  readonly from: number | null;
  /** The new figure. */
  readonly to: number;
  /** The unit of both; empty if the figure counts connections. */
  readonly unit: "" | "GB";
}

type CuValues = Readonly<Record<string, unknown>>;

/**
 * The figures that change with a size.
 *
 * @param before - a declaration or a state; undefined for a new compute.
 * @param after - the new declaration or state. A limit that is not a number (unknown or secret) is ignored.
 */
export function figuresBetween(before: CuValues | undefined, after: CuValues): readonly Figure[] {
  const [old, next] = [before && figuresOf(before), figuresOf(after)];
  return figures.flatMap(({ name, unit }) => {
    const [from, to] = [old?.[name], next[name]];
    // For a compute that exists, a new figure without the old one would be misleading.
    if (to === undefined || from === to || (from === undefined && before !== undefined)) return [];
    return [{ name, from: from ?? null, to, unit }];
  });
}

const figures = [
  { name: "max_connections", unit: "" },
  { name: "RAM", unit: "GB" },
  { name: "file cache", unit: "GB" },
] as const satisfies readonly Pick<Figure, "name" | "unit">[];

/** Those of the smaller limit, which are always available. Of a size that the interface does not list, RAM is known. */
function figuresOf({
  autoscalingLimitMinCu: cu,
}: CuValues): Readonly<Record<Figure["name"], number | undefined>> {
  const least = typeof cu === "number" ? computeSize(cu) : undefined;
  return {
    max_connections: least?.maxConnections,
    RAM: typeof cu === "number" ? cu * ramGbPerCu : undefined,
    "file cache": least?.localFileCacheGb,
  };
}
