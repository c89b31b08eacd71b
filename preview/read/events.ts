/**
 * Parses the engine's events, one line of JSON each.
 */
import type { z } from "zod";
import { missingFrom, withFewer } from "./counts";
import { firstIssue, UnreadableInputError } from "./json";
import { isReported, toDiagnostic } from "./messages";
import { eventSchema } from "./schemas";
import type { Diagnostic, Preview, PreviewStep, Refresh } from "./steps";
import { isDefaultProvider } from "./urn";
import { camelCase, isMap } from "./values";

export function isEvent(json: unknown): boolean {
  if (!isMap(json)) return false;
  const { type, sequence = json["Sequence"] } = json;
  // Tools that pass on the engine's events leave out `sequence`, and add `type`.
  return typeof sequence === "number" || (typeof type === "string" && type.endsWith("Event") && type in json);
}

/**
 * Whether a report reads an event. All other events are left out of a saved preview: the debug messages of Pulumi's SDKs have the
 * secrets of every resource in plain text.
 */
export function isReportedEvent(json: unknown): boolean {
  const { diagnosticEvent, ...event } = withEngineNames(json) as Readonly<Record<string, unknown>>;
  if (isMap(diagnosticEvent)) return isReported(diagnosticEvent);
  return reportedMembers.some((name) => isMap(event[name]));
}

/** True for the last event of a preview. */
export function endsPreview(json: unknown): boolean {
  return isMap((withEngineNames(json) as Readonly<Record<string, unknown>>)["summaryEvent"]);
}

const reportedMembers = [
  ...["preludeEvent", "resourcePreEvent", "resOutputsEvent", "policyEvent", "summaryEvent"],
] as const;

/** @throws UnreadableInputError */
export function readEvents(found: readonly unknown[]): Preview {
  const events = found.map((json) => {
    const read = eventSchema.safeParse(withEngineNames(json));
    if (!read.success)
      throw new UnreadableInputError(`a line does not have the expected form: ${firstIssue(read.error)}`);
    return read.data;
  });
  const end = events.findIndex((event) => event.summaryEvent !== undefined);
  const summary = events[end]?.summaryEvent;
  if (summary === undefined)
    throw new UnreadableInputError("it is cut off: the event that ends a preview is missing");
  if (summary.isPreview === false)
    throw new UnreadableInputError("it comes from an update, not from a preview");
  if (events.slice(end + 1).some(isOfRun))
    throw new UnreadableInputError(
      "it has more events after the end of a preview; write each preview to its own file",
    );
  const diagnostics = events.flatMap(({ diagnosticEvent, policyEvent }) => [
    ...(diagnosticEvent ? toDiagnostic(diagnosticEvent) : []),
    ...(policyEvent ? policyRefusal(policyEvent) : []),
  ]);
  const failed = !hasSucceeded(summary) || diagnostics.some(({ severity }) => severity === "error");
  const { operations, ...shown } = stepsOf(events);
  const missing = missingFrom(operations, summary.resourceChanges);
  if (!failed && missing !== "") throw withFewer(missing);
  return {
    form: "events",
    ...shown,
    kept: [],
    unseenChanges: undefined,
    diagnostics,
    failed,
    partial: false,
    unchanged: summary.resourceChanges?.["same"] ?? 0,
  };
}

/** Older engines give no result. A stopped run ends as `canceled`, sometimes without an error. */
function hasSucceeded({ result = "succeeded" }: { readonly result?: string | undefined }): boolean {
  return result === "succeeded";
}

/** True for an event that begins a run, plans a step or ends a run. */
function isOfRun({ preludeEvent, resourcePreEvent, summaryEvent }: z.infer<typeof eventSchema>): boolean {
  return [preludeEvent, resourcePreEvent, summaryEvent].some((part) => part !== undefined);
}

/**
 * The steps, and the operations as the engine counts them: a planned step by its beginning, a refresh by its end. The
 * end of a refresh is named after what it found: `update`, `delete`, `same`.
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
    // Skips default providers: an event log contains them, `preview --json` does not.
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

/** A mandatory policy fails the preview; other policies only warn or correct. */
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

/** Members whose content is not renamed: a program or a user chooses the names in it. */
const ownNames: ReadonlySet<string> = new Set(["inputs", "outputs", "resourceChanges", "config"]);

/**
 * The Automation API writes the names of an event in its language's style: `resource_pre_event`, `ResourcePreEvent`.
 */
function withEngineNames(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withEngineNames);
  if (!isMap(json)) return json;
  const members = Object.entries(json).map(([written, value]) => {
    const name = camelCase(`${written.charAt(0).toLowerCase()}${written.slice(1)}`);
    return [name, ownNames.has(name) ? value : withEngineNames(value)] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => value !== null));
}
