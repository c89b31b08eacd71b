/**
 * Adds to the events of a preview what only its document has: the lines of the program that declare resources.
 */
import type { Preview } from "./preview";

/** Ends the name of a document that lies beside the events of the same preview: `prod.lines.json` beside `prod.ndjson`. */
const ending = ".lines.json";

export function linesFileOf(file: string): string {
  return `${file.replace(/\.(json|ndjson|jsonl)$/, "")}${ending}`;
}

/** True for a document whose events are among these files: it is no preview of a stack of its own. */
export function isLinesFile(file: string, files: readonly string[]): boolean {
  return file.endsWith(ending) && files.some((other) => other !== file && linesFileOf(other) === file);
}

/** A resource that the document does not have stays without a line. */
export function withLines(preview: Preview, document: Preview): Preview {
  const places = new Map(document.steps.map(({ urn, after }) => [urn, after]));
  return {
    ...preview,
    steps: preview.steps.map((step) => {
      const place = places.get(step.urn);
      if (step.after === undefined || place === undefined) return step;
      const { sourcePosition, stackTrace } = place;
      return { ...step, after: { ...step.after, sourcePosition, stackTrace } };
    }),
  };
}
