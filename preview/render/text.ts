/**
 * Writes a report for a terminal or a log.
 */
import { withoutCommands } from "../../provider/model/errors";
import type { ComputeReport, Difference, Report, StacksReport } from "../shape";
import { isQuiet } from "../judge/stacks";
import { wholePhraseOf } from "../judge/summary";
import { present } from "../read/values";
import { connectionsLine } from "./connections";
import { visible } from "./escape";
import {
  asStacks,
  changeLines,
  differenceText,
  driftLines,
  heldBackLine,
  ignoredLine,
  isNew,
  notesOf,
  remarksLine,
  restLineOf,
  stackLines,
  verdictLine,
  wordOf,
} from "./words";

/** Columns of a line, unless a word is longer. */
const widest = 100;

/** @param report - of one stack or of several: both are written the same way. */
export function toText(report: Report | StacksReport): string {
  const all = asStacks(report);
  const changing = all.stacks.filter((stack) => !isQuiet(stack.report));
  const same = (text: string): string => text;
  const head = present([
    verdictLine(all.verdict),
    ...all.verdict.advice,
    ...stackLines(all, { name: visible, reason: visible, strong: same }),
    ignoredLine(all, visible),
  ]);
  const blocks = [
    head,
    ...changing.flatMap(({ name, report: own }) => [
      ...(all.stacks.length > 1 ? [[`${visible(name)}:`]] : []),
      ...blocksOf(own),
    ]),
    present([restLineOf(all)]),
  ];
  const shown = blocks.filter((lines) => lines.length > 0);
  return `${shown.map((lines) => lines.map((line) => wrapped(line)).join("\n")).join("\n\n")}\n`;
}

/** Long lines continue below the text of their first line. */
function wrapped(line: string): string {
  const [column = ""] = /^ {2}\S+ +/.exec(line) ?? [];
  const lines = [column];
  for (const word of line.slice(column.length).split(" ")) {
    const last = lines.at(-1) ?? "";
    const isFirst = last.length === (lines.length === 1 ? column.length : " ".repeat(column.length).length);
    const longer = isFirst ? last + word : `${last} ${word}`;
    if (isFirst || longer.length <= widest) lines[lines.length - 1] = longer;
    else lines.push(" ".repeat(column.length) + word);
  }
  // Text from the middle of a line may now begin one, where a CI system could take it for a command.
  return lines.map(withoutCommands).join("\n");
}

function blocksOf(report: Report): readonly (readonly string[])[] {
  const errors = report.errors.flatMap((error) =>
    error.split("\n").map((line, index) => `${index === 0 ? "error: " : "  "}${visible(line)}`),
  );
  return [errors, notesOf(report, visible), ...report.computes.map(linesOf)];
}

/** What the table of a comment says, and the other messages on the resource's row. */
function linesOf(compute: ComputeReport): readonly string[] {
  const { changes, errors, label, lastAccess, notice, now, warnings } = compute;
  const facts = now === null ? "" : ` (${now} now${lastAccess === null ? "" : `, ${visible(lastAccess)}`})`;
  const heldBack = heldBackLine(compute, visible);
  const connections = connectionsLine(compute, visible);
  const changeText = (difference: Difference): string => {
    const text = differenceText(difference, (value) => visible(wordOf(value)), isNew(compute));
    return `${visible(difference.argument)}: ${text}`;
  };
  return present([
    `${visible(label)} ${wholePhraseOf(compute)}${facts}`,
    ...errors.map((error) => `  error    ${visible(error)}`),
    heldBack && `  change   ${heldBack}`,
    ...changeLines(compute, changeText).map((line) => `  change   ${line}`),
    ...driftLines(compute, changeText).map((line) => `  drift    ${line}`),
    `  clients  ${remarksLine(compute, visible)}`,
    connections && `  clients  ${connections}`,
    // Shown only if no line above says the same.
    notice !== null && changes.length === 0 && !heldBack && `  notice   ${visible(notice)}`,
    ...warnings.map((warning) => `  warning  ${visible(warning)}`),
  ]);
}
