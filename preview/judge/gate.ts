/**
 * What `--fail-on` refuses.
 */
import { failureKinds, type ComputeReport, type FailureKind, type Outcome } from "./shape";

/** The kinds of `--fail-on` that apply to this compute. */
export function refusedKinds(compute: ComputeReport, failOn: readonly FailureKind[]): readonly FailureKind[] {
  return failureKinds.filter((kind) => failOn.includes(kind) && isOf(compute, kind));
}

/** A change counts for each of its parts: a move that also resizes is a restart as well. */
function isOf(compute: ComputeReport, kind: FailureKind): boolean {
  if (kind === "may") return partsOf(compute).some(({ certain }) => !certain);
  if (kind === "drift") return compute.drift !== null;
  if (kind === "drop") return compute.drops === "yes";
  return partsOf(compute).some(({ certain, effect }) => certain && effect === kind);
}

/** The outcome, and what the change does besides. */
function partsOf({
  outcome,
  certain,
  also = [],
}: ComputeReport): readonly { readonly effect: Outcome; readonly certain: boolean }[] {
  return [{ effect: outcome, certain }, ...also];
}
