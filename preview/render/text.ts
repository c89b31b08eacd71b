/**
 * Writes a report for a terminal or a log.
 */
import type { ComputeReport, Difference, Report, StacksReport } from "../judge/shape";
import { isQuiet, nameOf } from "../judge/stacks";
import { wholePhraseOf } from "../judge/summary";
import { allowedLines } from "./allowed";
import { visible } from "./escape";
import {
  driftLines,
  headline,
  heldBackLines,
  ignoredLine,
  notesOf,
  quietLine,
  remarksLine,
  restLine,
  restLineOf,
  stacksHeadline,
  totalCostLine,
  undoingWord,
  wordOf,
} from "./words";

export function toText(report: Report): string {
  return [...linesOfReport(report, nameOf(report)), "", `${restLine(report)}.`, ""].join("\n");
}

/** For several stacks: first a summary, then each stack. */
export function toStacksText(report: StacksReport): string {
  const changing = report.stacks.filter((stack) => !isQuiet(stack.report));
  const quiet = quietLine(report, visible);
  return [
    stacksHeadline(report),
    ...(changing.length === 0 ? [] : [report.summary]),
    ...report.unreadable.map(({ file, reason }) => `unreadable: ${visible(file)}: ${visible(reason)}`),
    ...ignoredLine(report, visible),
    ...changing.flatMap(({ name, report: own }) => ["", ...linesOfReport(own, name)]),
    "",
    ...(quiet === undefined ? [] : [quiet]),
    `${restLineOf(report)}.`,
    "",
  ].join("\n");
}

function linesOfReport(report: Report, name: string): readonly string[] {
  const cost = totalCostLine(report);
  return [
    `${name === "" ? "" : `${visible(name)}: `}${headline(report)}`,
    ...(report.computes.length > 0 || report.unseenRefreshes > 0 ? [report.summary] : []),
    ...(cost === undefined ? [] : [cost]),
    ...(report.failed ? ["The preview failed. It may have stopped before it saw every change."] : []),
    ...report.errors.map((error) => `error: ${error.split("\n").map(visible).join("\n  ")}`),
    ...allowedLines(report, visible),
    ...notesOf(report, visible),
    ...report.computes.flatMap(linesOf),
  ];
}

function linesOf(compute: ComputeReport): readonly string[] {
  const { changes, errors, label, notice } = compute;
  return [
    "",
    `${visible(label)} ${wholePhraseOf(compute)}`,
    ...errors.map((error) => `  error    ${visible(error)}`),
    ...heldBackLines(compute, visible).map((line) => `  change   ${line}`),
    ...changes.map((change) => `  change   ${changeText(change)}${undoingWord([change])}`),
    ...driftLines(compute, changeText).map((line) => `  drift    ${line}`),
    `  clients  ${remarksLine(compute, visible)}`,
    ...(notice === null ? [] : [`  notice   ${visible(notice)}`]),
  ];
}

function changeText({ argument, from, to, hidden }: Difference): string {
  if (hidden) return `${visible(argument)}: secret`;
  return `${visible(argument)}: ${visible(wordOf(from))} → ${to === null ? "removed" : visible(wordOf(to))}`;
}
