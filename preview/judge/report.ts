/**
 * Turns a preview into a report: one entry per compute that changes, the most serious first.
 */
import { changeIn, isNotice } from "../../provider/model/notice";
import { figuresBetween } from "../../provider/model/sizes";
import { withPlanNames } from "../peers/names";
import { disturbancesIn } from "../peers/neighbours";
import type { TranslatedPreview, TranslatedRefresh, TranslatedStep } from "../peers/peer";
import { isCompute } from "../peers/table";
import { translatePreview } from "../peers/translate";
import { isChange, isRetained, mergeSteps, type Preview } from "../read/steps";
import { isStack, parseUrn, labelsOf } from "../read/urn";
import { shownValue, readableText } from "../read/values";
import { changesOf, driftBetween, sidesOf, type StepSides } from "./changes";
import { remarksOf, resizeOf } from "./clients";
import { judgementOf, type JudgedStep } from "./judgement";
import { renameRemark, withNeighbours } from "./neighbours";
import { takenOver } from "./own";
import { type FailureKind, reportVersion, type ComputeReport, type Drift, type Report } from "../shape";
import { bySeriousness, savingCommand, summaryLine } from "./summary";
import { sourceOf } from "../read/source";
import { laterDefaultsIn, unjudgedResources } from "./gate";
import { reasonOf, withoutValue } from "./errors";
import { dependenciesIn, renamesIn, sharedBranches } from "./together";
import { verdictOn } from "./verdict";

/** What all entries of a report have in common. */
interface Context {
  readonly preview: TranslatedPreview;
  readonly labels: ReadonlyMap<string, string>;
  /** By URN. */
  readonly drifts: ReadonlyMap<string, Drift>;
}

export function reportOf(read: Preview, failOn: readonly FailureKind[] = []): Report {
  const preview = translatePreview(read);
  const steps = mergeSteps(preview.steps);
  const planned = steps.filter((step) => isAboutComputes(step) && isChange(step));
  const refreshes = preview.refreshes.filter(isRefreshOfComputes);
  const drifts = new Map(refreshes.flatMap(driftOf));
  const ofProgram = [...planned, ...refusedSteps(preview, planned)];
  // Computes that changed outside, and that the program does not change.
  const left = refreshes.filter(
    ({ urn, before }) =>
      drifts.has(urn) && before?.delete !== true && !ofProgram.some((step) => step.urn === urn),
  );
  const ours = [
    ...ofProgram,
    ...left.map(({ urn, before, peer, holder }) => ({ op: "refresh", urn, before, peer, holder })),
  ];
  const disturbances = disturbancesIn(steps);
  const kept = [...preview.kept, ...steps.filter(({ op }) => op === "same")];
  const around = disturbances.length === 0 ? [] : kept.filter(isAboutComputes);
  const context = { preview, labels: labelsOf([...ours, ...around], preview), drifts };
  const judged = withNeighbours(
    ours.map((step) => judgedStep(step, context)),
    around.map((step) => judgedStep({ ...step, op: "same" }, context)),
    disturbances,
  );
  const computes = judged.map(computeReport).sort(bySeriousness);
  const { stack = null, project = null } = parseUrn(firstUrn(preview) ?? "");
  const found = {
    project,
    stack,
    form: preview.form,
    failed: preview.failed,
    errors: errorsElsewhere(preview, computes),
    computes,
    branches: sharedBranches(computes, dependenciesIn(preview.steps)),
    renames: renamesIn(judged),
    refresh: preview.steps.length === 0 && preview.refreshes.length > 0,
    unread: isUnread(preview),
    unseenRefreshes: refreshes.filter(({ found }) => found === undefined).length,
    unseenChanges: preview.unseenChanges ?? null,
    unjudged: unjudgedResources(steps),
    laterDefaults: laterDefaultsIn(steps),
    partial: preview.partial,
    otherChanges: steps.filter(
      ({ urn, op }) => !isStack(urn) && isChange({ op }) && !computes.some((compute) => compute.urn === urn),
    ).length,
    unchangedResources: Math.max(0, preview.unchanged - sameStacks(steps)),
  };
  return {
    format: "compute-preview",
    version: reportVersion,
    verdict: verdictOn({ reports: [found], failOn }),
    ...found,
    summary: summaryLine(found),
  };
}

/** True if a step is about a compute, or about a project or a branch that goes away with its computes. */
function isAboutComputes({ urn, peer, holder }: TranslatedStep): boolean {
  return isCompute(urn) || peer !== undefined || holder !== undefined;
}

function isRefreshOfComputes({ urn, found, holder, outside = [] }: TranslatedRefresh): boolean {
  return isCompute(urn) || outside.length > 0 || (found === "gone" && holder !== undefined);
}

/**
 * True if a compute of the stack may not have been read from the service: a document does not list unchanged
 * computes. Computes that `Endpoint.get` reads do not count, since they do not belong to the stack. Computes that an
 * earlier replacement left behind do not count either.
 */
function isUnread({ form, steps, refreshes, unchanged }: Preview): boolean {
  // Terraform reads every resource before it plans, and shows only the changes that it found.
  if (form === "plan") return false;
  const read = new Set(refreshes.map(({ before }) => before?.id));
  const held = steps.filter(
    ({ urn, before }) => isCompute(urn) && before && before.external !== true && before.delete !== true,
  );
  const mayHoldMore = form === "document" && refreshes.length === 0 && unchanged > sameStacks(steps);
  return mayHoldMore || held.some(({ before }) => !read.has(before?.id));
}

function sameStacks(steps: readonly TranslatedStep[]): number {
  return steps.filter(({ urn, op }) => isStack(urn) && op === "same").length;
}

/** The first URN of the preview; it names the stack. */
function firstUrn({ steps, refreshes, diagnostics }: Preview): string | undefined {
  return [...steps, ...refreshes, ...diagnostics].find(({ urn }) => urn !== undefined)?.urn;
}

/** Computes at which the preview stopped before it planned a step. */
function refusedSteps(
  { diagnostics }: Preview,
  planned: readonly TranslatedStep[],
): readonly TranslatedStep[] {
  const urns = diagnostics.flatMap(({ severity, urn }) => (severity === "error" && urn ? [urn] : []));
  return [...new Set(urns)]
    .filter((urn) => isCompute(urn) && !planned.some((step) => step.urn === urn))
    .map((urn) => ({ op: "refused", urn }));
}

function driftOf({
  urn,
  before,
  found,
  outside = [],
}: TranslatedRefresh): readonly (readonly [string, Drift])[] {
  if (before === undefined || found === undefined || before.delete === true) return [];
  if (found === "gone") return [[urn, { gone: true, size: null, changes: [] }]];
  const others = outside.map(({ path, from, to }) => ({
    ...{ argument: path, from: shownValue(from), to: shownValue(to) },
    hidden: false,
  }));
  const changes = [...driftBetween(before, found), ...others];
  return changes.length === 0
    ? []
    : [[urn, { gone: false, size: resizeOf(before.outputs, found.outputs), changes }]];
}

/** The messages on the row of a resource. A message that lists choices, one line each, is put on one line. */
function textsOn(urn: string, severity: string, { diagnostics }: Preview): readonly string[] {
  return diagnostics
    .filter((diagnostic) => diagnostic.urn === urn && diagnostic.severity === severity)
    .map(({ text }) => text.replaceAll("\n- ", " - "));
}

function judgedStep(step: TranslatedStep, { preview, labels, drifts }: Context): JudgedStep {
  const { urn, before } = step;
  const errors = textsOn(urn, "error", preview).map(reasonOf);
  const warnings = textsOn(urn, "warning", preview);
  const sides = sidesOf(step, [...warnings, ...textsOn(urn, "info", preview)]);
  const drift = before?.delete === true ? null : (drifts.get(urn) ?? null);
  const judgement = judgementOf(step, sides, {
    isRefused: errors.length > 0,
    isGone: drift?.gone === true,
  });
  const label = labels.get(urn) ?? parseUrn(urn).name;
  const judged = { step, label, sides, judgement, drift, errors, warnings, causes: [], asides: [] };
  return { ...judged, asides: renameRemark(judged, preview.steps) };
}

function computeReport(judged: JudgedStep): ComputeReport {
  const { step, label, sides, judgement, drift, errors, causes, place } = judged;
  const { urn, before, after } = step;
  const { stored, declared, hidden } = sides;
  const { outcome, now } = judgement;
  const differing = after === undefined ? [] : changesOf(sides, drift);
  // A deferred change is not listed here: only the provider's sentence names it.
  const changes = outcome === "deferred" ? differing.filter(({ effect }) => effect === "none") : differing;
  const isResized = changes.some(
    ({ argument, hidden: isHidden }) => argument.startsWith("autoscalingLimit") && !isHidden,
  );
  const figures =
    after === undefined || stored === undefined || outcome === "deferred"
      ? []
      : figuresBetween(
          stored,
          { ...stored, ...declared },
          step.peer?.service ?? hidden.verdict?.service ?? hidden.service ?? "unknown",
        );
  const { notice, warnings } = saidOf(isRetained(step) ? [] : judged.warnings);
  // The preview has no values of a deferred or refused change: only the provider's sentence names it.
  const said = outcome === "deferred" ? notice : outcome === "refused" ? errors[0] : undefined;
  const heldBack = changeIn(said ?? "");
  const compute: ComputeReport = {
    urn,
    name: parseUrn(urn).name,
    label,
    id: before?.id ?? null,
    ...placeMembers(sides),
    endpointId: readableText(before?.id) ?? readableText(takenOver(sides)) ?? null,
    step: step.op,
    ...(step.holder !== undefined && { holder: step.holder }),
    ...judgement,
    lastAccess: now === "active" ? (readableText(hidden.verdict?.lastAccess) ?? null) : null,
    changes,
    size: isResized ? resizeOf(stored ?? {}, declared) : null,
    figures,
    ...(hidden.verdict?.unasked === true && { unasked: true }),
    deferred: outcome === "deferred" ? deferredIn(sides) : null,
    ...(heldBack !== undefined && { heldBack }),
    ...(causes.length > 0 && { causes }),
    ...(place !== undefined && { place }),
    clients: remarksOf(judged, figures),
    notice,
    warnings,
    errors,
    drift,
    source: sourceOf(after),
  };
  return step.peer === undefined ? compute : withPlanNames(compute, step.peer);
}

function deferredIn({ hidden: { verdict } }: StepSides): ComputeReport["deferred"] {
  const { deferred } = verdict ?? {};
  if (deferred === undefined) return null;
  return { effect: deferred.effect, until: deferred.text };
}

/** The project, branch and type before the change; for a new compute, its future ones. */
function placeMembers({
  stored,
  declared,
  hidden,
}: StepSides): Pick<ComputeReport, "projectId" | "branchId" | "type"> {
  const textIn = (name: "projectId" | "branchId" | "type"): string | null =>
    readableText(stored?.[name] ?? declared[name]) ?? readableText(hidden.verdict?.[name]) ?? null;
  return { projectId: textIn("projectId"), branchId: textIn("branchId"), type: textIn("type") };
}

/** Keeps equal warnings once: a replacement is checked twice, so its warnings come twice. */
function saidOf(warnings: readonly string[]): Pick<ComputeReport, "notice" | "warnings"> {
  const all = [...new Set(warnings)];
  return { notice: all.filter(isNotice).join("; ") || null, warnings: all.filter((text) => !isNotice(text)) };
}

function errorsElsewhere(
  { diagnostics, form }: Preview,
  computes: readonly ComputeReport[],
): readonly string[] {
  const texts = diagnostics
    .filter(({ severity, urn }) => severity === "error" && !computes.some((compute) => compute.urn === urn))
    .map(({ text }) => withoutValue(text));
  // The engine ends every failure with this line; it matters only if there is no other error.
  const informative = texts.filter((text) => text !== "preview failed");
  if (informative.length > 0 || computes.some(({ errors }) => errors.length > 0)) return informative;
  return form === "events"
    ? texts
    : texts.map(
        (text) =>
          `${text}. If a policy refused a change, run \`${savingCommand}\` and pass that FILE to see why.`,
      );
}
