/**
 * Finds the one preview in a text: the engine's JSON document, the engine's events, or a plan of Terraform.
 */
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
}

function holdsPreview({ events, documents }: Found): boolean {
  return events.length + documents.length > 0;
}

/** @throws UnreadableInputError if a part of a document is missing. */
function previewsIn(text: string): Found {
  const lines = text.split("\n");
  const events = lines.filter((line) => isEvent(eventOf(line)));
  const rest = events.length === 0 ? text : lines.filter((line) => !isEvent(eventOf(line))).join("\n");
  const json = documentsIn(rest).flatMap((item) => (isCollected(item) ? item : [item]));
  return {
    text,
    events: [...events.map(eventOf), ...json.filter(isEvent)],
    documents: json.filter(isDocument),
    others: json.filter((item) => !isEvent(item) && !isDocument(item)),
  };
}

/** True for the list that `jq --slurp` makes of several lines or files. */
function isCollected(json: unknown): json is readonly unknown[] {
  return Array.isArray(json) && json.length > 0 && json.every((item) => isEvent(item) || isDocument(item));
}

/** @throws UnreadableInputError */
export function readFound({ text, events, documents }: Found): Preview {
  const [document] = documents;
  if (events.length === 0 && documents.length === 1)
    return isTerraformPlan(document) ? readTerraformPlan(document) : readDigest(document);
  if (documents.length > 0) {
    const found = documents.length + (events.length > 0 ? 1 : 0);
    throw new UnreadableInputError(`it has ${found} previews; write each to its own file`, adviceFor(text));
  }
  const lines = text.split("\n");
  if (lines.some((line) => line.startsWith('{"') && parsed(line) === undefined)) throw damaged(text);
  const shared = lines.findIndex((line) => !/^[[{]/.test(line) && holdsEvent.test(line));
  if (shared >= 0)
    throw new UnreadableInputError(
      `line ${shared + 1} mixes an event with other output; write the other output to another file`,
    );
  return readEvents(events);
}

/** @param others - JSON in the text that is not a preview. */
function findBehindPrefix(text: string, others: readonly unknown[]): Found {
  const isJson = parsed(text) !== undefined;
  const found = isJson ? [] : withoutPrefixes(text).filter((behind) => isReadable(behind.text));
  const [first, second] = found;
  if (first === undefined) throw unreadable(text, others, notPlans);
  if (second === undefined) return previewsIn(first.text);
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

const holdsEvent = /\{"sequence":\d|"(?:resource_?pre|res_?outputs|diagnostic|policy|summary)_?event":/i;

function eventOf(line: string): unknown {
  return line.startsWith("{") ? parsed(line) : undefined;
}
