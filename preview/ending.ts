/**
 * Decides the exit code of `compute-preview`, and gives the reason.
 */
import { failureCodes, failureKinds, type FailureKind } from "./judge/failureKinds";
import { refusedKinds } from "./judge/failures";
import type { Report } from "./judge/shape";
import { counted, eventsSetting, unaskedLine } from "./judge/summary";
import { sumOf } from "./read/values";

export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  unreadable: 3,
  previewFailed: 4,
  unasked: 5,
} as const;

/**
 * A failed preview counts first, and one that could not ask the service second: they may not have seen what `--fail-on`
 * refuses.
 */
export function endingOf(
  reports: readonly Report[],
  failOn: readonly FailureKind[],
): [code: number, message: string] {
  const failed = reports.filter((report) => report.failed).length;
  if (failed > 0) {
    const which = reports.length === 1 ? "the preview itself" : `${failed} of ${reports.length} previews`;
    return [exitCodes.previewFailed, `${which} failed`];
  }
  const unasked = unaskedLine(reports.flatMap(({ computes }) => computes));
  if (unasked !== undefined)
    return [
      exitCodes.unasked,
      `${unasked}: a warning of the preview says why; put that right, and preview again`,
    ];
  const refused = reports
    .flatMap(({ computes }) => computes.map((compute) => refusedKinds(compute, failOn)))
    .filter((kinds) => kinds.length > 0);
  const first = failureKinds.find((kind) => refused.some((kinds) => kinds.includes(kind)));
  if (first !== undefined) {
    const count = counted(refused.length, "compute is", "computes are");
    return [failureCodes[first], `${count} what --fail-on ${failOn.join(",")} refuses`];
  }
  if (!failOn.includes("drift")) return [exitCodes.ok, ""];
  // `--fail-on` asks for something that this form does not show: passing would be misleading.
  const unseen = sumOf(reports.map(({ unseenRefreshes }) => unseenRefreshes));
  if (unseen > 0)
    return [
      failureCodes.drift,
      `whether ${counted(unseen, "compute")} changed outside, which --fail-on drift refuses, is in the events alone: ${eventsSetting}`,
    ];
  if (reports.some(({ unread }) => unread))
    return [
      failureCodes.drift,
      "whether a compute changed outside, which --fail-on drift refuses, was not looked for: preview with --refresh",
    ];
  return [exitCodes.ok, ""];
}
