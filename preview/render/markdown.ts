/**
 * Writes a report as a comment on a pull request.
 */
import type { Report, StacksReport } from "../judge/shape";
import { isQuiet, nameOf } from "../judge/stacks";
import { counted } from "../judge/summary";
import { present } from "../read/values";
import { code, codeBlock } from "./escape";
import { commentOf, type MarkdownOptions, type Part } from "./fit";
import { partsOf, quotedName } from "./rows";
import {
  failedLine,
  ignoredLine,
  notesOf,
  openingOf,
  paragraph,
  quietLine,
  restLine,
  restLineOf,
  someOf,
  stacksOpeningOf,
  type Quote,
} from "./words";

/** The longest comment that GitHub accepts. */
export const commentLength = 65_536;

/** The first line: invisible; a bot finds its own comment by it. */
export function markerLine(marker?: string, name = "compute-preview"): string {
  return `<!-- ${marker === undefined ? name : `${name}: ${marker}`} -->`;
}

const quotedValue: Quote = (value) => code(value, 60);

export function toMarkdown(report: Report, options: MarkdownOptions): string {
  const stack = nameOf(report);
  const title = stack === "" ? "Computes" : `Computes of ${quotedName(stack)}`;
  const head = [markerLine(options.marker), `### ${title}`, ...beginningOf(report)];
  const foot = `<sub>${restLine(report)}.</sub>`;
  return commentOf({ head, parts: bodyOf(report), foot }, options);
}

/** One comment for several stacks. */
export function toStacksMarkdown(report: StacksReport, options: MarkdownOptions): string {
  const count = report.stacks.length + report.unreadable.length;
  const changing = report.stacks.filter((stack) => !isQuiet(stack.report));
  const quiet = quietLine(report, quotedName);
  const unreadable = report.unreadable.map(({ file, reason }) => ({
    text: `- ${quotedName(file)} is no preview: ${code(reason, 240)}`,
  }));
  const comment = {
    head: present([
      markerLine(options.marker),
      `### Computes of ${counted(count, "stack")}`,
      paragraph(stacksOpeningOf(report)),
      unreadable.length > 0 &&
        "> [!CAUTION]\n> What the stacks of these files do to their computes is not known.",
      ignoredLine(report, quotedName),
    ]),
    parts: present<Part>([
      { open: "", items: unreadable },
      ...changing.flatMap((stack) => [
        { open: [`#### ${quotedName(stack.name)}`, ...beginningOf(stack.report)].join("\n\n") },
        ...bodyOf(stack.report),
      ]),
      quiet !== undefined && { open: quiet },
    ]),
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

/** The opening, and why it may be incomplete. */
function beginningOf(report: Report): readonly string[] {
  return [paragraph(openingOf(report)), ...failure(report)];
}

const longestError = 1_000;
const mostErrors = 3;

function failure({ failed, errors }: Report): readonly string[] {
  if (!failed) return [];
  const more = errors.length - mostErrors;
  return present([
    `> [!CAUTION]\n> ${failedLine}`,
    ...errors.slice(0, mostErrors).map((error) => codeBlock(error, longestError)),
    more > 0 && `… and ${more} more errors.`,
  ]);
}
