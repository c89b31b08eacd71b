/**
 * Finds the one preview in a text: the engine's JSON document, the engine's events, or a plan of Terraform.
 */
import { hiddenIn } from "./hidden";
import { notPlans } from "./peers/notPlans";
import { isTerraformPlan, readTerraformPlan } from "./peers/terraform";
import { isDigest, readDigest } from "./read/document";
import { isEvent, readEvents } from "./read/events";
import {
  adviceFor,
  damaged,
  documentsIn,
  eitherAdvice,
  parsed,
  type PlacedDocument,
  unreadable,
  UnreadableInputError,
} from "./read/json";
import { withoutPrefixes } from "./read/prefixes";
import { decoded } from "./read/standardStreams";
import type { Preview } from "./read/steps";

/** @throws UnreadableInputError */
export function readPreview(bytes: Uint8Array): Preview {
  return readFound(findPreview(bytes));
}

/** Finds the JSON of a preview. @throws UnreadableInputError if there is none, or if a part of it is missing. */
export function findPreview(bytes: Uint8Array): Found {
  const text = decoded(bytes);
  if (text.trim() === "") {
    throw new UnreadableInputError(
      "it is empty: the command that writes it failed, and its stderr says why",
      eitherAdvice,
    );
  }
  const found = previewsIn(text);
  return holdsPreview(found) ? found : findBehindPrefix(text, found.others);
}

/** The JSON of a text, sorted by what it is. */
export interface Found {
  readonly text: string;
  readonly events: readonly unknown[];
  readonly documents: readonly unknown[];
  /** JSON that is not a preview. */
  readonly others: readonly unknown[];
  /** The text around the previews. */
  readonly rest: string;
}

function holdsPreview({ events, documents }: Found): boolean {
  return events.length + documents.length > 0;
}

/** @throws UnreadableInputError if a part of a document is missing. */
function previewsIn(text: string): Found {
  const lines = text.split("\n").map((line) => ({ line, event: eventOf(line) }));
  const events = lines.flatMap(({ event }) => (event === undefined ? [] : [event]));
  const around =
    events.length === 0
      ? text
      : lines.flatMap(({ line, event }) => (event === undefined ? [line] : [])).join("\n");
  const placed = documentsIn(around);
  const json = placed.flatMap(({ json: item }) => (isCollected(item) ? item : [item]));
  return {
    text,
    events: [...events, ...json.filter(isEvent)],
    documents: json.filter(isDocument),
    others: json.filter((item) => !isPreview(item)),
    rest: textOutside(
      around,
      placed.filter(({ json: item }) => isCollected(item) || isPreview(item)),
    ),
  };
}

function textOutside(text: string, parts: readonly PlacedDocument[]): string {
  const begins = [0, ...parts.map(({ end }) => end)];
  // What follows a preview on its last line does not begin a line.
  return begins.map((begin, index) => text.slice(begin, parts[index]?.begin)).join("\n ");
}

/** True for the list that `jq --slurp` makes of several lines or files. */
function isCollected(json: unknown): json is readonly unknown[] {
  return Array.isArray(json) && json.length > 0 && json.every(isPreview);
}

/** @throws UnreadableInputError */
export function readFound(found: Found): Preview {
  const { text, events, documents, rest } = found;
  const [document] = documents;
  if (document === undefined) refuseDamaged(text, rest);
  refuseOthers(found);
  if (document === undefined) return readEvents(events);
  return isTerraformPlan(document) ? readTerraformPlan(document) : readDigest(document);
}

/** @throws UnreadableInputError if a line has a part of an event. */
function refuseDamaged(text: string, rest: string): void {
  if (rest.split("\n").some((line) => line.startsWith('{"') && parsed(line) === undefined))
    throw damaged(text);
  const shared = text.split("\n").findIndex((line) => !/^[[{]/.test(line) && holdsEvent.test(line));
  if (shared >= 0)
    throw new UnreadableInputError(
      `line ${shared + 1} mixes an event with other output; write the other output to another file`,
    );
}

/** @throws UnreadableInputError if a text has several previews, or a part of another one. */
export function refuseOthers({ text, events, documents, rest }: Found): void {
  const count = countOf([...events, ...documents]);
  const all = count > 1 ? count : count + countOf(hiddenIn(rest, text, isPreview));
  if (all > 1)
    throw new UnreadableInputError(`it has ${all} previews; write each to its own file`, adviceFor(text));
}

/** How many previews this is: several events are one, and each document is one. */
function countOf(json: readonly unknown[]): number {
  return json.filter(isDocument).length + (json.some(isEvent) ? 1 : 0);
}

/** @param others - JSON in the text that is not a preview. */
function findBehindPrefix(text: string, others: readonly unknown[]): Found {
  const isJson = parsed(text) !== undefined;
  const found = isJson ? [] : withoutPrefixes(text).filter((behind) => isReadable(behind.text));
  const [first, second] = found;
  if (first === undefined) throw unreadable(text, others, notPlans);
  if (second === undefined) {
    const behind = previewsIn(first.text);
    return { ...behind, rest: `${behind.rest}\n${first.others}` };
  }
  const prefixes = found.map(({ prefix }) => `\`${prefix}\``).join(", ");
  throw new UnreadableInputError(
    `it has several previews, each behind its own prefix (${prefixes})`,
    /terraform|tofu/.test(prefixes)
      ? "In the folder of each unit, run `terragrunt run --tf-forward-stdout -- show -json plan > plan.json`. Pass these files."
      : "Write each preview to its own file.",
  );
}

/** True if a text contains a preview, or a part of one. */
function isReadable(text: string): boolean {
  try {
    return holdsPreview(previewsIn(text));
  } catch {
    return true;
  }
}

function isDocument(json: unknown): boolean {
  return isDigest(json) || isTerraformPlan(json);
}

function isPreview(json: unknown): boolean {
  return isEvent(json) || isDocument(json);
}

const holdsEvent = /\{"sequence":\d|"(?:resource_?pre|res_?outputs|diagnostic|policy|summary)_?event":/i;

/** The event on a line; undefined if it has none, or something else. */
function eventOf(line: string): unknown {
  const json = line.startsWith("{") ? parsed(line) : undefined;
  return isEvent(json) ? json : undefined;
}
