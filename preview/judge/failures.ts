/**
 * Decides what `--fail-on` refuses, and what of it is allowed.
 */
import { failureKinds, type FailureKind } from "./failureKinds";
import { outcomes, type Allowance, type ComputeReport, type Outcome, type Report } from "./shape";

/** A permission for something that `--fail-on` refuses. */
export interface Permission {
  readonly by: string;
  readonly kinds: readonly FailureKind[];
}

/** What a run refuses, and what of it is allowed. */
export interface Rules {
  readonly failOn: readonly FailureKind[];
  readonly permissions: readonly Permission[];
}

/** @returns the report, with who allowed what; only what would otherwise be refused is included. */
export function withAllowances(report: Report, rules: Rules): Report {
  const allowed = rules.permissions.flatMap(({ by, kinds }) =>
    kinds.flatMap((kind): readonly Allowance[] => {
      const computes = report.computes
        .filter((compute) => refusalsOf(compute, rules.failOn).some((met) => covers(kind, { met, compute })))
        .map(({ urn }) => urn);
      return computes.length === 0 ? [] : [{ by, kind, computes }];
    }),
  );
  return allowed.length === 0 ? report : { ...report, allowed };
}

/** The kinds of `--fail-on` that apply to this compute and are not allowed. */
export function refusedKinds(compute: ComputeReport, { failOn, permissions }: Rules): readonly FailureKind[] {
  const allowed = permissions.flatMap(({ kinds }) => kinds);
  return refusalsOf(compute, failOn).filter((met) => !allowed.some((kind) => covers(kind, { met, compute })));
}

function refusalsOf(compute: ComputeReport, failOn: readonly FailureKind[]): readonly FailureKind[] {
  return failureKinds.filter((kind) => failOn.includes(kind) && isOf(compute, kind));
}

/**
 * A permission for a restart also allows that the restart drops connections. The reverse does not hold: a permission
 * for `drop` does not allow a deletion.
 *
 * An adoption drops connections by what it changes, of which the most severe counts.
 */
function covers(
  allowed: FailureKind,
  { met, compute }: { readonly met: FailureKind; readonly compute: ComputeReport },
): boolean {
  if (allowed === met) return true;
  const sure = partsOf(compute).flatMap(({ effect, certain }) => (certain ? [effect] : []));
  const main = outcomes.find((one) => one !== "adopt" && sure.includes(one));
  return met === "drop" && main === allowed;
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
