/**
 * Compute sizes: the table of interface 8.1, and what a size means to clients. Other tables are in `sizeTables.ts`.
 *
 * Pure and without imports: stack programs, the provider and `compute-preview` all read it.
 */

/** One row of a table of sizes. An unknown figure is absent. */
export interface SizeRow {
  /** Compute Units. */
  readonly cu: number;
  /** RAM in GB. */
  readonly ramGb?: number | undefined;
  /** Postgres' max_connections: how many connections a compute of this size accepts. */
  readonly maxConnections?: number | undefined;
  /** The local file cache in GB. */
  readonly localFileCacheGb?: number | undefined;
}

/** One row of a table of sizes. */
export interface ComputeSize extends SizeRow {
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

/** A table of sizes, with the figures of each size. */
export interface SizeTable {
  /** A table's name, or the rows as JSON: the value of `compute:sizeTable`, which a preview stores as well. */
  readonly source: string;
  /** Smallest first. */
  readonly sizes: readonly SizeRow[];
  /** Sizes above it must be fixed; undefined if the table sets no such limit. */
  readonly largestAutoscalingCu?: number | undefined;
  /**
   * The size, in CU, that decides the max_connections of a compute that is sized between two limits; undefined if the
   * table does not say.
   */
  readonly connectionsCu: (minCu: number, maxCu: number | undefined) => number | undefined;
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

/** The table of interface 8.1, the default. */
export const interfaceSizes: SizeTable = {
  source: "interface",
  sizes: computeSizes,
  connectionsCu: (minCu) => minCu, // interface 8.2
};

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
export function computeSize(cu: number): ComputeSize | undefined;
/**
 * The row of a size in another table; a figure that the table does not state is undefined.
 *
 * @param cu - size in Compute Units.
 * @param table - such as `configuredSizeTable()`.
 * @returns undefined for a size that the table does not list.
 */
export function computeSize(cu: number, table: SizeTable): SizeRow | undefined;
export function computeSize(cu: number, { sizes }: SizeTable = interfaceSizes): SizeRow | undefined {
  return sizes.find((size) => size.cu === cu);
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
 * @param cu - size in Compute Units, one that the configured table lists: `computeSizes` unless `compute:sizeTable` names another.
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
 * The connections that a compute accepts: for a fixed size those of its row, with autoscaling those of the size that
 * the table names, which in the interface is the smaller one (8.2).
 *
 * @example
 * ```ts
 * maxConnections(fixedSize(1)); // 450
 * maxConnections(autoscaling(0.25, 4)); // 112
 * ```
 *
 * @param size - `fixedSize(…)` or `autoscaling(…)`.
 * @param table - as for `computeSize`.
 * @returns undefined if the table has no such figure.
 */
export function maxConnections(size: SizeArgs, table = interfaceSizes): number | undefined {
  const cu = table.connectionsCu(size.autoscalingLimitMinCu, size.autoscalingLimitMaxCu);
  return cu === undefined ? undefined : computeSize(cu, table)?.maxConnections;
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
export function figuresBetween(
  before: CuValues | undefined,
  after: CuValues,
  table: SizeTable,
): readonly Figure[] {
  const [old, next] = [before && figuresOf(before, table), figuresOf(after, table)];
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

/** RAM and cache are those of the smaller limit, which are always available. */
function figuresOf(limits: CuValues, table: SizeTable): Readonly<Record<Figure["name"], number | undefined>> {
  const { autoscalingLimitMinCu: minCu, autoscalingLimitMaxCu: maxCu } = limits;
  const least = typeof minCu === "number" ? computeSize(minCu, table) : undefined;
  const connectionsCu = least && table.connectionsCu(least.cu, typeof maxCu === "number" ? maxCu : undefined);
  return {
    max_connections: connectionsCu && computeSize(connectionsCu, table)?.maxConnections,
    RAM: least?.ramGb,
    "file cache": least?.localFileCacheGb,
  };
}
