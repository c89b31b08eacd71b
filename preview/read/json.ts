/**
 * Parses JSON from outside, and says what is wrong with a text that is no preview.
 */
import type { z } from "zod";
import { isMap } from "./values";

/** The input is not a preview: the message says what it is, and what to run. */
export class UnreadableInputError extends Error {
  /** @param reason - what it is instead; the message then says what to do. */
  constructor(
    readonly reason: string,
    message = `Reading the preview: ${reason}. Run \`pulumi preview --json\`, and pass its whole output: a file, or a pipe.`,
  ) {
    super(message);
  }
}

/** @throws UnreadableInputError */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (text.startsWith("Previewing "))
      throw new UnreadableInputError("it is text for people: --json was left out");
    if (!/^\s*[[{]/.test(text)) throw new UnreadableInputError("it is no JSON");
    // V8 names the position; a position at the very end means that the text was cut off.
    const place = /position (\d+)/.exec(String(error))?.[1];
    const isCut = place === undefined || Number(place) >= text.trimEnd().length - 1;
    throw new UnreadableInputError(
      isCut ? `it is cut off after ${text.length} characters` : `it is no JSON from character ${place} on`,
    );
  }
}

/** What other JSON it is. Names of members only: values may be secret. */
export function kindOf(json: unknown): string {
  if (!isMap(json)) return Array.isArray(json) ? "a list" : `a ${json === null ? "null" : typeof json}`;
  if ("deployment" in json) return "a stack export";
  const names = Object.keys(json).slice(0, 5);
  return names.length === 0 ? "an empty object" : `an object with ${names.join(", ")}`;
}

export function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? "unknown" : `${issue.path.join(".")}: ${issue.message}`;
}
