/**
 * Compute sizes: the table of a service's sizes, and what a size means to clients.
 *
 * Pure: stack programs, the provider and `compute-preview` all read it.
 */
import { factsOf, isRange, isSize, ramGbPerCu, type ServiceName } from "./services";

/** One row of the table of sizes. */
export interface ComputeSize {
  /** Compute Units, with one vCPU each. */
  readonly cu: number;
  /** Virtual CPUs. */
  readonly vCpu: number;
  /** RAM in GB, 4 GB per Compute Unit. */
  readonly ramGb: number;
  /** How much RAM the local file cache can use, in GB; undefined if the size has shared_buffers in its place. */
  readonly localFileCacheGb: number | undefined;
  /** Postgres' max_connections of a compute that always has this size. */
  readonly maxConnections: number;
}

/**
 * Every size of a service, smallest first; empty for `unknown`.
 *
 * @example
 * ```ts
 * const smallest = computeSizes("neon").find(({ maxConnections }) => maxConnections >= 500); // 2 CU
 * ```
 *
 * @param service - `interface`, `neon` or `unknown`, like the setting `compute:service`. It is required, since this function
 * does not read the base URL.
 */
export function computeSizes(service: ServiceName): readonly ComputeSize[] {
  const facts = factsOf(service);
  if (facts === undefined) return [];
  const { sizes, fileCacheShare, fileCacheBelowCu = Infinity } = facts;
  return sizes.map((cu) => ({
    cu,
    vCpu: cu,
    ramGb: cu * ramGbPerCu,
    localFileCacheGb: cu < fileCacheBelowCu ? roundedGb(cu * ramGbPerCu * fileCacheShare) : undefined,
    maxConnections: facts.maxConnections(cu, cu) ?? 0,
  }));
}

function roundedGb(gb: number): number {
  return Math.round(gb * 100) / 100;
}

/**
 * The row of a size.
 *
 * @example
 * ```ts
 * const { ramGb, maxConnections } = computeSize(1, "neon")!; // 4 GB, 419 connections
 * ```
 *
 * @param cu - size in Compute Units.
 * @param service - as for `computeSizes`.
 * @returns undefined for a size that the service does not have.
 */
export function computeSize(cu: number, service: ServiceName): ComputeSize | undefined {
  return computeSizes(service).find((size) => size.cu === cu);
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
 * @param cu - size in Compute Units, one of the service's (`computeSizes`).
 */
export function fixedSize(cu: number): SizeArgs {
  return { autoscalingLimitMinCu: cu, autoscalingLimitMaxCu: cu };
}

/**
 * A compute that the service sizes between two limits, without restarts or disconnects. `maxConnections` returns how many
 * connections such a compute accepts.
 *
 * @example
 * ```ts
 * new Endpoint("app", { projectId, branchId, ...autoscaling(0.5, 4) });
 * ```
 *
 * @param minCu - smallest size in Compute Units, one of the service's (`computeSizes`).
 * @param maxCu - largest size in Compute Units, at least `minCu`.
 */
export function autoscaling(minCu: number, maxCu: number): SizeArgs {
  return { autoscalingLimitMinCu: minCu, autoscalingLimitMaxCu: maxCu };
}

/**
 * The connections that a compute accepts. With autoscaling, the smaller size decides. On Neon the larger size counts too, so
 * raising the maximum alone changes the number.
 *
 * @example
 * ```ts
 * maxConnections(autoscaling(0.25, 2), "interface"); // 112
 * maxConnections(autoscaling(0.25, 2), "neon"); // 839
 * ```
 *
 * @param size - `fixedSize(…)` or `autoscaling(…)`.
 * @param service - as for `computeSizes`.
 * @returns undefined for a size that the service does not have, and for `unknown`.
 */
export function maxConnections(size: SizeArgs, service: ServiceName): number | undefined {
  return connectionsOf(size.autoscalingLimitMinCu, size.autoscalingLimitMaxCu, service);
}

function connectionsOf(minCu: number, maxCu: number | undefined, service: ServiceName): number | undefined {
  const facts = factsOf(service);
  if (facts === undefined || !isSize(minCu, service)) return undefined;
  if (maxCu !== undefined && !isRange(minCu, maxCu, service)) return undefined;
  return facts.maxConnections(minCu, maxCu);
}

/**
 * Both limits in CU, as text: `1` or `0.5–2`; empty if neither is declared. A CU is a vCPU, so vCPUs are not listed
 * separately (interface 8.1).
 *
 * @param limits - a limit that is not a number (unknown or secret) is shown as `?`.
 */
export function cuRange(limits: readonly unknown[]): string {
  const shown = limits
    .filter((cu) => cu !== undefined && cu !== null)
    .map((cu) => (typeof cu === "number" ? String(cu) : "?"));
  return [...new Set(shown)].join("–");
}

/** A figure that depends on the size, before and after a change. */
export interface Figure {
  /** Which figure it is. */
  readonly name: "max_connections" | "RAM" | "file cache";
  /** The figure before. */
  readonly from: number;
  /** The new figure. */
  readonly to: number;
  /** The unit of both; empty if the figure counts connections. */
  readonly unit: "" | "GB";
}

/**
 * The figures that change with a size, if they are known for both sides.
 *
 * @param before - a declaration or a state.
 * @param after - the new declaration or state. A limit that is not a number (unknown or secret) is ignored.
 */
export function figuresBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  service: ServiceName,
): readonly Figure[] {
  const [old, next] = [figuresOf(before, service), figuresOf(after, service)];
  return figures.flatMap(({ name, unit }) => {
    const [from, to] = [old[name], next[name]];
    return from === undefined || to === undefined || from === to ? [] : [{ name, from, to, unit }];
  });
}

const figures = [
  { name: "max_connections", unit: "" },
  { name: "RAM", unit: "GB" },
  { name: "file cache", unit: "GB" },
] as const satisfies readonly Pick<Figure, "name" | "unit">[];

/** RAM and file cache are those of the smaller limit, since these are always available. */
function figuresOf(
  { autoscalingLimitMinCu: minCu, autoscalingLimitMaxCu: maxCu }: Readonly<Record<string, unknown>>,
  service: ServiceName,
): Readonly<Partial<Record<Figure["name"], number | undefined>>> {
  if (typeof minCu !== "number") return {};
  const least = computeSize(minCu, service);
  return {
    max_connections: connectionsOf(minCu, typeof maxCu === "number" ? maxCu : undefined, service),
    RAM: least?.ramGb,
    "file cache": least?.localFileCacheGb,
  };
}
