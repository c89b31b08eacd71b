/**
 * What the command ends with.
 */
import type { Outcome } from "./outcome";
import type { ComputeReport, Report } from "./shape";

/** What `--fail-on` takes, with the exit code of each; where several are met, the first one counts. */
export const failureCodes = {
  delete: 20,
  replace: 21,
  move: 22,
  suspend: 23,
  restart: 24,
  /** Whatever may drop connections, and only the update will know. */
  may: 25,
} as const satisfies Partial<Record<Outcome | "may", number>>;

export type FailureKind = keyof typeof failureCodes;

export const failureKinds = Object.keys(failureCodes) as readonly FailureKind[];

export const exitCodes = { ok: 0, unexpected: 1, usage: 2, unreadable: 3, previewFailed: 4 } as const;

export interface Ending {
  readonly code: number;
  /** For stderr; undefined where there is nothing to add. */
  readonly message?: string;
}

/** A failed preview counts first: it may have stopped before it saw what `--fail-on` is about. */
export function endingOf(report: Report, failOn: readonly FailureKind[]): Ending {
  if (report.failed) return { code: exitCodes.previewFailed, message: "the preview itself failed" };
  const first = failureKinds.find(
    (kind) => failOn.includes(kind) && report.computes.some((compute) => isOf(compute, kind)),
  );
  if (first === undefined) return { code: exitCodes.ok };
  const met = report.computes.filter((compute) => failOn.some((kind) => isOf(compute, kind)));
  const count = met.length === 1 ? "1 compute is" : `${met.length} computes are`;
  return { code: failureCodes[first], message: `${count} what --fail-on ${failOn.join(",")} refuses` };
}

function isOf({ outcome, certain }: ComputeReport, kind: FailureKind): boolean {
  return kind === "may" ? !certain : certain && outcome === kind;
}
