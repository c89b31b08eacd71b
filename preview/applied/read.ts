/**
 * Parses the events that `pulumi up --json` prints: what the update did to each compute, and the preview that the same
 * command ran before it, if any.
 */
import * as z from "zod";
import type { Receipt } from "../../provider/endpoint/receipt";
import { receiptIn } from "../../provider/host/stored";
import { UnreadableInputError } from "../read/json";
import { hasSucceeded, readPreview, type Preview } from "../read/preview";
import { eventSchema } from "../read/schemas";
import { isEndpoint } from "../read/urn";

/** What an update did to one resource. */
export interface AppliedStep {
  readonly op: string;
  readonly urn: string;
  readonly hasFailed: boolean;
  /** Absent if nothing was sent, or if an older version of the provider ran. */
  readonly receipt?: Receipt | undefined;
  /** True if the engine only forgot it (`retainOnDelete`). */
  readonly isRetained: boolean;
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

const failedStep = z.looseObject({ metadata: z.looseObject({ op: z.string(), urn: z.string() }) });
const appliedEventSchema = eventSchema.extend({ resOpFailedEvent: failedStep.optional() });

type AppliedEvent = z.infer<typeof appliedEventSchema>;

/** @throws UnreadableInputError */
export function readApplied(bytes: Uint8Array): AppliedEvents {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
  const lines = new TextDecoder(encoding).decode(bytes).split("\n");
  const events = lines.flatMap(toEvent);
  // `pulumi up --json` prints its own preview as one document before the events.
  const document = lines
    .filter((line) => toEvent(line).length === 0)
    .join("\n")
    .trim();
  const ends = events.flatMap(({ event }, index) => (event.summaryEvent === undefined ? [] : [index]));
  const end = ends.find((index) => events[index]?.event.summaryEvent?.isPreview === false);
  if (end === undefined) throw notApplied(ends.length > 0);
  const before = ends.filter((index) => index < end).at(-1);
  const own = events.slice(before === undefined ? 0 : before + 1, end + 1).map(({ event }) => event);
  return {
    preview: before === undefined ? previewOf(document) : previewIn(events.slice(0, before + 1)),
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

interface Line {
  readonly line: string;
  readonly event: AppliedEvent;
}

/** Empty for a line that is no event. */
function toEvent(line: string): readonly Line[] {
  try {
    return [{ line, event: appliedEventSchema.parse(JSON.parse(line)) }];
  } catch {
    return [];
  }
}

function previewOf(document: string): Preview | undefined {
  return document.startsWith("{") ? readPreview(Buffer.from(document)) : undefined;
}

function previewIn(lines: readonly Line[]): Preview {
  return readPreview(Buffer.from(lines.map(({ line }) => line).join("\n")));
}

function notApplied(hasPreview: boolean): UnreadableInputError {
  return notEvents(
    hasPreview
      ? "these are the events of a preview alone"
      : "the event that ends an update is missing: it is cut off, or something else",
  );
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
  for (const { resourcePreEvent: begun, resOutputsEvent: ended, resOpFailedEvent: failed } of events) {
    const { urn, op } = (begun ?? ended ?? failed)?.metadata ?? { urn: "", op: "" };
    if (!isEndpoint(urn)) continue;
    const key = `${urn} ${begun?.metadata.old?.id ?? ended?.metadata.old?.id ?? ""}`;
    if (begun !== undefined) {
      if (op === "refresh") refreshing.add(key);
      continue;
    }
    if (ended !== undefined && refreshing.delete(key)) continue;
    if (["same", "read", "refresh", "discard", "replace"].includes(op)) continue;
    const isReplaced = ["create-replacement", "delete-replaced", "import-replacement"].includes(op);
    steps.set(urn, {
      op: isReplaced ? "replace" : op,
      urn,
      hasFailed: failed !== undefined || steps.get(urn)?.hasFailed === true,
      receipt: receiptIn(ended?.metadata.new?.outputs ?? {}) ?? steps.get(urn)?.receipt,
      isRetained: ended?.metadata.old?.retainOnDelete === true,
    });
  }
  return [...steps.values()];
}
