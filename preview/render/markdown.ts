/**
 * Writes a report as a comment on a pull request.
 */
import type { Report, StacksReport } from "../judge/shape";
import { isQuiet, nameOf, rankOfStack } from "../judge/stacks";
import { allowedCountLines, allowedLines } from "./allowed";
import { code, codeBlock } from "./escape";
import { fit } from "./fit";
import { fitStacks } from "./fitStacks";
import { toPlain } from "./plain";
import { entriesOf } from "./rows";
import {
  capital,
  headline,
  ignoredLine,
  notesOf,
  quietLine,
  restLine,
  restLineOf,
  stacksHeadline,
  totalCostLine,
} from "./words";

export interface MarkdownOptions {
  /** Distinguishes the comments of several stacks on one pull request. */
  readonly marker?: string | undefined;
  /** Longest text, in characters. */
  readonly maxLength: number;
  /** Leaves out what only GitHub renders. */
  readonly plain?: boolean;
}

/** The longest comment that GitHub accepts. */
export const commentLength = 65_536;

/** The first line: invisible; a bot finds its own comment by it. */
export function markerLine(marker?: string): string {
  return marker === undefined ? "<!-- compute-preview -->" : `<!-- compute-preview: ${marker} -->`;
}

export function toMarkdown(report: Report, options: MarkdownOptions): string {
  return inForm(options, (fitting) => stackMarkdown(report, fitting));
}

/** One comment for several stacks. */
export function toStacksMarkdown(report: StacksReport, options: MarkdownOptions): string {
  return inForm(options, (fitting) => stacksMarkdown(report, fitting));
}

function inForm(
  { plain = false, ...options }: MarkdownOptions,
  render: (options: MarkdownOptions) => string,
): string {
  const markdown = render(options);
  return plain ? toPlain(markdown) : markdown;
}

function stackMarkdown(report: Report, { marker, maxLength }: MarkdownOptions): string {
  const stack = nameOf(report);
  const title = stack === "" ? "Computes" : `Computes of ${code(stack, 80)}`;
  return fit({
    ...frame,
    head: [markerLine(marker), `### ${title}`, ...openingOf(report)].join("\n\n"),
    notes: notesOf(report, (value) => code(value, 60)),
    entries: entriesOf(report.computes),
    foot: `<sub>${restLine(report)}.</sub>`,
    maxLength,
  });
}

/** The texts around the entries. */
const frame = {
  tableHead: "| Compute | Effect | Change | Clients notice |\n| --- | --- | --- | --- |",
  detailsSummary: "Every change, and the provider's own words",
};

function stacksMarkdown(report: StacksReport, { marker, maxLength }: MarkdownOptions): string {
  const count = report.stacks.length + report.unreadable.length;
  const title = `Computes of ${count} ${count === 1 ? "stack" : "stacks"}`;
  const changing = report.stacks.filter((stack) => !isQuiet(stack.report));
  const counts = changing.length === 0 ? "" : ` ${capital(report.summary)}.`;
  const verdict = `**${capital(stacksHeadline(report))}.**${counts}`;
  return fitStacks({
    ...frame,
    head: [
      markerLine(marker),
      `### ${title}`,
      verdict,
      ...allowedCounts(report),
      ...unreadableNote(report),
      ...ignoredNote(report),
    ].join("\n\n"),
    unreadable: report.unreadable.map(
      ({ file, reason }) => `- ${code(file, 80)} is no preview: ${code(reason, 240)}`,
    ),
    sections: changing.map((stack) => ({
      opening: [`#### ${code(stack.name, 80)}`, ...openingOf(stack.report)].join("\n\n"),
      notes: notesOf(stack.report, (value) => code(value, 60)),
      rank: rankOfStack(stack),
      entries: entriesOf(stack.report.computes),
    })),
    quiet: {
      line: quietLine(report, (name) => code(name, 80)),
      count: report.stacks.length - changing.length,
    },
    foot: `<sub>${restLineOf(report)}.</sub>`,
    maxLength,
  });
}

function allowedCounts({ stacks }: StacksReport): readonly string[] {
  return allowedCountLines(
    stacks.map(({ report }) => report),
    (value) => code(value, 60),
  );
}

function unreadableNote({ unreadable }: StacksReport): readonly string[] {
  return unreadable.length === 0
    ? []
    : ["> [!CAUTION]\n> What the stacks of these files do to their computes is not known."];
}

function ignoredNote(report: StacksReport): readonly string[] {
  const line = ignoredLine(report, (name) => code(name, 80));
  return line === undefined ? [] : [line];
}

/** The headline, and why it may be incomplete. */
function openingOf(report: Report): readonly string[] {
  const hasFindings = report.computes.length > 0 || report.unseenRefreshes > 0;
  const counts = hasFindings ? ` ${capital(report.summary)}.` : "";
  const cost = totalCostLine(report);
  const costs = cost === undefined ? "" : ` ${cost}.`;
  const allowed = allowedLines(report, (value) => code(value, 60));
  return [`**${capital(headline(report))}.**${counts}${costs}`, ...allowed, ...failure(report)];
}

const longestError = 1_000;
const mostErrors = 3;

function failure({ failed, errors }: Report): readonly string[] {
  if (!failed) return [];
  const shown = errors.slice(0, mostErrors).map((error) => codeBlock(error, longestError));
  const more = errors.length > mostErrors ? [`… and ${errors.length - mostErrors} more errors.`] : [];
  return [
    "> [!CAUTION]\n> The preview failed. It may have stopped before it saw every change.",
    ...shown,
    ...more,
  ];
}
