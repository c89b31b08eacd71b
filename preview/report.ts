/**
 * From a preview to a report: one entry per compute that changes, most serious first.
 */
import { changesOf } from "./changes";
import { remarksOf } from "./clients";
import type { Diagnostic, Preview, Step } from "./input";
import { noticeOf, type Notice } from "./notice";
import { isChange, isReplacement, isRetained, outcomes, verdictOf, type Verdict } from "./outcome";
import { reportVersion, type ComputeReport, type Report } from "./shape";
import { describeSize, figuresOf, sizesOf } from "./size";
import { secret } from "./values";
import { summaryLine } from "./words";

const endpointType = "pulumi-nodejs:dynamic/compute:Endpoint";

export function reportOf(preview: Preview): Report {
  const steps = mergeReplacements(preview.steps);
  const ours = steps.filter(isCompute);
  const others = steps.filter((step) => !isCompute(step) && !isStack(step));
  const changing = ours.filter(isChange);
  const refused = refusedOf(preview, changing);
  const named = parseUrn(
    steps[0]?.urn ?? preview.diagnostics.find(({ urn }) => urn !== undefined)?.urn ?? "",
  );
  const computes = [...changing, ...refused].map((step) => computeReport(step, preview.diagnostics));
  const report = {
    format: "compute-preview",
    version: reportVersion,
    project: named.project ?? null,
    stack: named.stack ?? null,
    failed: preview.failed,
    errors: errorsElsewhere(preview, computes),
    computes: computes.sort(bySeriousness),
    otherChanges: others.filter(isChange).length,
    // The stack is a resource to the engine, not to its users.
    unchangedResources: Math.max(
      0,
      preview.unchanged - steps.filter((step) => isStack(step) && step.op === "same").length,
    ),
  } as const;
  return { ...report, summary: summaryLine(report) };
}

/** The streaming form tells a replacement in three steps: one of them stands for all. */
function mergeReplacements(steps: readonly Step[]): readonly Step[] {
  const merged = new Map<string, Step>();
  for (const planned of steps) {
    const step = isReplacement(planned) ? { ...planned, op: "replace" } : planned;
    // What an earlier replacement left behind is deleted beside any step of the compute that took its place.
    const key = `${step.urn} ${step.op === "delete" ? (step.before?.id ?? "") : ""}`;
    const known = merged.get(key);
    if (known === undefined || !isChange(known)) merged.set(key, step);
    else if (isReplacement(step)) merged.set(key, { ...step, after: step.after ?? known.after });
  }
  return [...merged.values()];
}

/** Computes that the preview stopped at before it planned a step. */
function refusedOf({ diagnostics }: Preview, planned: readonly Step[]): readonly Step[] {
  const urns = diagnostics.filter(({ severity }) => severity === "error").map(({ urn }) => urn);
  return [...new Set(urns)]
    .filter((urn) => urn !== undefined)
    .filter((urn) => parseUrn(urn).type === endpointType && !planned.some((step) => step.urn === urn))
    .map((urn) => ({ op: "refused", urn }));
}

function computeReport(step: Step, diagnostics: readonly Diagnostic[]): ComputeReport {
  const notice = noticeOf(step, diagnostics);
  const changes = changesOf(step);
  const errors = diagnostics.filter(({ urn, severity }) => urn === step.urn && severity === "error");
  const verdict = verdictOf(step, { notice, changes, isRefused: errors.length > 0 });
  const { from, to } = sizesOf(step);
  const [old, next] = [describeSize(from), describeSize(to)];
  const isResized =
    next !== undefined &&
    old !== next &&
    changes.some(({ effect, hidden }) => effect === "restart" && !hidden);
  return {
    urn: step.urn,
    name: parseUrn(step.urn).name,
    id: step.before?.id ?? null,
    step: step.op,
    ...verdict,
    drops: dropsOf(step, verdict),
    changes,
    size: isResized ? { from: old ?? null, to: next } : null,
    figures: verdict.outcome === "delete" || verdict.outcome === "release" ? [] : figuresOf(step),
    clients: remarksOf(step, verdict, notice),
    notice: isRetained(step) ? null : shareable(notice, changes),
    errors: errors.map(({ text }) => reasonOf(text)),
  };
}

function dropsOf(step: Step, { outcome, certain }: Verdict): ComputeReport["drops"] {
  if (["release", "none", "create"].includes(outcome)) return "no";
  if (outcome === "replace" && isRetained(step)) return "no";
  return certain && outcome !== "refused" ? "yes" : "may";
}

/** The notice quotes values as it got them, secret or not; of settings and triggers it tells names alone. */
function shareable(notice: Notice | undefined, changes: ComputeReport["changes"]): string | null {
  const mayQuote = changes.some(
    ({ argument, from, to }) =>
      !/^(settings|restartTriggers)\b/.test(argument) && (from === secret || to === secret),
  );
  return notice === undefined || mayQuote ? null : notice.text;
}

/** The engine puts the resource and the value before the reason of a refused argument. */
function reasonOf(text: string): string {
  const { reason = text } =
    /property \S+ value \{[^]*\} has a problem: (?<reason>[^]*)$/.exec(text)?.groups ?? {};
  return reason;
}

function errorsElsewhere({ diagnostics }: Preview, computes: readonly ComputeReport[]): readonly string[] {
  const texts = diagnostics
    .filter(({ severity, urn }) => severity === "error" && !computes.some((compute) => compute.urn === urn))
    .map(({ text }) => text);
  // The engine closes every failure with this line; it says something only where nothing else does.
  const telling = texts.filter((text) => text !== "preview failed");
  return telling.length > 0 || computes.some(({ errors }) => errors.length > 0) ? telling : texts;
}

function bySeriousness(left: ComputeReport, right: ComputeReport): number {
  const rank = ({ outcome, certain }: ComputeReport): number =>
    outcomes.indexOf(outcome) * 2 + (certain ? 0 : 1);
  return rank(left) - rank(right) || (left.name < right.name ? -1 : 1);
}

function isCompute({ urn }: Step): boolean {
  return parseUrn(urn).type === endpointType;
}

function isStack({ urn }: Step): boolean {
  return parseUrn(urn).type === "pulumi:pulumi:Stack";
}

/** `urn:pulumi:STACK::PROJECT::[PARENT$]TYPE::NAME`; a name may hold anything. */
function parseUrn(urn: string): { stack?: string; project?: string; type?: string; name: string } {
  const [, stack, project, types, name] = /^urn:pulumi:(.*?)::(.*?)::(.*?)::([^]*)$/.exec(urn) ?? [];
  if (stack === undefined || project === undefined || types === undefined) return { name: urn };
  return { stack, project, type: types.split("$").at(-1) ?? types, name: name ?? urn };
}
