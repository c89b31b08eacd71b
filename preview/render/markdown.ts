/**
 * Writes a report as a comment on a pull request.
 */
import type { ComputeReport, Difference, Outcome, Report, StacksReport } from "../judge/shape";
import { isQuiet, nameOf, rankOfStack } from "../judge/stacks";
import { phraseOf } from "../judge/summary";
import { allowedCountLines, allowedLines } from "./allowed";
import { code, codeBlock } from "./escape";
import { fit, type Entry } from "./fit";
import { fitStacks } from "./fitStacks";
import { toPlain } from "./plain";
import {
  changeLines,
  driftLines,
  effectWord,
  headline,
  ignoredLine,
  notesOf,
  remarksLine,
  quietLine,
  restLine,
  restLineOf,
  stacksHeadline,
  wordOf,
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
    entries: report.computes.map(entryOf),
    foot: `<sub>${restLine(report)}.</sub>`,
    computes: report.computes,
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
  const told = report.stacks.filter((stack) => !isQuiet(stack.report));
  const counts = told.length === 0 ? "" : ` ${capital(report.summary)}.`;
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
    sections: told.map((stack) => ({
      opening: [`#### ${code(stack.name, 80)}`, ...openingOf(stack.report)].join("\n\n"),
      notes: notesOf(stack.report, (value) => code(value, 60)),
      rank: rankOfStack(stack),
      entries: stack.report.computes.map((compute) => ({ ...entryOf(compute), compute })),
    })),
    quiet: { line: quietLine(report, (name) => code(name, 80)), count: report.stacks.length - told.length },
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
  const isTold = report.computes.length > 0 || report.unseenRefreshes > 0;
  const counts = isTold ? ` ${capital(report.summary)}.` : "";
  const allowed = allowedLines(report, (value) => code(value, 60));
  return [`**${capital(headline(report))}.**${counts}`, ...allowed, ...failure(report)];
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

/** Never used alone: the phrase next to it says the same. */
const marks = {
  refused: "⛔",
  delete: "🔴",
  replace: "🔴",
  move: "🟠",
  suspend: "🟠",
  restart: "🟠",
  interrupt: "🟡",
  gone: "🔵",
  adopt: "🟢",
  drift: "🔵",
  release: "⚪",
  handover: "⚪",
  deferred: "🕓",
  none: "🟢",
  create: "🟢",
} as const satisfies Record<Outcome, string>;

function entryOf(compute: ComputeReport): Entry {
  const { outcome, certain, drops } = compute;
  const mark = outcome === "adopt" && drops === "yes" ? "🟠" : marks[outcome];
  const effect = `${certain ? mark : "🟡"} ${labelOf(compute)}`;
  const clients = capital(remarksLine(compute, (value) => code(value, 120)));
  const cells = [code(compute.label, 80), effect, changeCell(compute), clients];
  return { row: `| ${cells.join(" | ")} |`, details: detailsOf(compute) };
}

const mostChangesInCell = 6;

/** The column's head is the verb. */
function labelOf(compute: ComputeReport): string {
  if (compute.outcome === "none") return "no interruption";
  const phrase = phraseOf(compute);
  return phrase.startsWith("is ") ? phrase.slice(3) : phrase;
}

function changeCell(compute: ComputeReport): string {
  const { errors, outcome } = compute;
  const textOf = (change: Difference): string => changeText(change, outcome);
  const lines = [
    ...errors.slice(0, 1).map((error) => code(error.replaceAll(/\s+/g, " "), 240)),
    ...(compute.deferred === null || compute.notice === null ? [] : [code(compute.notice, 240)]),
    ...changeLines(compute, textOf),
    ...driftLines(compute, textOf),
  ];
  if (lines.length === 0) return "—";
  const shown = lines.slice(0, mostChangesInCell);
  return [
    ...shown,
    ...(lines.length > shown.length ? [`… and ${lines.length - shown.length} more`] : []),
  ].join("<br>");
}

function changeText({ argument, from, to, hidden }: Difference, outcome: Outcome): string {
  const name = code(argument, 80);
  if (hidden) return `${name}: secret`;
  if (outcome === "create" || outcome === "adopt") return `${name}: ${valueText(to)}`;
  return `${name}: ${valueText(from)} → ${to === null ? "removed" : valueText(to)}`;
}

/** Our own words are not quoted; foreign values are. */
function valueText(value: Difference["from"]): string {
  const word = wordOf(value);
  return typeof value === "string" && word === value ? code(value, 60) : word;
}

const mostChanges = 40;

function detailsOf(compute: ComputeReport): string {
  const { changes, errors, id, label, notice, outcome } = compute;
  const shown = changes.slice(0, mostChanges).map((change) => {
    const effect = outcome === "create" || outcome === "adopt" ? "" : ` (${effectWord(change)})`;
    return `  - ${changeText(change, outcome)}${effect}`;
  });
  return [
    `- ${code(label, 80)}${id === null || id === "" ? "" : ` (${code(id, 80)})`} ${phraseOf(compute)}`,
    ...shown,
    ...(changes.length > shown.length ? [`  - … and ${changes.length - shown.length} more`] : []),
    ...driftLines(compute, (change) => changeText(change, outcome))
      .slice(0, mostChanges)
      .map((line) => `  - ${line}`),
    ...(notice === null ? [] : [`  - The provider: ${code(notice, 600)}`]),
    ...errors.slice(0, mostErrors).map((error) => `  - The preview: ${code(error, longestError)}`),
  ].join("\n");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
