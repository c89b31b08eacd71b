/**
 * Writes a report as a comment on a pull request.
 */
import type { CheckVerdict, Report, StacksReport } from "../shape";
import { isQuiet } from "../judge/stacks";
import { computesIn } from "../judge/verdict";
import { present } from "../read/values";
import { code, codeBlock } from "./escape";
import { commentOf, type MarkdownOptions, type Part } from "./fit";
import { tableParts, quotedName } from "./rows";
import {
  asStacks,
  ignoredLine,
  notesOf,
  restLineOf,
  someOf,
  stackLines,
  verdictLine,
  type Quote,
} from "./words";

/** The longest comment that GitHub accepts. */
export const commentLength = 65_536;

/** The first line of a comment. It is invisible, and a bot finds its own comment by it. */
export function markerLine(marker?: string, name = "compute-preview"): string {
  return `<!-- ${marker === undefined ? name : `${name}: ${marker}`} -->`;
}

const quotedValue: Quote = (value) => code(value, 300);

/** Never used alone: the word next to it says the same. */
const verdictMarks = { refused: "⛔", failed: "⛔", "not known": "⚠️", passed: "✅" } as const;

function verdictMarkOf({ word }: CheckVerdict, reports: readonly Report[]): string {
  if (word !== "allowed" && word !== "reported") return verdictMarks[word];
  const computes = computesIn({ reports });
  if (computes.some(({ outcome, certain }) => outcome === "delete" || (outcome === "replace" && certain)))
    return "🔴";
  if (reports.some(({ unjudged }) => unjudged.length > 0)) return "⚠️";
  return computes.some(({ drops }) => drops !== "no") ? "🟠" : "🟢";
}

/** @param report - of one stack or of several: both are written the same way. */
export function toMarkdown(report: Report | StacksReport, options: MarkdownOptions): string {
  const all = asStacks(report);
  const { verdict } = all;
  const changing = all.stacks.filter((stack) => !isQuiet(stack.report));
  const isOne = all.stacks.length + all.unreadable.length === 1;
  const lines = stackLines(all, {
    name: quotedName,
    reason: (text) => code(text, 240),
    strong: (text) => `**${text}**`,
  });
  const ignored = ignoredLine(all, quotedName);
  const rest = restLineOf(all);
  const mark = verdictMarkOf(
    verdict,
    all.stacks.map((stack) => stack.report),
  );
  const comment = {
    head: present([
      markerLine(options.marker),
      `### ${mark} ${verdictLine(verdict)}`,
      verdict.advice.length > 0 && verdict.advice.join("\n\n"),
    ]),
    parts: present<Part>([
      { open: "", items: lines.map((text) => ({ text: `- ${text}` })) },
      ignored !== undefined && { open: ignored },
      ...changing.flatMap(({ name, report: own }) =>
        present([!isOne && { open: `#### ${quotedName(name)}` }, ...bodyParts(own)]),
      ),
    ]),
    foot: present([rest && `<sub>${rest}</sub>`]),
  };
  return commentOf(comment, options);
}

const mostNotes = 10;

/** Errors, notes about several computes, and the tables. */
function bodyParts(report: Report): readonly Part[] {
  const notes = someOf(notesOf(report, quotedValue), mostNotes, "… and ");
  return [...[...errorsOf(report), ...notes].map((open) => ({ open })), ...tableParts(report.computes)];
}

const longestError = 1_000;
const mostErrors = 3;

function errorsOf({ failed, errors }: Report): readonly string[] {
  if (!failed) return [];
  const more = errors.length - mostErrors;
  return present([
    ...errors.slice(0, mostErrors).map((error) => codeBlock(error, longestError)),
    more > 0 && `… and ${more} more errors.`,
  ]);
}
