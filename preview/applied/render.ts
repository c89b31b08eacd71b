/**
 * Writes the report after an update: the second half of a pull request's comment, or text.
 */
import { secondsText } from "../../provider/endpoint/receipt";
import { counted, phraseOf } from "../judge/summary";
import { code, visible, words } from "../render/escape";
import { commentOf, type MarkdownOptions } from "../render/fit";
import { markerLine } from "../render/markdown";
import { capital } from "../render/words";
import type { AppliedCompute, AppliedReport, Comparison } from "./shape";

/** Never used alone: the text next to it says the same. */
const marks = {
  unannounced: "🔴",
  failed: "⛔",
  unknown: "🟡",
  spared: "🔵",
  announced: "🟠",
  quiet: "🟢",
} as const satisfies Record<Comparison, string>;

const comparisonWords = {
  unannounced: "not announced",
  failed: "failed",
  unknown: "not shown",
  spared: "less than announced",
  announced: "as announced",
  quiet: "none announced, none shown",
} as const satisfies Record<Comparison, string>;

/** The first line: invisible; a bot finds its own comment by it. */
export function appliedMarkerLine(marker?: string): string {
  return markerLine(marker, "compute-applied");
}

export function appliedMarkdown(report: AppliedReport, options: MarkdownOptions): string {
  const { stack, project } = report;
  const name = stack === null ? "" : ` of ${code(`${project ?? ""}/${stack}`, 80)}`;
  const totals = totalsOf(report);
  const notable = report.computes.filter(({ comparison }) => comparison !== "quiet");
  const head = [
    appliedMarkerLine(options.marker),
    `### What happened to the computes${name}`,
    `**${capital(headlineOf(report))}.**${totals === "" ? "" : ` ${totals}.`}`,
    ...notesOf(report).map((note) => `> [!CAUTION]\n> ${note}`),
  ];
  const foot = `<sub>${footOf(report)}</sub>`;
  // Those that differ most from the announcement come first, and are cut last.
  const table = {
    open: "| Compute | Announced | Happened | |\n| --- | --- | --- | --- |",
    items: notable.map((compute) => ({ text: rowOf(compute), computes: 1 })),
  };
  return commentOf({ head, parts: notable.length === 0 ? [] : [table], foot }, options);
}

function rowOf(compute: AppliedCompute): string {
  const { label, happened, comparison } = compute;
  const cells = [
    code(label, 80),
    announcedText(compute),
    capital(words(happened, 240)),
    `${marks[comparison]} ${comparisonWords[comparison]}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

export function appliedText(report: AppliedReport): string {
  const { stack, project } = report;
  return [
    `${stack === null ? "" : `${visible(`${project ?? ""}/${stack}`)}: `}${headlineOf(report)}`,
    ...[totalsOf(report)].filter((line) => line !== ""),
    ...notesOf(report),
    ...report.computes.flatMap((compute) => [
      "",
      `${visible(compute.label)} ${comparisonWords[compute.comparison]}`,
      `  announced  ${announcedText(compute)}`,
      `  happened   ${visible(compute.happened)}`,
    ]),
    "",
    footOf(report),
    "",
  ].join("\n");
}

function headlineOf({ computes, failed, interrupted, unannounced }: AppliedReport): string {
  const were = (count: number): string => counted(count, "compute was", "computes were");
  if (unannounced > 0) return `${were(unannounced)} interrupted without an announcement`;
  if (failed) return "the update failed";
  const unknown = computes.filter(({ comparison }) => comparison === "unknown").length;
  if (interrupted === 0)
    return unknown === 0
      ? "no operation shows an interruption"
      : `no operation shows whether ${were(unknown)} interrupted`;
  const rest = unknown === 0 ? "" : `; of ${unknown} more no operation shows it`;
  return `${were(interrupted)} interrupted, as announced${rest}`;
}

/** Totals and the longest, without a full stop; empty if no time is known. */
function totalsOf({ interrupted, longest, totalMs, computes }: AppliedReport): string {
  if (longest === null) return "";
  const timed = computes.filter(({ mostMs }) => mostMs !== null).length;
  const which = timed === interrupted ? "Not active" : `${timed} of ${interrupted} have a time: not active`;
  const most =
    timed === 1 ? "" : ` in all; ${code(longest.label, 80)} longest, for ${secondsText(longest.mostMs)}`;
  return `${which} for at most ${secondsText(totalMs)}${most}`;
}

function notesOf({ failed, notReached }: AppliedReport): readonly string[] {
  return [
    ...(failed ? ["The update failed. It may have stopped before it reached every compute."] : []),
    ...(notReached.length === 0
      ? []
      : [
          `${counted(notReached.length, "announced interruption")} did not come to pass: the update did not reach them.`,
        ]),
  ];
}

function footOf({ comparedWith, computes }: AppliedReport): string {
  const source = comparedWith === "file" ? "the preview" : "what the run itself announced";
  const quiet = computes.filter(({ comparison }) => comparison === "quiet").length;
  const rest =
    quiet === 0
      ? ""
      : ` Of ${counted(quiet, "more compute")} no interruption was announced, and no operation shows one.`;
  return `Compared with ${source}. Times are upper bounds, from the service's operations.${rest}`;
}

function announcedText({ announced, certain }: AppliedCompute): string {
  if (announced === null) return "nothing";
  return announced === "none" ? "no interruption" : phraseOf({ outcome: announced, certain });
}
