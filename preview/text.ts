/**
 * A report for a terminal or a log.
 */
import { visible } from "./escape";
import type { ComputeReport, Report } from "./shape";
import { headline, phraseOf, restLine, wordOf } from "./words";

export function toText(report: Report): string {
  const stack = [report.project, report.stack].filter((name) => name !== null).join("/");
  return [
    `${stack === "" ? "" : `${visible(stack)}: `}${headline(report)}`,
    ...(report.computes.length > 0 ? [report.summary] : []),
    ...(report.failed ? ["The preview failed. It may have stopped before it saw every change."] : []),
    ...report.errors.map((error) => `error: ${error.split("\n").map(visible).join("\n  ")}`),
    ...report.computes.flatMap(linesOf),
    "",
    `${restLine(report)}.`,
    "",
  ].join("\n");
}

function linesOf(compute: ComputeReport): readonly string[] {
  const { changes, clients, errors, name, notice } = compute;
  const remarks = clients.map(({ text, value }) =>
    value === undefined ? text : `${text} (${visible(value)})`,
  );
  return [
    "",
    `${visible(name)} ${phraseOf(compute)}`,
    ...errors.map((error) => `  error    ${visible(error)}`),
    ...changes.map(({ argument, from, to, hidden }) => {
      const change = hidden
        ? "secret"
        : `${visible(wordOf(from))} → ${to === null ? "removed" : visible(wordOf(to))}`;
      return `  change   ${visible(argument)}: ${change}`;
    }),
    `  clients  ${remarks.join("; ")}`,
    ...(notice === null ? [] : [`  notice   ${visible(notice)}`]),
  ];
}
