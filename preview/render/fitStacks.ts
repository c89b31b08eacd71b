/**
 * Fits a comment on several stacks into its length. The most serious computes of all stacks come first, whichever
 * stack they belong to.
 */
import { rankOf } from "../judge/order";
import {
  countThatFit,
  cutNote,
  cutReserve,
  detailsOf,
  lengthOf,
  notesThatFit,
  tableOf,
  type Entry,
  type Parts,
} from "./fit";

/** What one stack adds to the comment. */
interface Section {
  readonly opening: string;
  readonly notes: readonly string[];
  /** The rank of its most serious compute; smaller is more serious. */
  readonly rank: number;
  /** Most serious first. */
  readonly entries: readonly Entry[];
}

interface StacksParts extends Pick<Parts, "head" | "foot" | "maxLength"> {
  /** One line per file that could not be read. */
  readonly unreadable: readonly string[];
  /** In the order of the comment. */
  readonly sections: readonly Section[];
  /** Stacks that only need their names, in one line. */
  readonly quiet: { readonly line: string | undefined; readonly count: number };
}

/** A part that may be left out, and its text. */
interface Piece {
  readonly rank: number;
  readonly text: string;
  readonly unreadable?: string;
  readonly section?: Section;
  readonly entry?: Entry;
}

export function fitStacks(parts: StacksParts): string {
  const pieces = piecesOf(parts);
  const entries = entriesOf(pieces);
  const whole = assemble(parts, { pieces, shown: pieces, details: entries });
  if (whole.length <= parts.maxLength) return whole;
  const room = parts.maxLength - parts.head.length - parts.foot.length - cutReserve;
  const texts = pieces.map(({ text }) => text);
  const shown = pieces.slice(0, countThatFit(texts, room));
  const left = room - lengthOf(shown.map(({ text }) => text));
  const rows = entriesOf(shown);
  const count = countThatFit(
    rows.map((entry) => entry.details),
    left,
  );
  return assemble(parts, { pieces, shown, details: rows.slice(0, count) });
}

/** The most serious first. A section comes before its rows: it has the rank of its first row. */
function piecesOf({ unreadable, sections, quiet, maxLength }: StacksParts): readonly Piece[] {
  const around = ({ entries }: Section): readonly string[] => [
    ...tableOf(entries.map((entry) => ({ ...entry, row: "" }))).map((table) => table.trim()),
    ...detailsOf([{ details: "" }]),
  ];
  const pieces = sections.flatMap((section): readonly Piece[] => [
    { rank: section.rank, text: [headOf(section, maxLength), ...around(section)].join("\n\n"), section },
    ...section.entries.map((entry) => ({ rank: rankOf(entry.computes[0]), text: entry.row, entry })),
  ]);
  return [
    ...unreadable.map((line) => ({ rank: -Infinity, text: line, unreadable: line })),
    ...pieces.sort((left, right) => left.rank - right.rank),
    ...(quiet.line === undefined ? [] : [{ rank: Infinity, text: `${quiet.line}\n\n` }]),
  ];
}

function headOf({ opening, notes }: Section, maxLength: number): string {
  return [opening, ...notesThatFit(notes, maxLength / 20)].join("\n\n");
}

function entriesOf(pieces: readonly Piece[]): readonly Entry[] {
  return pieces.flatMap(({ entry }) => entry ?? []);
}

interface Chosen {
  readonly pieces: readonly Piece[];
  readonly shown: readonly Piece[];
  readonly details: readonly Entry[];
}

function assemble(parts: StacksParts, { pieces, shown, details }: Chosen): string {
  const { head, sections, quiet, foot } = parts;
  const entries = new Set(entriesOf(shown));
  const detailed = new Set(details);
  const opened = new Set(shown.map(({ section }) => section));
  const unfolded = sections.filter((section) => opened.has(section));
  const bodies = unfolded.flatMap((section) => {
    const rows = section.entries.filter((entry) => entries.has(entry));
    return [
      headOf(section, parts.maxLength),
      ...tableOf(rows),
      ...detailsOf(rows.filter((entry) => detailed.has(entry))),
    ];
  });
  const unreadable = shown.flatMap((piece) => piece.unreadable ?? []);
  const isQuietShown = shown.length === pieces.length && quiet.line !== undefined;
  return `${[
    head,
    ...(unreadable.length === 0 ? [] : [unreadable.join("\n")]),
    ...noteOf(parts, { pieces, shown, details }),
    ...bodies,
    ...(isQuietShown ? [quiet.line] : []),
    foot,
  ].join("\n\n")}\n`;
}

function noteOf(
  { unreadable, sections, quiet, maxLength }: StacksParts,
  { pieces, shown, details }: Chosen,
): readonly string[] {
  const missing = pieces.slice(shown.length);
  const isQuietMissing = missing.some((piece) => piece.rank === Infinity);
  const stacks = missing.filter(({ section }) => section).length + (isQuietMissing ? quiet.count : 0);
  const files = missing.filter((piece) => piece.unreadable !== undefined).length;
  return cutNote({
    entries: entriesOf(pieces),
    rows: entriesOf(shown),
    details,
    maxLength,
    others: [
      ...(files === 0 ? [] : [`${files} of ${unreadable.length} files that are no preview are not listed`]),
      ...(stacks === 0 ? [] : [`${stacks} of ${sections.length + quiet.count} stacks are not shown`]),
    ],
  });
}
