/**
 * The words of a report that all forms share.
 */
import type { Change, ComputeReport, Difference, Remark, Report, SharedBranch } from "../judge/shape";
import { unseenLine } from "../judge/summary";
import { secret, unknown, type Shown } from "../read/values";

/** How a form quotes a value of others. */
export type Quote = (value: string) => string;

/** What a reviewer asks first. */
export function headline(report: Report): string {
  const { computes, failed } = report;
  const count = (wanted: ComputeReport["drops"]): number =>
    computes.filter(({ drops, outcome }) => drops === wanted && outcome !== "refused").length;
  const [sure, maybe] = [count("yes"), count("may")];
  if (sure > 0)
    return `${sure} ${sure === 1 ? "compute drops its" : "computes drop their"} open connections${maybe > 0 ? `, ${maybe} may` : ""}`;
  if (maybe > 0)
    return `${maybe} ${maybe === 1 ? "compute may drop its" : "computes may drop their"} open connections`;
  if (failed) return "the preview failed";
  if (computes.length === 0 && report.unseenRefreshes > 0)
    return "what changed outside the program is not shown";
  const outside = computes.filter(({ drift }) => drift !== null).length;
  if (outside === 0) return "no compute drops its open connections";
  return `${outside} ${outside === 1 ? "compute" : "computes"} changed outside the program, and no open connections drop`;
}

/** What the table leaves out of computes that are in it, or would be. */
export function notesOf(report: Report, quote: Quote): readonly string[] {
  const unseen = report.unseenRefreshes > 0 && report.computes.length > 0 ? [`${unseenLine(report)}.`] : [];
  return [...report.branches.map((branch) => branchLine(branch, report, quote)), ...unseen];
}

const mostNames = 6;

/** Says no more of a branch than the preview knows: it lists what changes, and nothing that stays. */
function branchLine(
  { branchId, computes: urns, whole }: SharedBranch,
  { computes }: Report,
  quote: Quote,
): string {
  const sharing = computes.filter(({ urn }) => urns.includes(urn));
  const names = sharing
    .slice(0, mostNames)
    .map(({ label, type }) => `${quote(label)}${type ? ` (${quote(type)})` : ""}`);
  const more = sharing.length > names.length ? [`${sharing.length - names.length} more`] : [];
  const verb = sharing.every(({ drops }) => drops === "yes") ? "are interrupted" : "may be interrupted";
  const together = `Branch ${quote(branchId)}: ${[...names, ...more].join(", ")} ${verb} by the same update.`;
  return whole
    ? `${together} Unless it has a compute that this preview does not list, the whole branch ${verb === "are interrupted" ? "is" : "may be"} without one for a moment.`
    : together;
}

/** `size: 1 → 2 CU`, and the changes that it does not tell. */
export function changeLines(
  { changes, size }: Pick<ComputeReport, "size"> & { readonly changes: readonly Difference[] },
  textOf: (difference: Difference) => string,
): readonly string[] {
  const isTold = (argument: string): boolean => size !== null && argument.startsWith("autoscalingLimit");
  return [
    ...(size === null ? [] : [`size: ${size.from === null ? "" : `${size.from} → `}${size.to} CU`]),
    ...changes.filter(({ argument }) => !isTold(argument)).map(textOf),
  ];
}

/** What a refresh found. */
export function driftLines(
  { drift, outcome }: ComputeReport,
  textOf: (difference: Difference) => string,
): readonly string[] {
  if (drift === null || outcome === "gone") return [];
  return drift.gone
    ? ["deleted outside"]
    : changeLines(drift, textOf).map((line) => `changed outside: ${line}`);
}

export function remarksLine({ clients }: ComputeReport, quote: Quote): string {
  const told = ({ text, value }: Remark): string =>
    value === undefined ? text : `${text} (${quote(value)})`;
  return clients.map(told).join("; ");
}

export function stackName({ project, stack }: Report): string {
  return [project, stack].filter((name) => name !== null).join("/");
}

/** What is not in the table. */
export function restLine({ otherChanges, unchangedResources }: Report): string {
  const changes = `${otherChanges} ${otherChanges === 1 ? "change" : "changes"} to resources of other types`;
  return `Not shown: ${changes}; ${unchangedResources} ${unchangedResources === 1 ? "resource" : "resources"} without changes`;
}

/** A value in words of the reader. */
export function wordOf(value: Shown): string {
  if (value === null) return "not set";
  if (value === secret) return "secret";
  return value === unknown ? "known during the update" : String(value);
}

/** What a change of one argument does, in brackets behind it. */
export function effectWord({ effect, hidden }: Change): string {
  if (hidden) return "whether it changes is not shown";
  return {
    replace: "replaces",
    restart: "restarts",
    move: "moves",
    suspend: "suspends",
    unstated: "may interrupt",
    none: "connections unaffected",
  }[effect];
}
