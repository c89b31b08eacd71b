/**
 * Finds the JSON of a preview among the lines that tools print around it, and says what is wrong with a text that has none.
 */
import type { z } from "zod";
import { isMap } from "./values";

export const pulumiAdvice =
  "Run `pulumi preview --json`, and pass its whole output, as a file or through a pipe.";

/** The two commands that make a plan in JSON. */
export function planAdvice(text = ""): string {
  const tool = /tofu/i.test(text) ? "tofu" : "terraform";
  return `Run \`${tool} plan -out plan\`, then \`${tool} show -json plan > plan.json\`, and pass that file.`;
}

/** For input that either tool may have made. */
export const eitherAdvice = `${pulumiAdvice} With Terraform: ${lowerFirst(planAdvice())}`;

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** The input is not a preview: the message says what it is, and what to run. */
export class UnreadableInputError extends Error {
  /** @param reason - what it is instead, as a clause. */
  constructor(
    readonly reason: string,
    readonly advice = pulumiAdvice,
  ) {
    super(`Reading the input: ${reason}. ${advice}`);
  }
}

/** A document, and its place in a text. */
export interface PlacedDocument {
  readonly json: unknown;
  readonly begin: number;
  /** The position after its last character. */
  readonly end: number;
}

/**
 * All documents in a text that begin a line, whatever lines stand before, between and after them.
 *
 * @throws UnreadableInputError if a part of a document is missing: the rest may look harmless.
 */
export function documentsIn(text: string): readonly PlacedDocument[] {
  const whole = parsed(text);
  if (whole !== undefined) return [{ json: whole, begin: 0, end: text.length }];
  const ends = endsIn(text);
  const found: PlacedDocument[] = [];
  let triedLength = 0;
  const begin = /^[[{]/gm;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const end = ends.get(match.index);
    const json = end === undefined ? undefined : parsed(text.slice(match.index, end));
    if (json !== undefined && end !== undefined && !goesOn.test(text.slice(end))) {
      found.push({ json, begin: match.index, end });
      begin.lastIndex = end;
    } else if ([json].flat().some(isMap)) throw damaged(text, end);
    else if (beginsDocument.test(text.slice(match.index)))
      throw end === undefined ? damaged(text) : broken(text, match.index, end);
    triedLength += (end ?? match.index) - match.index;
    // Limits the total length of all tries: nested brackets that are not JSON would each be tried.
    if (triedLength > mostTries * text.length) throw damaged(text);
  }
  return found;
}

export const mostTries = 20;

/** How a document begins. Other lines may begin with a bracket too: `[command]`, or an object that a program prints. */
export const beginsDocument = /^(?:\{|\[\s*\{)\s*"(?:[^"\\\n]|\\.){0,200}"\s*:/;

/** What follows a closing bracket that does not end the document. */
const goesOn = /^\s*(?:[,\]}]|"(?:[^"\\\n]|\\.){0,200}"\s*:)/;

/** Maps the position of each opening bracket to the position after its closing bracket. */
export function endsIn(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  const token = /["[\]{}]/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [bracket] = match;
    if (bracket === '"') token.lastIndex = behindString(text, match.index);
    else if (bracket === "{" || bracket === "[") open.push(match.index);
    else {
      const begin = open.pop();
      if (begin !== undefined) ends.set(begin, token.lastIndex);
    }
  }
  return ends;
}

/**
 * The position after a string, which in JSON ends on the line where it begins. A regular expression would overflow on long
 * values.
 */
function behindString(text: string, begin: number): number {
  let at = begin + 1;
  for (; at < text.length && text.charCodeAt(at) !== lineEndCode; at++) {
    const character = text.charCodeAt(at);
    if (character === quoteCode) return at + 1;
    if (character === backslashCode) at++;
  }
  return at;
}

const [quoteCode, lineEndCode, backslashCode] = [34, 10, 92];

/** @param end - where the part that looks complete ends; undefined if there is none. */
export function damaged(text: string, end?: number): UnreadableInputError {
  return new UnreadableInputError(
    end === undefined
      ? `it is cut off after ${text.length} characters`
      : `its JSON is broken on line ${lineAt(text, end)} or later`,
    adviceFor(text),
  );
}

function broken(text: string, begin: number, end: number): UnreadableInputError {
  const reason = `its JSON is broken between line ${lineAt(text, begin)} and line ${lineAt(text, end)}`;
  return new UnreadableInputError(reason, adviceFor(text));
}

function lineAt(text: string, place: number): number {
  return text.slice(0, place).split("\n").length;
}

export function adviceFor(text: string): string {
  return /"(?:format_version|resource_changes)"/.test(text) ? planAdvice(text) : pulumiAdvice;
}

/** The parsed value; undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What people pass instead of a preview. */
export interface OtherKind {
  readonly is: (found: FoundText) => boolean;
  /** What it is, as a clause. */
  readonly reason: string;
  readonly advice?: (text: string) => string;
}

interface FoundText {
  readonly text: string;
  /** The first document, if there is one. */
  readonly json: unknown;
}

/** Says what a text without a preview is, and what to run instead. */
export function unreadable(
  text: string,
  [json]: readonly unknown[],
  others: readonly OtherKind[],
): UnreadableInputError {
  const other = [...others, ...ownKinds].find(({ is }) => is({ text, json }));
  if (other !== undefined) return new UnreadableInputError(other.reason, other.advice?.(text));
  const reason =
    json === undefined ? "it is not JSON" : `it is JSON, but not a preview (${describeJson(json)})`;
  return new UnreadableInputError(reason, eitherAdvice);
}

export function has(json: unknown, ...names: readonly string[]): boolean {
  return isMap(json) && names.every((name) => name in json);
}

const ownKinds: readonly OtherKind[] = [
  {
    is: ({ text }) => text.startsWith("Previewing "),
    reason: "it is human-readable text: --json was left out",
  },
  {
    is: ({ text }) => text.startsWith("\u001f"),
    reason: "it is compressed with gzip",
    advice: () => "Run `gunzip -c FILE > preview.json`, and pass that file.",
  },
  {
    is: ({ json }) => isMap(json) && Array.isArray(json["events"]),
    reason: "these are events from Pulumi Cloud, which have another format",
    advice: () => "Run `pulumi preview --json > preview.json` in the program's folder, and pass that file.",
  },
  { is: ({ json }) => has(json, "deployment"), reason: "it is JSON, but not a preview (a stack export)" },
];

/** Describes other JSON by the names of its members only, since values may be secret. */
function describeJson(json: unknown): string {
  if (!isMap(json)) return Array.isArray(json) ? "a list" : `a ${json === null ? "null" : typeof json}`;
  const names = Object.keys(json).slice(0, 5);
  return names.length === 0
    ? "an empty object"
    : `an object with ${names.map((name) => `"${name}"`).join(", ")}`;
}

export function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? "unknown" : `${issue.path.join(".")}: ${issue.message}`;
}
