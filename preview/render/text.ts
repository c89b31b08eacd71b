/**
 * Writes a report for a terminal or a log.
 */
import type { ComputeReport, Difference, Report, StacksReport } from "../judge/shape";
import { isQuiet } from "../judge/stacks";
import { wholePhraseOf } from "../judge/summary";
import { present } from "../read/values";
import { visible } from "./escape";
import {
  asStacks,
  differenceText,
  driftLines,
  heldBackLine,
  ignoredLine,
  notesOf,
  remarksLine,
  restLineOf,
  stackLines,
  undoingWord,
  verdictLine,
  wordOf,
} from "./words";

/** @param report - of one stack or of several: both have one form. */
export function toText(report: Report | StacksReport): string {
  const all = asStacks(report);
  const changing = all.stacks.filter((stack) => !isQuiet(stack.report));
  const rest = restLineOf(all);
  const same = (text: string): string => text;
  return present([
    verdictLine(all.verdict),
    ...all.verdict.advice,
    ...stackLines(all, { name: visible, reason: visible, strong: same }),
    ignoredLine(all, visible),
    ...changing.flatMap(({ name, report: own }) => [
      "",
      ...(all.stacks.length > 1 ? [`${visible(name)}:`] : []),
      ...linesOfReport(own),
    ]),
    rest && `\n${rest}`,
    "",
  ]).join("\n");
}

function linesOfReport(report: Report): readonly string[] {
  return [
    ...report.errors.map((error) => `error: ${error.split("\n").map(visible).join("\n  ")}`),
    ...notesOf(report, visible),
    ...report.computes.flatMap(linesOf),
  ];
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
