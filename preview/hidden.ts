/**
 * Finds what hides beside a preview in the same text: another preview, or a part of one, wherever its line begins.
 */
import { beginsDocument, damaged, endsIn, mostTries, parsed, UnreadableInputError } from "./read/json";
import { withoutControls, withoutPrefixes } from "./read/prefixes";

/**
 * The previews that the text around a preview has: documents, or events.
 *
 * @param rest - a tool's messages, or a log's lines.
 * @param whole - the whole input, for the message of an error.
 * @throws UnreadableInputError if it has a part of a preview.
 */
export function hiddenIn(
  rest: string,
  whole: string,
  isPreview: (json: unknown) => boolean,
): readonly unknown[] {
  const text = withoutControls(rest);
  const views = text.includes("{") ? withoutPrefixes(text).map((behind) => behind.text) : [];
  const found = [
    documentsAnywhere(text, mayBeCut),
    ...views.map((view) => documentsAnywhere(view, beginsName)),
  ];
  const previews = found.map((json) => (json ?? []).flat().filter(isPreview));
  const most = previews.reduce((one, other) => (other.length > one.length ? other : one), []);
  if (most.length > 0) return most;
  if (found.includes(undefined)) throw damaged(whole);
  if (partOfPreview.test(text))
    throw new UnreadableInputError("it has a part of another preview; write each to its own file");
  return [];
}

/** Members that only a preview has. Their quotes are escaped if a log has each line as JSON. */
const partOfPreview =
  /"(?:steps\\*":\s*\[|(?:resource_changes|planned_values|changeSummary|oldState|newState|resourcePreEvent|resOutputsEvent|summaryEvent)\\*"\s*:)/;

/**
 * All JSON documents of a text, not only those that begin a line.
 *
 * @param isCut - whether a bracket that nothing closes begins a document.
 * @returns undefined if a document is cut off.
 */
function documentsAnywhere(
  text: string,
  isCut: (text: string, begin: number) => boolean,
): readonly unknown[] | undefined {
  const ends = endsIn(text);
  const found: unknown[] = [];
  let triedLength = 0;
  const begin = /\{(?=\s*(?:"|$))|\[(?=\s*(?:\{|$))/gm;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const end = ends.get(match.index);
    if (end === undefined) {
      if (isCut(text, match.index)) return undefined;
      continue;
    }
    const json = parsed(text.slice(match.index, end));
    triedLength += end - match.index;
    if (json !== undefined) {
      found.push(json);
      begin.lastIndex = end;
    } else if (triedLength > mostTries * text.length) return undefined;
  }
  return found;
}

function mayBeCut(text: string, begin: number): boolean {
  if (beginsName(text, begin)) return true;
  // A bracket alone on a line is not a part of a document: programs print objects, too.
  const isAlone = begin === 0 || text[begin - 1] === "\n";
  return (isAlone ? /^.\s*$/ : /^.[^\S\n]*(?:\n|$)/).test(text.slice(begin, begin + longestBegin));
}

/** True for a document that goes on at least to the beginning of its first name. */
function beginsName(text: string, begin: number): boolean {
  const behind = text.slice(begin, begin + longestBegin);
  return beginsDocument.test(behind) || /^[[{]\s*(?:\{\s*)?"[^"\n]*"?[^\S\n]*(?:\n|$)/.test(behind);
}

const longestBegin = 500;
