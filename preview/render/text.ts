/**
 * Writes a report for a terminal or a log.
 */
import type { ComputeReport, Difference, Report, StacksReport } from "../judge/shape";
import { isQuiet, nameOf } from "../judge/stacks";
import { wholePhraseOf } from "../judge/summary";
import { present } from "../read/values";
import { visible } from "./escape";
import {
  differenceText,
  driftLines,
  failedLine,
  heldBackLine,
  ignoredLine,
  notesOf,
  openingOf,
  quietLine,
  remarksLine,
  restLine,
  restLineOf,
  stacksOpeningOf,
  undoingWord,
  wordOf,
} from "./words";

export function toText(report: Report): string {
  return [...linesOfReport(report, nameOf(report)), "", `${restLine(report)}.`, ""].join("\n");
}

/** For several stacks: first a summary, then each stack. */
export function toStacksText(report: StacksReport): string {
  const changing = report.stacks.filter((stack) => !isQuiet(stack.report));
  const lines = present([
    ...stacksOpeningOf(report),
    ...report.unreadable.map(({ file, reason }) => `unreadable: ${visible(file)}: ${visible(reason)}`),
    ignoredLine(report, visible),
    ...changing.flatMap(({ name, report: own }) => ["", ...linesOfReport(own, name)]),
    "",
    quietLine(report, visible),
    `${restLineOf(report)}.`,
    "",
  ]);
  return lines.join("\n");
}

function linesOfReport(report: Report, name: string): readonly string[] {
  const [headline, ...further] = openingOf(report);
  return present([
    `${name === "" ? "" : `${visible(name)}: `}${headline}`,
    ...further,
    report.failed && failedLine,
    ...report.errors.map((error) => `error: ${error.split("\n").map(visible).join("\n  ")}`),
    ...notesOf(report, visible),
    ...report.computes.flatMap(linesOf),
  ]);
}

function linesOf(compute: ComputeReport): readonly string[] {
  const { changes, errors, label, notice } = compute;
  const heldBack = heldBackLine(compute, visible);
  return present([
    "",
    `${visible(label)} ${wholePhraseOf(compute)}`,
    ...errors.map((error) => `  error    ${visible(error)}`),
    heldBack && `  change   ${heldBack}`,
    ...changes.map((change) => `  change   ${changeText(change)}${undoingWord([change])}`),
    ...driftLines(compute, changeText).map((line) => `  drift    ${line}`),
    `  clients  ${remarksLine(compute, visible)}`,
    notice !== null && `  notice   ${visible(notice)}`,
  ]);
}

function changeText(difference: Difference): string {
  return `${visible(difference.argument)}: ${differenceText(difference, (value) => visible(wordOf(value)))}`;
}
