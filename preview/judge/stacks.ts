/**
 * Combines the reports of several stacks, the most serious first.
 */
import path from "node:path";
import { groupBy } from "../read/values";
import { type FailureKind, stacksVersion, type Report, type StackReport, type StacksReport } from "../shape";
import { compareNames, rankOf, countsLine } from "./summary";
import { verdictOn } from "./verdict";

/** What was read, and what was not. */
interface ReadStacks extends Pick<StacksReport, "unreadable" | "ignored"> {
  readonly read: readonly Omit<StackReport, "name">[];
  readonly failOn?: readonly FailureKind[];
}

export function stacksReportOf({ read, unreadable, ignored = [], failOn = [] }: ReadStacks): StacksReport {
  const stacks = named(read).sort(
    (left, right) => rankOfStack(left) - rankOfStack(right) || compareNames(left.name, right.name),
  );
  const computes = stacks
    .flatMap(({ report }) => report.computes)
    .sort((left, right) => rankOf(left) - rankOf(right));
  return {
    format: "compute-preview-stacks",
    version: stacksVersion,
    verdict: verdictOn({
      reports: stacks.map(({ report }) => report),
      unreadable: unreadable.length,
      failOn,
    }),
    stacks,
    unreadable,
    ...(ignored.length > 0 && { ignored }),
    summary: computes.length > 0 ? countsLine(computes) : "no compute is known to change",
  };
}

/** `project/stack`; empty if a preview names neither. */
export function nameOf({ project, stack }: Pick<Report, "project" | "stack">): string {
  return [project, stack].filter((name) => name !== null).join("/");
}

/**
 * The name comes from the preview, which does not contain the organisation, so stacks of two organisations may have the
 * same name. The file's name then tells them apart.
 */
function named(read: readonly Omit<StackReport, "name">[]): StackReport[] {
  const names = read.map(
    ({ file, report }) => nameOf(report) || path.basename(file).replace(/\.(json|ndjson|jsonl)$/, ""),
  );
  const alike = groupBy(names, (name) => name);
  return read.map(({ file, report }, index) => {
    const name = names[index] ?? file;
    const isOne = alike.get(name)?.length === 1;
    return { name: isOne ? name : `${name} (${file})`, file, report };
  });
}

/** A stack ranks like its most serious compute; a stack whose preview failed comes first, since it may plan more. */
function rankOfStack({ report }: Pick<StackReport, "report">): number {
  const [worst] = report.computes;
  if (report.failed) return -1;
  if (worst !== undefined) return rankOf(worst);
  return isQuiet(report) ? Infinity : Number.MAX_VALUE;
}

/**
 * True if only the stack's name needs to be shown. Results of a refresh that the preview does not show matter only for
 * `pulumi refresh`: other commands plan a change for each declared argument that the refresh found different.
 */
export function isQuiet(report: Report): boolean {
  const { computes, failed, unjudged, laterDefaults, partial, unseenRefreshes, refresh } = report;
  const isSaid = computes.length > 0 || unjudged.length > 0 || laterDefaults.length > 0 || failed || partial;
  return !isSaid && !(refresh && unseenRefreshes > 0);
}
