/**
 * Writes the report after an update: the second half of a pull request's comment, or text.
 */
import { secondsText } from "../../provider/endpoint/receipt";
import { nameOf } from "../judge/stacks";
import { counted, phraseOf } from "../judge/summary";
import { present } from "../read/values";
import { visible, words } from "../render/escape";
import { commentOf, type MarkdownOptions } from "../render/fit";
import { markerLine } from "../render/markdown";
import { quotedName } from "../render/rows";
import { capital, paragraph } from "../render/words";
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
  const stack = nameOf(report);
  const name = stack === "" ? "" : ` of ${quotedName(stack)}`;
  const notable = report.computes.filter(({ comparison }) => comparison !== "quiet");
  const head = [
    appliedMarkerLine(options.marker),
    `### What happened to the computes${name}`,
    paragraph(present([headlineOf(report), totalsOf(report)])),
    ...notesOf(report).map((note) => `> [!CAUTION]\n> ${note}`),
  ];
  const foot = `<sub>${footOf(report)}</sub>`;
  // Those that differ most from the announcement come first, and are cut last.
  const table = {
    open: "| Compute | Announced | Happened | |\n| --- | --- | --- | --- |",
    items: notable.map((compute) => ({ text: rowOf(compute), computes: 1 })),
  };
  return commentOf({ head, parts: [table], foot }, options);
}

function rowOf(compute: AppliedCompute): string {
  const { label, happened, comparison } = compute;
  const cells = [
    quotedName(label),
    announcedText(compute),
    capital(words(happened, 240)),
    `${marks[comparison]} ${comparisonWords[comparison]}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

export function appliedText(report: AppliedReport): string {
  const stack = nameOf(report);
  return present([
    `${stack === "" ? "" : `${visible(stack)}: `}${headlineOf(report)}`,
    totalsOf(report),
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
  ]).join("\n");
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

/** Totals and the longest, without a full stop; undefined if no time is known. */
function totalsOf({ interrupted, longest, totalMs, computes }: AppliedReport): string | undefined {
  if (longest === null) return undefined;
  const timed = computes.filter(({ mostMs }) => mostMs !== null).length;
  const which = timed === interrupted ? "Not active" : `${timed} of ${interrupted} have a time: not active`;
  const most =
    timed === 1 ? "" : ` in all; ${quotedName(longest.label)} longest, for ${secondsText(longest.mostMs)}`;
  return `${which} for at most ${secondsText(totalMs)}${most}`;
}

function notesOf({ failed, notReached }: AppliedReport): readonly string[] {
  const missed = counted(notReached.length, "announced interruption");
  return present([
    failed && "The update failed. It may have stopped before it reached every compute.",
    notReached.length > 0 && `${missed} did not come to pass: the update did not reach them.`,
  ]);
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
