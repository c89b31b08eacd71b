/**
 * The order of computes: whose connections drop comes first, then the more serious outcome.
 */
import { outcomes, type ComputeReport } from "./shape";

type Ranked = Pick<ComputeReport, "outcome" | "certain" | "drops">;

const dropRanks = { yes: 0, may: 1, no: 2 } as const;

/** `r2` stands before `r10`. */
export const { compare: compareNames } = new Intl.Collator("en", { numeric: true });

/** A smaller number is more serious. What is refused comes first: the preview stopped there. */
export function rankOf({ outcome, certain, drops }: Ranked): number {
  if (outcome === "refused") return 0;
  return (dropRanks[drops] * outcomes.length + outcomes.indexOf(outcome)) * 2 + (certain ? 0 : 1);
}

export function bySeriousness(left: ComputeReport, right: ComputeReport): number {
  return rankOf(left) - rankOf(right) || compareNames(left.label, right.label);
}
