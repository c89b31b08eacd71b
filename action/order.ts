/**
 * Which of two reports is the newer one. Each comment and each status carries the place of its report, so that one that
 * is late never replaces a newer one.
 */
import type { Previewing } from "./subject";
import type { Environment } from "./runner";

/**
 * Ids and attempts of runs, compared from the left: the run that previewed, then the run that reports. GitHub's ids grow
 * over all workflows; numbers of runs begin at 1 again when the file of a workflow gets another name.
 */
export type Place = readonly number[];

const name = "compute-preview-run";

export function placeOf(env: Environment, previewing: Previewing | undefined): Place {
  const own = [Number(env["GITHUB_RUN_ID"]) || 0, Number(env["GITHUB_RUN_ATTEMPT"]) || 1];
  return previewing === undefined ? own : [previewing.id, previewing.attempt, ...own];
}

/** True if something of another place may be replaced; what has no place is old. */
export function isAtLeast(place: Place, other: Place | undefined): boolean {
  if (other === undefined) return true;
  const index = place.findIndex((number, at) => number !== other[at]);
  return index < 0 || (place[index] ?? 0) > (other[index] ?? 0);
}

/** The last line of a comment: invisible. */
export function placeLine(place: Place): string {
  return `<!-- ${name}: ${place.join(".")} -->`;
}

/** Of a comment: only what this program wrote at its end counts, since names and messages above are foreign. */
export function placeOfComment(body: string | null | undefined): Place | undefined {
  const [last] = (body ?? "").trimEnd().split("\n").slice(-1);
  return placeAfter(/^<!-- compute-preview-run: ([\d.]+) -->$/, last);
}

/** Of a status: in its address. */
export function placeOfStatus(address: string | null | undefined): Place | undefined {
  return placeAfter(/[?&]compute-preview-run=([\d.]+)/, address);
}

function placeAfter(form: RegExp, text: string | null | undefined): Place | undefined {
  return form
    .exec(text ?? "")?.[1]
    ?.split(".")
    .map(Number);
}

/** GitHub ignores such a parameter; a status has no other place for it. */
export function addressAt(url: string, place: Place): string {
  const [page = "", ...anchor] = url.split("#");
  const mark = page.includes("?") ? "&" : "?";
  return [`${page}${mark}${name}=${place.join(".")}`, ...anchor].join("#");
}
