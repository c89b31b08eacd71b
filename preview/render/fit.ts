/**
 * Cuts a comment to its length: first its details, then its last rows.
 */
import { counted } from "../judge/summary";

/** What stands alone between two empty lines, or a list that can be cut. */
export interface Part {
  readonly open: string;
  readonly items?: readonly Item[];
  readonly close?: string;
  /** True for what is left out first: without its row a compute may be overlooked, without details it is not. */
  readonly isDetail?: boolean;
}

interface Item {
  readonly text: string;
  /** How many computes it stands for in a table. */
  readonly computes: number;
}

interface LongComment {
  /** Always shown. */
  readonly head: string;
  /** The most important first. */
  readonly parts: readonly Part[];
  /** Always shown. */
  readonly foot: string;
  readonly maxLength: number;
}

/** Room for the sentence about what is missing. */
const noteLength = 400;

export function fit({ head, parts, foot, maxLength }: LongComment): string {
  const whole = textOf([head, ...parts.map(toText), foot]);
  if (whole.length <= maxLength) return whole;
  const rows = parts.filter(({ isDetail }) => isDetail !== true);
  const shown = firstOf(rows, maxLength - head.length - foot.length - noteLength);
  return textOf([head, ...shown.map(toText), cutNote({ rows, shown, maxLength }), foot]);
}

function textOf(texts: readonly string[]): string {
  return `${texts.join("\n\n")}\n`;
}

function toText({ open, items = [], close = "" }: Part): string {
  return [...(open === "" ? [] : [open]), ...items.map(({ text }) => text)].join("\n") + close;
}

/** As many as there is room for; nothing follows what has no room. */
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
  rows,
  shown,
  maxLength,
}: Record<"rows" | "shown", readonly Part[]> & Pick<LongComment, "maxLength">): string {
  const [all, kept] = [rows, shown].map(computesIn) as [number, number];
  const missing = kept === all ? "" : ` and the last ${all - kept} of ${counted(all, "compute")}`;
  const limit = maxLength.toLocaleString("en-US");
  return `> [!NOTE]\n> Cut to fit ${limit} characters: details${missing} are left out. \`compute-preview --format text\` prints all.`;
}

function computesIn(parts: readonly Part[]): number {
  return parts.flatMap(({ items = [] }) => items).reduce((sum, { computes }) => sum + computes, 0);
}
