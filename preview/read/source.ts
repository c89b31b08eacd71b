/**
 * Finds the line of the program that declares a compute.
 */
import type { ResourceState } from "./schemas";

/** A line of the program. */
export interface SourceLine {
  /** Below the folder of Pulumi.yaml, with `/`. */
  readonly file: string;
  /** From 1 on. */
  readonly line: number;
}

/** `project:///examples/quickstart/index.ts#12,13`: below the folder of Pulumi.yaml. */
const position = /^project:\/\/\/([^#]+)#(\d+)(?:,\d+)?$/;

/** Of the innermost place in the program itself. A compute that is removed has none any more. */
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
