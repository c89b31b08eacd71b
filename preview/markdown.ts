/**
 * A report as a comment on a pull request.
 */
import { code, codeBlock } from "./escape";
import type { Change } from "./changes";
import { fit, type Entry } from "./fit";
import type { Outcome } from "./outcome";
import type { ComputeReport, Report } from "./shape";
import { effectWord, headline, phraseOf, restLine, wordOf } from "./words";

export interface MarkdownOptions {
  /** Tells the comments of several stacks on one pull request apart. */
  readonly marker?: string | undefined;
  /** Longest text, in characters. */
  readonly maxLength: number;
}

/** What a comment on GitHub holds. */
export const commentLength = 65_536;

/** The first line: invisible, and how a bot finds its own comment. */
export function markerLine(marker?: string): string {
  return marker === undefined ? "<!-- compute-preview -->" : `<!-- compute-preview: ${marker} -->`;
}

export function toMarkdown(report: Report, { marker, maxLength }: MarkdownOptions): string {
  return fit({
    head: [markerLine(marker), heading(report), ...failure(report)].join("\n\n"),
    entries: report.computes.map(entryOf),
    tableHead: "| Compute | Effect | Change | Clients notice |\n| --- | --- | --- | --- |",
    detailsSummary: "Every change, and the provider's own words",
    foot: `<sub>${restLine(report)}.</sub>`,
    computes: report.computes,
    maxLength,
  });
}

function heading(report: Report): string {
  const stack = [report.project, report.stack].filter((name) => name !== null).join("/");
  const title = stack === "" ? "Computes" : `Computes of ${code(stack, 80)}`;
  const counts = report.computes.length > 0 ? ` ${capital(report.summary)}.` : "";
  return `### ${title}\n\n**${capital(headline(report))}.**${counts}`;
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

/** Never alone: the phrase beside it says the same. */
const marks = {
  refused: "⛔",
  delete: "🔴",
  replace: "🔴",
  move: "🟠",
  suspend: "🟠",
  restart: "🟠",
  interrupt: "🟡",
  adopt: "🟡",
  release: "⚪",
  none: "🟢",
  create: "🟢",
} as const satisfies Record<Outcome, string>;

function entryOf(compute: ComputeReport): Entry {
  const { outcome, certain } = compute;
  const effect = `${certain ? marks[outcome] : "🟡"} ${labelOf(compute)}`;
  const cells = [code(compute.name, 80), effect, changeCell(compute), clientsCell(compute)];
  return { row: `| ${cells.join(" | ")} |`, details: detailsOf(compute) };
}

const mostChangesInCell = 6;

/** The column's head stands for the verb. */
function labelOf(compute: ComputeReport): string {
  return compute.outcome === "none" ? "no interruption" : phraseOf(compute).replace(/^is /, "");
}

function changeCell({ changes, size, outcome, errors }: ComputeReport): string {
  const isSize = ({ argument }: Change): boolean => argument.startsWith("autoscalingLimit");
  const lines = [
    ...errors.slice(0, 1).map((error) => code(error.replaceAll(/\s+/g, " "), 240)),
    ...(size === null ? [] : [`size: ${size.from === null ? "" : `${size.from} → `}${size.to} CU`]),
    ...changes
      .filter((change) => size === null || !isSize(change))
      .map((change) => changeText(change, outcome)),
  ];
  if (lines.length === 0) return "—";
  const shown = lines.slice(0, mostChangesInCell);
  return [
    ...shown,
    ...(lines.length > shown.length ? [`… and ${lines.length - shown.length} more`] : []),
  ].join("<br>");
}

function changeText({ argument, from, to, hidden }: Change, outcome: Outcome): string {
  const name = code(argument, 80);
  if (hidden) return `${name}: secret`;
  const isNew = outcome === "create" || outcome === "adopt";
  if (isNew) return `${name}: ${valueText(to)}`;
  return to === null
    ? `${name}: ${valueText(from)} → removed`
    : `${name}: ${valueText(from)} → ${valueText(to)}`;
}

/** Words of ours stand as they are; values of others are quoted. */
function valueText(value: Change["from"]): string {
  const word = wordOf(value);
  return typeof value === "string" && word === value ? code(value, 60) : word;
}

function clientsCell({ clients }: ComputeReport): string {
  const remarks = clients.map(({ text, value }) =>
    value === undefined ? text : `${text} (${code(value, 120)})`,
  );
  return capital(remarks.join("; "));
}

const mostChanges = 40;

function detailsOf(compute: ComputeReport): string {
  const { changes, errors, id, name, notice, outcome } = compute;
  const shown = changes.slice(0, mostChanges).map((change) => {
    const effect = outcome === "create" || outcome === "adopt" ? "" : ` (${effectWord(change)})`;
    return `  - ${changeText(change, outcome)}${effect}`;
  });
  return [
    `- ${code(name, 80)}${id === null || id === "" ? "" : ` (${code(id, 80)})`} ${phraseOf(compute)}`,
    ...shown,
    ...(changes.length > shown.length ? [`  - … and ${changes.length - shown.length} more`] : []),
    ...(notice === null ? [] : [`  - The provider: ${code(notice, 600)}`]),
    ...errors.slice(0, mostErrors).map((error) => `  - The preview: ${code(error, longestError)}`),
  ].join("\n");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
