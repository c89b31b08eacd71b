/**
 * As much of a comment as fits, the most serious first, saying what is left out.
 */
import type { ComputeReport } from "../judge/shape";
import { countsLine } from "../judge/summary";

/** What one compute adds to the comment. */
export interface Entry {
  readonly row: string;
  readonly details: string;
}

export interface Parts {
  readonly head: string;
  /** What concerns several computes; a part of them where they are many. */
  readonly notes: readonly string[];
  readonly tableHead: string;
  /** Most serious first. */
  readonly entries: readonly Entry[];
  readonly detailsSummary: string;
  readonly foot: string;
  /** The computes behind the entries, in the same order. */
  readonly computes: readonly ComputeReport[];
  readonly maxLength: number;
}

/** Room for the sentence that says what is missing. */
const cutReserve = 900;

/** Rows before details: a compute that is not in the table may be missed, one without details is not. */
export function fit(parts: Parts): string {
  const { entries, maxLength } = parts;
  const whole = assemble(parts, { rows: entries.length, details: entries.length });
  if (whole.length <= maxLength) return whole;
  const bare =
    assemble(parts, { rows: 0, details: 0 }).length + parts.tableHead.length + parts.detailsSummary.length;
  const room = maxLength - bare - cutReserve;
  const rows = countThatFit(
    entries.map(({ row }) => row),
    room,
  );
  const left = room - lengthOf(entries.slice(0, rows).map(({ row }) => row));
  const details = countThatFit(
    entries.slice(0, rows).map((entry) => entry.details),
    left,
  );
  return assemble(parts, { rows, details });
}

function assemble(
  parts: Parts,
  { rows, details }: { readonly rows: number; readonly details: number },
): string {
  const { head, tableHead, entries, detailsSummary, foot } = parts;
  const table = [tableHead, ...entries.slice(0, rows).map(({ row }) => row)].join("\n");
  const listed = entries.slice(0, details).map((entry) => entry.details);
  const sections = [
    head,
    ...notesThatFit(parts),
    ...(rows === 0 ? [] : [table]),
    ...cutNote(parts, { rows, details }),
    ...(details === 0
      ? []
      : [`<details><summary>${detailsSummary}</summary>\n\n${listed.join("\n")}\n\n</details>`]),
    foot,
  ];
  return `${sections.join("\n\n")}\n`;
}

/** A fifth of the comment at most. */
function notesThatFit({ notes, maxLength }: Parts): readonly string[] {
  const count = countThatFit(notes, maxLength / 5);
  const more = notes.length - count;
  return [
    ...notes.slice(0, count),
    ...(more === 0 ? [] : [`… and ${more} more ${more === 1 ? "note" : "notes"}.`]),
  ];
}

function cutNote(
  parts: Parts,
  { rows, details }: { readonly rows: number; readonly details: number },
): readonly string[] {
  const { computes, maxLength } = parts;
  if (details === computes.length) return [];
  const missing = computes.slice(rows);
  const notListed = `${missing.length} of ${computes.length} computes are not in the table (${countsLine(missing)}); `;
  const text = `${missing.length === 0 ? "" : notListed}details are given for ${details} of ${computes.length} computes`;
  const limit = maxLength.toLocaleString("en-US");
  return [`> [!NOTE]\n> Cut to fit ${limit} characters, the most serious first: ${text}.`];
}

function countThatFit(texts: readonly string[], room: number): number {
  let used = 0;
  for (const [index, text] of texts.entries()) {
    used += text.length + 1;
    if (used > room) return index;
  }
  return texts.length;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + 1, 0);
}
