/**
 * From the reports of several stacks to one, most serious first.
 */
import path from "node:path";
import { groupBy } from "../read/values";
import { rankOf } from "./report";
import { stacksVersion, type Report, type StackReport, type StacksReport } from "./shape";
import { countsLine } from "./summary";

export function stacksReportOf(
  read: readonly Omit<StackReport, "name">[],
  unreadable: StacksReport["unreadable"],
): StacksReport {
  const stacks = named(read).sort(
    (left, right) => rankOfStack(left) - rankOfStack(right) || (left.name < right.name ? -1 : 1),
  );
  const computes = stacks
    .flatMap(({ report }) => report.computes)
    .sort((left, right) => rankOf(left) - rankOf(right));
  return {
    format: "compute-preview-stacks",
    version: stacksVersion,
    stacks,
    unreadable,
    summary: computes.length > 0 ? countsLine(computes) : "no compute is known to change",
  };
}

/** `project/stack`; empty where a preview names none. */
export function nameOf({ project, stack }: Pick<Report, "project" | "stack">): string {
  return [project, stack].filter((name) => name !== null).join("/");
}

/** By what the preview says; a backend's organisations, which it does not say, are told apart by their files. */
function named(read: readonly Omit<StackReport, "name">[]): StackReport[] {
  const names = read.map(({ file, report }) => nameOf(report) || path.basename(file).replace(/\.json$/, ""));
  const alike = groupBy(names, (name) => name);
  return read.map(({ file, report }, index) => {
    const name = names[index] ?? file;
    const isOne = alike.get(name)?.length === 1;
    return { name: isOne ? name : `${name} (${file})`, file, report };
  });
}

/** A stack counts as its most serious compute; before all, one whose preview failed and may have more to come. */
export function rankOfStack({ report }: Pick<StackReport, "report">): number {
  const [worst] = report.computes;
  if (report.failed) return -1;
  if (worst !== undefined) return rankOf(worst);
  return isQuiet(report) ? Infinity : Number.MAX_VALUE;
}

/** Nothing to say but its name. */
export function isQuiet({ computes, failed, unseenRefreshes }: Report): boolean {
  return computes.length === 0 && !failed && unseenRefreshes === 0;
}
