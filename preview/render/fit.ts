/**
 * Puts a comment together, and cuts it to its maximum length: first the details, then the last rows.
 */
import { counted } from "../judge/summary";
import { present, sumOf } from "../read/values";
import { toPlain } from "./plain";

export interface MarkdownOptions {
  /** Distinguishes the comments of several stacks on one pull request. */
  readonly marker?: string | undefined;
  /** Longest text, in characters. */
  readonly maxLength: number;
  /** Leaves out what only GitHub renders. */
  readonly plain?: boolean;
  /** With `plain`: keeps folded sections. */
  readonly details?: boolean;
}

/** A block between two empty lines, or a list that can be cut. */
export interface Part {
  readonly open: string;
  /** An empty list leaves out the whole part. */
  readonly items?: readonly Item[];
  readonly close?: string;
  /**
   * True if this part is left out first. Without its row, a compute is easily overlooked; without its details, it is
   * still seen.
   */
  readonly isDetail?: boolean;
}

interface Item {
  readonly text: string;
  /** How many computes it stands for in a table; absent elsewhere. */
  readonly computes?: number;
}

interface LongComment {
  /** Always shown. */
  readonly head: readonly string[];
  /** The most important first. */
  readonly parts: readonly Part[];
  /** Always shown. */
  readonly foot: readonly string[];
}

/** Room for the sentence that says what is missing. */
const noteLength = 400;

export function commentOf(comment: LongComment, { maxLength, plain, details }: MarkdownOptions): string {
  const markdown = fit(comment, maxLength);
  return plain === true ? toPlain(markdown, { details }) : markdown;
}

function fit({ head, parts: all, foot }: LongComment, maxLength: number): string {
  const parts = all.filter(({ items }) => items?.length !== 0);
  const whole = asParagraphs([...head, ...parts.map(toText), ...foot]);
  if (whole.length <= maxLength) return whole;
  const rows = parts.filter(({ isDetail }) => isDetail !== true);
  const shown = firstOf(rows, maxLength - asParagraphs([...head, ...foot]).length - noteLength);
  const note = cutNote({ shown, rows, hasDetails: rows.length < parts.length });
  return asParagraphs([
    ...head,
    ...shown.map(toText),
    `> [!NOTE]\n> Cut to fit ${maxLength.toLocaleString("en-US")} characters: ${note} are left out. \`compute-preview --format text\` prints the full report.`,
    ...foot,
  ]);
}

function asParagraphs(texts: readonly string[]): string {
  return `${texts.join("\n\n")}\n`;
}

function toText({ open, items = [], close = "" }: Part): string {
  return [...(open === "" ? [] : [open]), ...items.map(({ text }) => text)].join("\n") + close;
}

/** As many of the first parts as fit. Nothing follows the first part that does not fit. */
function firstOf(parts: readonly Part[], room: number): readonly Part[] {
  const shown: Part[] = [];
  let left = room;
  for (const part of parts) {
    const { items = [] } = part;
    left -= toText({ ...part, items: [] }).length + 2;
    const fitting = items.filter(({ text }) => (left -= text.length + 1) >= 0);
    if (left >= 0 || fitting.length > 0) shown.push({ ...part, items: fitting });
    if (left < 0) break;
  }
  return shown;
}

function cutNote({
  shown,
  rows,
  hasDetails,
}: Record<"rows" | "shown", readonly Part[]> & { readonly hasDetails: boolean }): string {
  const all = computesIn(rows);
  const missing = all - computesIn(shown);
  const rest = missing > 0 && `the last ${missing} of ${counted(all, "compute")}`;
  return present([(hasDetails || missing === 0) && "details", rest]).join(" and ");
}

function computesIn(parts: readonly Part[]): number {
  return sumOf(parts.flatMap(({ items = [] }) => items).map(({ computes = 0 }) => computes));
}
