/**
 * Decides what `--fail-on` refuses, and what of it is allowed.
 */
import { failureKinds, type FailureKind } from "./failureKinds";
import type { Allowance, ComputeReport, Report } from "./shape";

/** A permission for something that `--fail-on` refuses. */
export interface Permission {
  readonly by: string;
  readonly kinds: readonly FailureKind[];
}

/** What a run refuses, and what of it is allowed. */
export interface Rules {
  readonly failOn: readonly FailureKind[];
  readonly permissions: readonly Permission[];
  /** From `cost>N`: the most CU-hours a month that the computes of a report may be able to use together. */
  readonly mostCuHours?: number | undefined;
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
 */
function covers(
  allowed: FailureKind,
  { met, compute }: { readonly met: FailureKind; readonly compute: ComputeReport },
): boolean {
  return allowed === met || (met === "drop" && allowed === compute.outcome && compute.certain);
}

function isOf({ outcome, certain, drops, drift }: ComputeReport, kind: FailureKind): boolean {
  if (kind === "may") return !certain;
  if (kind === "drift") return drift !== null;
  return kind === "drop" ? drops === "yes" : certain && outcome === kind;
}
