/**
 * A report for a terminal or a log.
 */
import type { ComputeReport, Difference, Report } from "../judge/shape";
import { phraseOf } from "../judge/summary";
import { visible } from "./escape";
import { driftLines, headline, notesOf, remarksLine, restLine, stackName, wordOf } from "./words";

export function toText(report: Report): string {
  const stack = stackName(report);
  return [
    `${stack === "" ? "" : `${visible(stack)}: `}${headline(report)}`,
    ...(report.computes.length > 0 || report.unseenRefreshes > 0 ? [report.summary] : []),
    ...(report.failed ? ["The preview failed. It may have stopped before it saw every change."] : []),
    ...report.errors.map((error) => `error: ${error.split("\n").map(visible).join("\n  ")}`),
    ...notesOf(report, visible),
    ...report.computes.flatMap(linesOf),
    "",
    `${restLine(report)}.`,
    "",
  ].join("\n");
}

function linesOf(compute: ComputeReport): readonly string[] {
  const { changes, errors, label, notice } = compute;
  return [
    "",
    `${visible(label)} ${phraseOf(compute)}`,
    ...errors.map((error) => `  error    ${visible(error)}`),
    ...changes.map((change) => `  change   ${changeText(change)}`),
    ...driftLines(compute, changeText).map((line) => `  drift    ${line}`),
    `  clients  ${remarksLine(compute, visible)}`,
    ...(notice === null ? [] : [`  notice   ${visible(notice)}`]),
  ];
}

function changeText({ argument, from, to, hidden }: Difference): string {
  if (hidden) return `${visible(argument)}: secret`;
  return `${visible(argument)}: ${visible(wordOf(from))} → ${to === null ? "removed" : visible(wordOf(to))}`;
}
