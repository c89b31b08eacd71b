/**
 * What `--fail-on` refuses, and what somebody has allowed of it.
 */
import { failureKinds, type FailureKind } from "./failureKinds";
import type { Allowance, ComputeReport, Report } from "./shape";

/** Somebody's word on what may happen although `--fail-on` refuses it. */
export interface Permission {
  readonly by: string;
  readonly kinds: readonly FailureKind[];
}

/** What a run refuses, and what of it is allowed. */
export interface Rules {
  readonly failOn: readonly FailureKind[];
  readonly permissions: readonly Permission[];
}

/** @returns the report, with who allowed what; only what would be refused otherwise is told. */
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

/** What of `--fail-on` meets this compute, and nobody has allowed. */
export function refusedKinds(compute: ComputeReport, { failOn, permissions }: Rules): readonly FailureKind[] {
  const allowed = permissions.flatMap(({ kinds }) => kinds);
  return refusalsOf(compute, failOn).filter((met) => !allowed.some((kind) => covers(kind, { met, compute })));
}

function refusalsOf(compute: ComputeReport, failOn: readonly FailureKind[]): readonly FailureKind[] {
  return failureKinds.filter((kind) => failOn.includes(kind) && isOf(compute, kind));
}

/**
 * Whoever allows a restart allows that the connections of what restarts drop. It does not go the other way round: a
 * word for `drop` is none for a deletion.
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
