/**
 * Fits a comment into its length: the most serious computes first, with a sentence about what is left out.
 */
import type { ComputeReport } from "../judge/shape";
import { counted, countsLine } from "../judge/summary";

/** Computes that change alike share a row: at least one. */
export type Alike = readonly [ComputeReport, ...ComputeReport[]];

/** What one compute, or several alike, add to the comment. */
export interface Entry {
  readonly row: string;
  readonly details: string;
  readonly computes: Alike;
  /** True where clients notice nothing: such rows are folded away. */
  readonly isCalm: boolean;
}

export interface Parts {
  readonly head: string;
  /** Notes about several computes: at most a fifth of the comment. */
  readonly notes: readonly string[];
  /** Most serious first. */
  readonly entries: readonly Entry[];
  readonly foot: string;
  readonly maxLength: number;
}

const tableHead = "| Compute | Effect | Change | Clients notice |\n| --- | --- | --- | --- |";
const detailsSummary = "Every change, and the provider's own words";

/** Room for the sentence about what is missing. */
export const cutReserve = 900;

/** Rows come before details: a compute that is missing in the table may be overlooked, one without details is not. */
export function fit(parts: Parts): string {
  const { entries, maxLength } = parts;
  const whole = assemble(parts, { rows: entries.length, details: entries.length });
  if (whole.length <= maxLength) return whole;
  const bare = assemble(parts, { rows: 0, details: 0 }).length + 2 * tableHead.length + detailsSummary.length;
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
  const { head, entries, foot, notes, maxLength } = parts;
  const sections = [
    head,
    ...notesThatFit(notes, maxLength / 5),
    ...tableOf(entries.slice(0, rows)),
    ...cutNote({ entries, rows: entries.slice(0, rows), details: entries.slice(0, details), maxLength }),
    ...detailsOf(entries.slice(0, details)),
    foot,
  ];
  return `${sections.join("\n\n")}\n`;
}

/** One table of what clients may notice, and a folded one of the rest. */
export function tableOf(entries: readonly Omit<Entry, "details">[]): readonly string[] {
  const table = (shown: typeof entries): string => [tableHead, ...shown.map(({ row }) => row)].join("\n");
  const loud = entries.filter(({ isCalm }) => !isCalm);
  const calm = entries.filter(({ isCalm }) => isCalm);
  return [
    ...(loud.length === 0 ? [] : [table(loud)]),
    ...(calm.length === 0
      ? []
      : [`<details><summary>${countsLine(computesOf(calm))}</summary>\n\n${table(calm)}\n\n</details>`]),
  ];
}

function computesOf(entries: readonly Pick<Entry, "computes">[]): readonly ComputeReport[] {
  return entries.flatMap(({ computes }) => computes);
}

export function detailsOf(entries: readonly Pick<Entry, "details">[]): readonly string[] {
  if (entries.length === 0) return [];
  const listed = entries.map((entry) => entry.details).join("\n");
  return [`<details><summary>${detailsSummary}</summary>\n\n${listed}\n\n</details>`];
}

export function notesThatFit(notes: readonly string[], room: number): readonly string[] {
  const count = countThatFit(notes, room);
  const more = notes.length - count;
  return [...notes.slice(0, count), ...(more === 0 ? [] : [`… and ${counted(more, "more note")}.`])];
}

/** What is shown, of everything there is. */
interface Cut {
  readonly entries: readonly Entry[];
  /** Those in the table. */
  readonly rows: readonly Entry[];
  /** Those with details. */
  readonly details: readonly Entry[];
  readonly maxLength: number;
  /** What else is missing, such as whole stacks. */
  readonly others?: readonly string[];
}

export function cutNote({ entries, rows, details, maxLength, others = [] }: Cut): readonly string[] {
  if (details.length === entries.length && others.length === 0) return [];
  const count = computesOf(entries).length;
  const missing = computesOf(entries.filter((entry) => !rows.includes(entry)));
  const texts = [
    ...others,
    ...(missing.length === 0
      ? []
      : [`${missing.length} of ${count} computes are not in the table (${countsLine(missing)})`]),
    `details are given for ${computesOf(details).length} of ${count} computes`,
  ];
  const limit = maxLength.toLocaleString("en-US");
  return [`> [!NOTE]\n> Cut to fit ${limit} characters, the most serious first: ${texts.join("; ")}.`];
}

export function countThatFit(texts: readonly string[], room: number): number {
  let used = 0;
  for (const [index, text] of texts.entries()) {
    used += text.length + 1;
    if (used > room) return index;
  }
  return texts.length;
}

export function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + 1, 0);
}
