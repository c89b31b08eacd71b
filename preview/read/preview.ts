/**
 * Parses a preview: both forms of the engine's JSON, and a clear error for anything else.
 */
import { stripVTControlCharacters } from "node:util";
import type { z } from "zod";
import { refreshWithPeer, withPeers } from "../peers/steps";
import { isTerraformPlan, readTerraformPlan } from "../peers/terraform";
import {
  adviceFor,
  damaged,
  documentsIn,
  firstIssue,
  parsed,
  pulumiAdvice,
  unreadable,
  UnreadableInputError,
} from "./json";
import { type diagnosticSchema, digestSchema, eventSchema } from "./schemas";
import { decoded } from "./standardStreams";
import { isChange, type Diagnostic, type Preview, type PreviewStep, type Refresh } from "./steps";
import { isDefaultProvider, isStack } from "./urn";
import { groupBy, isMap } from "./values";

/** @throws UnreadableInputError */
export function readPreview(bytes: Uint8Array): Preview {
  const { steps, refreshes, ...preview } = readForm(bytes);
  return { ...preview, steps: withPeers(steps), refreshes: refreshes.map(refreshWithPeer) };
}

function readForm(bytes: Uint8Array): Preview {
  const text = decoded(bytes);
  if (text.trim() === "") {
    throw new UnreadableInputError(
      "the input is empty; the command that makes it has failed, its stderr says why",
    );
  }
  const lines = text.split("\n");
  const events = lines.filter(isEvent);
  const rest = events.length === 0 ? text : lines.filter((line) => !isEvent(line)).join("\n");
  const all = documentsIn(rest);
  const documents = all.filter((json) => isDigest(json) || isTerraformPlan(json));
  if (events.length === 0 && documents.length === 1) return readDocument(documents[0]);
  if (documents.length > 0) {
    const found = documents.length + (events.length > 0 ? 1 : 0);
    throw new UnreadableInputError(`it has ${found} previews: write each to its own file`, adviceFor(text));
  }
  if (events.length === 0) throw unreadable(text, all);
  if (rest.split("\n").some((line) => line.startsWith('{"') && parsed(line) === undefined))
    throw damaged(text);
  const shared = lines.findIndex((line) => holdsEvent.test(line) && !isEvent(line));
  if (shared >= 0)
    throw new UnreadableInputError(
      `line ${shared + 1} has an event beside other output, which belongs into a file of its own`,
    );
  return readEvents(events);
}

const holdsEvent = /\{"sequence":\d|"(?:resourcePre|resOutputs|diagnostic|policy|summary)Event":/;

function isEvent(line: string): boolean {
  const json = line.startsWith("{") ? parsed(line) : undefined;
  if (!isMap(json)) return false;
  const { sequence, type } = json;
  // Tools that pass the engine's events on leave the number out, and say the kind.
  return typeof sequence === "number" || (typeof type === "string" && type.endsWith("Event") && type in json);
}

function isDigest(json: unknown): boolean {
  return isMap(json) && ["steps", "changeSummary", "diagnostics"].some((member) => member in json);
}

function readDocument(json: unknown): Preview {
  if (isTerraformPlan(json)) return readTerraformPlan(json);
  const read = digestSchema.safeParse(json);
  if (!read.success)
    throw new UnreadableInputError(`it has another form than expected: ${firstIssue(read.error)}`);
  const { steps, diagnostics, changeSummary } = read.data;
  const messages = (diagnostics ?? []).flatMap(toDiagnostic);
  const failed = messages.some(({ severity }) => severity === "error") || !hasEnd(read.data);
  const all = (steps ?? []).map(({ op, urn, oldState: before, newState: after, diffReasons: reasons }) => ({
    op,
    urn,
    before,
    after,
    reasons,
  }));
  const missing = all.length === 0 ? missingFrom([], changeSummary) : "";
  if (!failed && missing !== "")
    throw new UnreadableInputError(
      `it counts changes without the steps that show them (${missing}), as a result of the Automation API does`,
      `${pulumiAdvice} In the Automation API, write each event that \`onEvent\` gets on a line of its own.`,
    );
  return {
    form: "document",
    ...withUnseen(splitRefreshes(all), changeSummary ?? {}),
    diagnostics: messages,
    failed,
    partial: false,
    unchanged: changeSummary?.["same"] ?? 0,
  };
}

/** The changes that are counted, and not shown: `delete: 0 of 1`; empty if there are none. */
function missingFrom(
  shown: readonly string[],
  counts: Readonly<Record<string, number>> | null | undefined,
): string {
  return Object.entries(counts ?? {})
    .map(([op, count]) => ({ op, count, seen: shown.filter((one) => one === op).length }))
    .filter(({ op, count, seen }) => isChange({ op }) && seen < count)
    .map(({ op, count, seen }) => `${op}: ${seen} of ${count}`)
    .join(", ");
}

/**
 * The engine writes both when it has run the plan: a document without them, such as one with a warning about the
 * program's folder alone, is of a preview that failed before. Its error is on stderr only.
 */
function hasEnd({ changeSummary, duration }: z.infer<typeof digestSchema>): boolean {
  return changeSummary != null || duration != null;
}

/**
 * The document has only the beginning of a refresh. Its result is in the next step for the same resource, if there is
 * one. A plugin's refresh may also appear only as its end.
 */
function splitRefreshes(all: readonly PreviewStep[]): Pick<Preview, "steps" | "refreshes"> {
  const ofStack = all.filter(({ urn }) => isStack(urn));
  const isPart = ofStack.length === 0;
  // In a refresh, the stack itself is refreshed too; in other commands it is planned, unless a destroy leaves it.
  const isRefresh = !isPart && ofStack.every(({ op }) => op === "refresh");
  const begun = new Set(all.filter(({ op }) => op === "refresh").map(({ urn }) => urn));
  // The engine puts the end of a refresh in the place of its beginning: a deletion beside it is a plan of its own.
  const isGone = ({ op, urn }: PreviewStep): boolean => op === "delete" && !isStack(urn) && !begun.has(urn);
  const mayBeRefresh = isPart || ofStack.some(({ op }) => op === "refresh");
  const isFound = (step: PreviewStep): boolean => mayBeRefresh && hasIdAlready(step) && !begun.has(step.urn);
  const isEnd = (step: PreviewStep): boolean => isFound(step) || (isRefresh && isGone(step));
  const ends = all
    .filter(isEnd)
    .map(({ urn, before, after }) => ({ urn, before, found: after ?? ("gone" as const) }));
  // A part does not say whether it refreshes or plans: it may do either.
  const steps = all.filter((step) => step.op !== "refresh" && (isPart || !isEnd(step)));
  const following = groupBy(steps, ({ urn }) => urn);
  const refreshes = all
    .filter(({ op }) => op === "refresh")
    .map(({ urn, before }) => {
      const next = following.get(urn) ?? [];
      const same = next.find((step) => step.before?.id === before?.id)?.before;
      const isNew = before?.delete !== true && next.some((step) => step.op === "create" && !step.before);
      return { urn, before, found: same ?? (isNew ? ("gone" as const) : undefined) };
    });
  return { steps, refreshes: [...refreshes, ...ends] };
}

/**
 * A document counts what a refresh found, even if it does not show it: if it counts no more than it shows, the other
 * resources are unchanged.
 */
function withUnseen(
  { steps, refreshes }: Pick<Preview, "steps" | "refreshes">,
  counts: Readonly<Record<string, number>>,
): Pick<Preview, "steps" | "refreshes" | "unseenChanges"> {
  const shown = refreshes.filter(({ found }) => found !== undefined && found !== "gone").length;
  const unseen = (counts["update"] ?? 0) - shown;
  // In any other command the counts are those of the plan.
  const isCounted = steps.length === 0 && Object.keys(counts).length > 0;
  if (!isCounted || unseen > 0) return { steps, refreshes, unseenChanges: isCounted ? unseen : undefined };
  const seen = refreshes.map((refresh) => ({ ...refresh, found: refresh.found ?? refresh.before }));
  return { steps, refreshes: seen, unseenChanges: undefined };
}

/** The result of a refresh has an id; so may a planned update, whose state the engine goes on filling in. */
function hasIdAlready({ op, after }: PreviewStep): boolean {
  return op === "update" && after?.id !== undefined;
}

function readEvents(lines: readonly string[]): Preview {
  const events = lines.map((line) => {
    const read = eventSchema.safeParse(parsed(line));
    if (!read.success)
      throw new UnreadableInputError(`a line has another form than expected: ${firstIssue(read.error)}`);
    return read.data;
  });
  const end = events.findIndex((event) => event.summaryEvent !== undefined);
  const summary = events[end]?.summaryEvent;
  if (summary === undefined)
    throw new UnreadableInputError("it is cut off: the event that ends a preview is missing");
  if (summary.isPreview === false) throw new UnreadableInputError("it tells of an update, not of a preview");
  if (events.slice(end + 1).some(isOfRun))
    throw new UnreadableInputError(
      "it goes on after the end of a preview: write each preview to its own file",
    );
  const diagnostics = events.flatMap(({ diagnosticEvent, policyEvent }) => [
    ...(diagnosticEvent ? toDiagnostic(diagnosticEvent) : []),
    ...(policyEvent ? policyRefusal(policyEvent) : []),
  ]);
  const failed = !hasSucceeded(summary) || diagnostics.some(({ severity }) => severity === "error");
  const { operations, ...shown } = stepsOf(events);
  const missing = missingFrom(operations, summary.resourceChanges);
  if (!failed && missing !== "")
    throw new UnreadableInputError(
      `lines of it are missing: it shows fewer changes than it counts (${missing})`,
    );
  return {
    form: "events",
    ...shown,
    unseenChanges: undefined,
    diagnostics,
    failed,
    partial: false,
    unchanged: summary.resourceChanges?.["same"] ?? 0,
  };
}

/** Older engines do not say it. A run that was stopped has ended as `canceled`, some without an error. */
function hasSucceeded({ result = "succeeded" }: { readonly result?: string | undefined }): boolean {
  return result === "succeeded";
}

/** True for an event that another run begins with, or plans with, or ends with. */
function isOfRun({ preludeEvent, resourcePreEvent, summaryEvent }: z.infer<typeof eventSchema>): boolean {
  return [preludeEvent, resourcePreEvent, summaryEvent].some((part) => part !== undefined);
}

/**
 * The end of a refresh is named after what it found: `update`, `delete`, `same`. Beside the steps, the operations as the
 * engine counts them: a plan by its beginning, a refresh by its end.
 */
function stepsOf(
  events: readonly z.infer<typeof eventSchema>[],
): Pick<Preview, "steps" | "refreshes"> & { readonly operations: readonly string[] } {
  const steps: PreviewStep[] = [];
  const found: string[] = [];
  const refreshes: Refresh[] = [];
  const refreshing = new Set<string>();
  for (const { resourcePreEvent: begun, resOutputsEvent: ended } of events) {
    const event = (begun ?? ended)?.metadata;
    // An event log has them, `preview --json` does not.
    if (event === undefined || isDefaultProvider(event.urn)) continue;
    const { op, urn, old: before, new: after, diffs: reasons } = event;
    const key = `${urn} ${before?.id ?? ""}`;
    if (begun !== undefined && op === "refresh") refreshing.add(key);
    else if (begun !== undefined) steps.push({ op, urn, before, after, reasons });
    else if (refreshing.delete(key)) {
      found.push(op);
      refreshes.push({ urn, before, found: op === "delete" || !after ? "gone" : after });
    }
  }
  return { steps, refreshes, operations: [...steps.map(({ op }) => op), ...found] };
}

/** A mandatory policy fails the preview; other policies only remark. */
function policyRefusal({
  resourceUrn: urn,
  message,
  policyName,
  policyPackName,
  enforcementLevel,
}: NonNullable<z.infer<typeof eventSchema>["policyEvent"]>): readonly Diagnostic[] {
  if (enforcementLevel !== "mandatory") return [];
  const name = [policyPackName, policyName].filter((part) => part !== "").join("/");
  return toDiagnostic({ urn, message: `policy ${name}: ${message}`, severity: "error" });
}

function toDiagnostic({ urn, message, severity }: z.infer<typeof diagnosticSchema>): readonly Diagnostic[] {
  if (!["warning", "error"].includes(severity)) return [];
  // The engine's colours: those of a terminal, and those of an event log.
  const plain = stripVTControlCharacters(message).replaceAll(/<\{%[^%]*%\}>/g, "");
  return [{ urn, severity, text: plain.replace(/^(?:warning|error): /, "").trim() }];
}
