/**
 * The shape of a report: what `--format json` prints and docs/compute-preview.md documents. A change that
 * breaks a reader raises the version.
 */
import type { Change } from "./changes";
import type { Remark } from "./clients";
import type { Outcome } from "./outcome";
import type { Figure } from "./size";

export const reportVersion = 1;

export interface ComputeReport {
  readonly urn: string;
  readonly name: string;
  /** null for a new compute. */
  readonly id: string | null;
  /** The engine's word: `update`, `replace`, `create`, `delete`. */
  readonly step: string;
  readonly outcome: Outcome;
  /** False where only the update will know. */
  readonly certain: boolean;
  /** Whether open connections drop; `may` also where the preview stopped before it knew. */
  readonly drops: "yes" | "may" | "no";
  readonly changes: readonly Change[];
  /** In CU, `1` or `0.5–2`; null where the size stays, or is a secret. */
  readonly size: { readonly from: string | null; readonly to: string } | null;
  readonly figures: readonly Figure[];
  readonly clients: readonly Remark[];
  /** The provider's own words; null where it said none, and where they may quote a secret or do not hold. */
  readonly notice: string | null;
  readonly errors: readonly string[];
}

export interface Report {
  readonly format: "compute-preview";
  readonly version: typeof reportVersion;
  readonly project: string | null;
  readonly stack: string | null;
  /** True where the preview ended with an error: the engine may have planned less than it would have. */
  readonly failed: boolean;
  /** `2 computes restart, 1 is replaced, 1 is new`. */
  readonly summary: string;
  /** Errors that belong to no compute of this report. */
  readonly errors: readonly string[];
  readonly computes: readonly ComputeReport[];
  /** Resources of other types that change. */
  readonly otherChanges: number;
  /** Resources of any type that stay as they are: the engine does not list them. */
  readonly unchangedResources: number;
}
