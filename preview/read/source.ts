/**
 * Finds the line of the program that declares a compute. Only the JSON document of a preview has line numbers. For a file
 * of events, the line numbers come from a document beside it.
 */
import type { ResourceState } from "./schemas";
import type { Preview } from "./steps";

/** A line of the program. */
export interface SourceLine {
  /** The path from the folder of Pulumi.yaml, with forward slashes. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** `project:///examples/quickstart/index.ts#12,13`: below the folder of Pulumi.yaml. */
const position = /^project:\/\/\/([^#]+)#(\d+)(?:,\d+)?$/;

/** The line of the innermost stack frame in the program itself; null if there is none, as for a compute that was removed. */
export function sourceOf(after: ResourceState | undefined): SourceLine | null {
  const frames = (after?.stackTrace ?? []).map(({ sourcePosition }) => sourcePosition);
  for (const frame of [...frames, after?.sourcePosition]) {
    const [, file = "", line] = position.exec(frame ?? "") ?? [];
    if (line !== undefined && !file.split("/").includes("node_modules"))
      return { file: unescaped(file), line: Number(line) };
  }
  return null;
}

function unescaped(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

/** The ending of a document that belongs to the events beside it: `prod.lines.json` beside `prod.ndjson`. */
const ending = ".lines.json";

export function linesFileOf(file: string): string {
  return `${file.replace(/\.(json|ndjson|jsonl)$/, "")}${ending}`;
}

/** True if `file` is the document that belongs to the events in one of these files. */
export function isLinesFile(file: string, files: readonly string[]): boolean {
  return files.some((other) => linesFileOf(other) === file);
}

/** Adds what only the document has: lines, and dependencies. A resource that the document does not have gets neither. */
export function withLines(preview: Preview, document: Preview): Preview {
  const places = new Map(document.steps.map(({ urn, after }) => [urn, after]));
  return {
    ...preview,
    steps: preview.steps.map((step) => {
      const place = places.get(step.urn);
      if (step.after === undefined || place === undefined) return step;
      const { sourcePosition, stackTrace, dependencies } = place;
      return { ...step, after: { ...step.after, sourcePosition, stackTrace, dependencies } };
    }),
  };
}
