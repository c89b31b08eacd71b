/**
 * Parses the events that `pulumi up --json` prints: what the update did to each compute. The preview that the same
 * command ran before it does not count: what it announced stands in the receipts.
 */
import type * as z from "zod";
import type { Receipt } from "../../provider/endpoint/receipt";
import { receiptIn } from "../../provider/host/stored";
import { beginsReplacement, isChange, isReplacement } from "../judge/judgement";
import { UnreadableInputError } from "../read/json";
import { hasSucceeded } from "../read/preview";
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
  const all = decoded(bytes).split("\n").flatMap(toEvent);
  const end = all.findIndex(({ summaryEvent }) => summaryEvent?.isPreview === false);
  const previews = end < 0 ? all : all.slice(0, end);
  const begin = previews.findLastIndex(({ summaryEvent }) => summaryEvent !== undefined) + 1;
  const own = all.slice(begin, end + 1);
  if (end < 0) refuseUnlessStopped(all[begin - 1], all.slice(begin));
  return {
    steps: stepsIn(own),
    failed: end < 0 || own.some(hasFailed),
    anyUrn: all.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata.urn ?? [])[0],
  };
}

function hasFailed({ summaryEvent, diagnosticEvent, resOpFailedEvent }: AppliedEvent): boolean {
  const isBadEnd = summaryEvent !== undefined && !hasSucceeded(summaryEvent);
  return isBadEnd || diagnosticEvent?.severity === "error" || resOpFailedEvent !== undefined;
}

/**
 * An update whose own preview failed changed nothing, and has no events.
 *
 * @param end - ends the preview; undefined if nothing does.
 */
function refuseUnlessStopped(end: AppliedEvent | undefined, after: readonly AppliedEvent[]): void {
  if (end?.summaryEvent === undefined || after.some((event) => event.resourcePreEvent !== undefined))
    throw notEvents("the event that ends an update is missing: it is cut off, or something else");
  if (hasSucceeded(end.summaryEvent)) throw notEvents("these are the events of a preview alone");
}

/**
 * Empty for a line that is no event.
 *
 * @throws UnreadableInputError for half an event: it may be the one that tells of an interruption.
 */
function toEvent(line: string): readonly AppliedEvent[] {
  try {
    return [appliedEventSchema.parse(JSON.parse(line))];
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
