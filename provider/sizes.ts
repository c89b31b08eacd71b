/**
 * Compute sizes: the table of interface 8.1, and what a size means to clients.
 *
 * Pure and without imports: stack programs, the provider and `compute-preview` all read it.
 */

/** One row of the size table (interface 8.1). */
export interface ComputeSize {
  /** Compute Units; a vCPU each. */
  readonly cu: number;
  readonly vCpu: number;
  readonly ramGb: number;
  /** 80 % of the RAM, in GB; extends the fixed 128 MB of shared_buffers. */
  readonly localFileCacheGb: number;
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

/** Every size of interface 8.1, smallest first. */
export const computeSizes: readonly ComputeSize[] = maxConnectionsByCu.map(([cu, maxConnections]) => ({
  cu,
  vCpu: cu,
  ramGb: cu * ramGbPerCu,
  localFileCacheGb: Math.round(cu * ramGbPerCu * 8) / 10,
  maxConnections,
}));

/**
 * The row of the size table for a size.
 *
 * @param cu - size in Compute Units.
 * @returns undefined for a size that interface 8.1 does not list.
 */
export function computeSize(cu: number): ComputeSize | undefined {
  return computeSizes.find((size) => size.cu === cu);
}

/** The two arguments of an Endpoint that set its size, both in CU. */
export interface SizeArgs {
  readonly autoscalingLimitMinCu: number;
  readonly autoscalingLimitMaxCu: number;
}

/**
 * A compute that always has one size. Spread it into the arguments: `{ ...fixedSize(1) }`.
 *
 * @param cu - size in Compute Units, one of `computeSizes`.
 */
export function fixedSize(cu: number): SizeArgs {
  return { autoscalingLimitMinCu: cu, autoscalingLimitMaxCu: cu };
}

/**
 * A compute that the service sizes between two limits, without restarts or disconnects (interface 3.1).
 * Its max_connections come from the smaller one (interface 8.2).
 *
 * @param minCu - smallest size in Compute Units, one of `computeSizes`.
 * @param maxCu - largest size in Compute Units, one of `computeSizes`, at least `minCu`.
 */
export function autoscaling(minCu: number, maxCu: number): SizeArgs {
  return { autoscalingLimitMinCu: minCu, autoscalingLimitMaxCu: maxCu };
}
