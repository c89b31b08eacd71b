/**
 * The form of the report after an update: what `compute-preview --applied … --format json` prints.
 */
import type { Outcome } from "../judge/shape";

/** Version of the type `AppliedReport`: a change that breaks readers increases it, a new member does not. */
export const appliedVersion = 1;

/**
 * The first differs most from what was announced: the order of the report.
 *
 * - `unannounced`: it was interrupted, and nothing announced it.
 * - `failed`: its update failed; the operations do not show what happened.
 * - `unknown`: an interruption was announced, or an earlier run may have announced one, and no operation of the update
 *   shows it.
 * - `spared`: an interruption was announced, and the compute ran nothing, or nothing was sent.
 * - `announced`: it was interrupted, as announced.
 * - `quiet`: nothing announced an interruption, and no operation shows one.
 */
export const comparisons = ["unannounced", "failed", "unknown", "spared", "announced", "quiet"] as const;

/**
 * How what happened compares with what was announced: a word of `comparisons`.
 *
 * @useDeclaredType
 */
export type Comparison = (typeof comparisons)[number];

/** What an update did to one compute. */
export interface AppliedCompute {
  /** The engine's name of the resource, unique in its stack. */
  readonly urn: string;
  /** The resource's name; with its components' names if the preview has them. */
  readonly label: string;
  /** The engine's operation: `update`, `replace`, `create`, `delete`. */
  readonly step: string;
  /** The outcome in the preview; without a preview, what the run itself announced. null if neither says. */
  readonly announced: Outcome | null;
  /** False if it was announced with "may". */
  readonly certain: boolean;
  /** What happened, as a clause. */
  readonly happened: string;
  /** Longest time for which it was not active, in milliseconds; null if it was not interrupted, or not known. */
  readonly mostMs: number | null;
  /** How the two compare. */
  readonly comparison: Comparison;
}

/** What `--applied` prints for one update. */
export interface AppliedReport {
  /** Distinguishes this form from the report of a preview. */
  readonly format: "compute-preview-applied";
  /** Version of this form: a change that breaks readers increases it, a new member does not. */
  readonly version: typeof appliedVersion;
  /** The Pulumi project; null if the events do not name it. */
  readonly project: string | null;
  /** The stack; null if the events do not name it. */
  readonly stack: string | null;
  /** `file`: the preview that was given; `receipts`: what the run itself announced. */
  readonly comparedWith: "file" | "receipts";
  /** True if the update ended with an error. */
  readonly failed: boolean;
  /** What differs most from the announcement comes first, then the longest. */
  readonly computes: readonly AppliedCompute[];
  /** URNs of computes that the preview announced as interrupted and that the update did not reach. */
  readonly notReached: readonly string[];
  /** How many computes were interrupted: an operation shows it, or they were deleted or replaced. */
  readonly interrupted: number;
  /** How many of them nothing announced. */
  readonly unannounced: number;
  /** Sum of all known times in milliseconds. */
  readonly totalMs: number;
  /** The compute that was away longest; null if no time is known. */
  readonly longest: LongestInterruption | null;
}

/** The compute that was away longest. */
export interface LongestInterruption {
  /** The engine's name of the resource. */
  readonly urn: string;
  /** The resource's name, as in `computes`. */
  readonly label: string;
  /** Longest time for which it was not active, in milliseconds. */
  readonly mostMs: number;
}
