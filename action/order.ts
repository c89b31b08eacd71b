/**
 * Tells which of two reports is newer. Each comment ends with the id and the attempt of the run that reported, so that a
 * late report never replaces a newer one.
 */
import type { Environment } from "./runner";

/** Id and attempt of the run, compared from the left. GitHub's run ids increase across all workflows. */
export type Place = readonly number[];

export function placeOfRun(env: Environment): Place {
  return [Number(env["GITHUB_RUN_ID"]) || 0, Number(env["GITHUB_RUN_ATTEMPT"]) || 1];
}

/** True if a report from `place` may replace one from `other`. A report without a place counts as older. */
export function isAtLeast(place: Place, other: Place | undefined): boolean {
  if (other === undefined) return true;
  const index = place.findIndex((number, at) => number !== other[at]);
  return index < 0 || (place[index] ?? 0) > (other[index] ?? 0);
}

/** The last line of a comment, which is invisible. */
export function placeLine(place: Place): string {
  return `<!-- compute-preview-run: ${place.join(".")} -->`;
}

/** Reads only the last line, which this program writes: names and messages above it come from elsewhere. */
export function placeOfComment(body: string | null | undefined): Place | undefined {
  const [last = ""] = (body ?? "").trimEnd().split("\n").slice(-1);
  const [, place] = /^<!-- compute-preview-run: ([\d.]+) -->$/.exec(last) ?? [];
  return place?.split(".").map(Number);
}
