/**
 * Parses the events that `pulumi up --json` prints: what the update did to each compute, and the preview that the same
 * command ran before it, if any.
 */
import type * as z from "zod";
import type { Receipt } from "../../provider/endpoint/receipt";
import { receiptIn } from "../../provider/host/stored";
import { beginsReplacement, isChange, isReplacement } from "../judge/judgement";
import { firstUrn } from "../judge/report";
import { UnreadableInputError } from "../read/json";
import { hasSucceeded, readPreview, type Preview } from "../read/preview";
import { eventSchema, type ResourceState } from "../read/schemas";
import { decoded } from "../read/standardStreams";
import { isEndpoint } from "../read/urn";

/** What an update did to one resource. */
export interface AppliedStep {
  readonly op: string;
  readonly urn: string;
  /** Of the compute before the step; undefined for a new one. */
  readonly id: string | undefined;
  readonly hasFailed: boolean;
  /** Absent if nothing was sent, or if an older version of the provider ran. */
  readonly receipt?: Receipt | undefined;
  /** Why the old compute goes on running though its resource is deleted or replaced; undefined if it does not. */
  readonly kept: "retained" | "handed over" | undefined;
}

export interface AppliedEvents {
  /** The preview in the same events; undefined after `--skip-preview`. */
  readonly preview: Preview | undefined;
  /** Steps of computes, in the order of their ends. */
  readonly steps: readonly AppliedStep[];
  readonly failed: boolean;
  /** Any URN of the stack, which names it; undefined if no event has one. */
  readonly anyUrn: string | undefined;
}

const appliedEventSchema = eventSchema.extend({ resOpFailedEvent: eventSchema.shape.resourcePreEvent });

type AppliedEvent = z.infer<typeof appliedEventSchema>;

/** @throws UnreadableInputError */
export function readApplied(bytes: Uint8Array): AppliedEvents {
  const lines = decoded(bytes).split("\n");
  const events = lines.flatMap(toEvent);
  // `pulumi up --json` prints its own preview as one document before the events.
  const document = lines
    .filter((line) => toEvent(line).length === 0)
    .join("\n")
    .trim();
  const ends = events.flatMap(({ event }, index) => (event.summaryEvent === undefined ? [] : [index]));
  const end = ends.find((index) => events[index]?.event.summaryEvent?.isPreview === false);
  if (end === undefined) return stoppedBefore(events, ends.at(-1));
  const begin = (ends.findLast((index) => index < end) ?? -1) + 1;
  const own = events.slice(begin, end + 1).map(({ event }) => event);
  const previewed = begin === 0 ? document : textOf(events.slice(0, begin));
  return {
    preview: /^\s*\{/.test(previewed) ? readPreview(Buffer.from(previewed)) : undefined,
    steps: stepsIn(own),
    failed: own.some(
      ({ summaryEvent, diagnosticEvent, resOpFailedEvent }) =>
        (summaryEvent !== undefined && !hasSucceeded(summaryEvent)) ||
        diagnosticEvent?.severity === "error" ||
        resOpFailedEvent !== undefined,
    ),
    anyUrn: own.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata.urn ?? [])[0],
  };
}

/**
 * An update whose own preview failed changed nothing, and has no events.
 *
 * @param end - the index of the event that ends the preview.
 */
function stoppedBefore(events: readonly Line[], end: number | undefined): AppliedEvents {
  const summary = events[end ?? -1]?.event.summaryEvent;
  const hasBegun = events.slice((end ?? -1) + 1).some(({ event }) => event.resourcePreEvent !== undefined);
  if (end === undefined || summary === undefined || hasBegun || hasSucceeded(summary))
    throw notEvents(
      end === undefined || hasBegun
        ? "the event that ends an update is missing: it is cut off, or something else"
        : "these are the events of a preview alone",
    );
  const preview = readPreview(Buffer.from(textOf(events.slice(0, end + 1))));
  return { preview, steps: [], failed: true, anyUrn: firstUrn(preview) };
}

function textOf(lines: readonly Line[]): string {
  return lines.map(({ line }) => line).join("\n");
}

interface Line {
  readonly line: string;
  readonly event: AppliedEvent;
}

/**
 * Empty for a line that is no event.
 *
 * @throws UnreadableInputError for half an event: it may be the one that tells of an interruption.
 */
function toEvent(line: string): readonly Line[] {
  try {
    return [{ line, event: appliedEventSchema.parse(JSON.parse(line)) }];
  } catch {
    if (!/^\s*\{\s*"sequence"/.test(line)) return [];
    throw notEvents("an event is cut off, or has another form than expected");
  }
}

function notEvents(reason: string): UnreadableInputError {
  return new UnreadableInputError(
    reason,
    `Reading the update: ${reason}. Run \`pulumi up --yes --json > up.json\`, and pass that file after --applied.`,
  );
}

/** A refresh before the update ends with the name of what it found, such as `update`: it is none of its steps. */
function stepsIn(events: readonly AppliedEvent[]): readonly AppliedStep[] {
  const steps = new Map<string, AppliedStep>();
  const refreshing = new Set<string>();
  const { replaced, takers } = idsIn(events);
  for (const { resourcePreEvent: begun, resOutputsEvent: ended, resOpFailedEvent: failed } of events) {
    const step = (begun ?? ended ?? failed)?.metadata;
    if (step === undefined || !isEndpoint(step.urn)) continue;
    const { urn, op, old } = step;
    const idKey = `${urn} ${old?.id ?? ""}`;
    if (begun !== undefined) {
      if (op === "refresh") refreshing.add(idKey);
      continue;
    }
    if (ended !== undefined && refreshing.delete(idKey)) continue;
    if (op === "replace" || !isChange(step)) continue;
    // A compute that an earlier replacement left over is deleted beside any step of its successor.
    const isDeleted = op === "delete" || (op === "delete-replaced" && !replaced.has(idKey));
    const key = isDeleted ? idKey : urn;
    const known = steps.get(key);
    const taker = takers.get(old?.id ?? "");
    // Its own `adopt` took it over again: nothing was replaced.
    const replacedOp = taker === urn ? "update" : "replace";
    steps.set(key, {
      op: isDeleted ? "delete" : isReplacement(step) ? replacedOp : op,
      urn,
      id: old?.id ?? known?.id,
      hasFailed: failed !== undefined || known?.hasFailed === true,
      receipt: receiptIn(ended?.metadata.new?.outputs ?? {}) ?? known?.receipt,
      kept: keptIn(old, taker) ?? known?.kept,
    });
  }
  return [...steps.values()];
}

function keptIn(old: ResourceState | undefined, taker: string | undefined): AppliedStep["kept"] {
  if (old?.retainOnDelete === true) return "retained";
  return taker === undefined ? undefined : "handed over";
}

/** What this update replaces, and by the id of a compute that was there before: the resource that took it over. */
function idsIn(events: readonly AppliedEvent[]): {
  readonly replaced: ReadonlySet<string>;
  readonly takers: ReadonlyMap<string, string>;
} {
  const ends = events
    .flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata ?? [])
    .filter(({ urn }) => isEndpoint(urn));
  const begun = events.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? []);
  return {
    replaced: new Set(
      [...begun, ...ends].filter(beginsReplacement).map(({ urn, old }) => `${urn} ${old?.id ?? ""}`),
    ),
    takers: new Map(
      ends
        .filter(({ op }) => op === "create" || op === "create-replacement")
        .flatMap(({ urn, new: next }) => (next?.id === undefined ? [] : [[next.id, urn] as const])),
    ),
  };
}
