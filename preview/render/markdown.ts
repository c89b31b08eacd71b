/**
 * Writes a report as a comment on a pull request.
 */
import type { Report, StacksReport } from "../judge/shape";
import { isQuiet, nameOf } from "../judge/stacks";
import { counted } from "../judge/summary";
import { allowedLines } from "./allowed";
import { code, codeBlock } from "./escape";
import { commentOf, type MarkdownOptions, type Part } from "./fit";
import { partsOf } from "./rows";
import {
  capital,
  headline,
  ignoredLine,
  notesOf,
  quietLine,
  restLine,
  restLineOf,
  someOf,
  stacksHeadline,
  totalCostLine,
  type Quote,
} from "./words";

/** The longest comment that GitHub accepts. */
export const commentLength = 65_536;

/** The first line: invisible; a bot finds its own comment by it. */
export function markerLine(marker?: string, name = "compute-preview"): string {
  return `<!-- ${marker === undefined ? name : `${name}: ${marker}`} -->`;
}

const quotedName: Quote = (name) => code(name, 80);
const quotedValue: Quote = (value) => code(value, 60);

export function toMarkdown(report: Report, options: MarkdownOptions): string {
  const stack = nameOf(report);
  const title = stack === "" ? "Computes" : `Computes of ${quotedName(stack)}`;
  const head = [markerLine(options.marker), `### ${title}`, ...openingOf(report)];
  const foot = `<sub>${restLine(report)}.</sub>`;
  return commentOf({ head, parts: bodyOf(report), foot }, options);
}

/** One comment for several stacks. */
export function toStacksMarkdown(report: StacksReport, options: MarkdownOptions): string {
  const count = report.stacks.length + report.unreadable.length;
  const changing = report.stacks.filter((stack) => !isQuiet(stack.report));
  const counts = changing.length === 0 ? "" : ` ${capital(report.summary)}.`;
  const quiet = quietLine(report, quotedName);
  const unreadable = report.unreadable.map(({ file, reason }) => ({
    text: `- ${quotedName(file)} is no preview: ${code(reason, 240)}`,
    computes: 0,
  }));
  const comment = {
    head: [
      markerLine(options.marker),
      `### Computes of ${counted(count, "stack")}`,
      `**${capital(stacksHeadline(report))}.**${counts}`,
      ...(report.unreadable.length === 0
        ? []
        : ["> [!CAUTION]\n> What the stacks of these files do to their computes is not known."]),
      ...ignoredLine(report, quotedName),
    ],
    parts: [
      ...(unreadable.length === 0 ? [] : [{ open: "", items: unreadable }]),
      ...changing.flatMap((stack) => [
        { open: [`#### ${quotedName(stack.name)}`, ...openingOf(stack.report)].join("\n\n") },
        ...bodyOf(stack.report),
      ]),
      ...(quiet === undefined ? [] : [{ open: quiet }]),
    ],
    foot: `<sub>${restLineOf(report)}.</sub>`,
  };
  return commentOf(comment, options);
}

const mostNotes = 10;

/** Notes about several computes, and the tables. */
function bodyOf(report: Report): readonly Part[] {
  const notes = someOf(notesOf(report, quotedValue), mostNotes, "… and ");
  return [...notes.map((open) => ({ open })), ...partsOf(report.computes)];
}

/** The headline, and why it may be incomplete. */
function openingOf(report: Report): readonly string[] {
  const hasFindings = report.computes.length > 0 || report.unseenRefreshes > 0;
  const counts = hasFindings ? ` ${capital(report.summary)}.` : "";
  const cost = totalCostLine(report);
  const costs = cost === undefined ? "" : ` ${cost}.`;
  const allowed = allowedLines(report, quotedValue);
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
