/**
 * Puts what an update did beside what was announced.
 */
import { happenedText, wasInterrupted, type Receipt } from "../../provider/endpoint/receipt";
import { reportOf } from "../judge/report";
import { outcomes, type ComputeReport, type Outcome } from "../judge/shape";
import type { Preview } from "../read/preview";
import { parseUrn } from "../read/urn";
import type { AppliedEvents, AppliedStep } from "./read";
import {
  appliedVersion,
  comparisons,
  type AppliedCompute,
  type AppliedReport,
  type Comparison,
} from "./shape";

/** @param preview - if undefined, what the run itself announced counts. */
export function appliedReportOf(applied: AppliedEvents, preview: Preview | undefined): AppliedReport {
  const planned = preview && reportOf(preview).computes;
  const computes = applied.steps.map((step) => compared(step, planned)).sort(byDifference);
  const { stack = null, project = null } = parseUrn(applied.anyUrn ?? "");
  const timed = computes.flatMap(({ urn, label, mostMs }) =>
    mostMs === null ? [] : [{ urn, label, mostMs }],
  );
  const [longest = null] = timed.toSorted((left, right) => right.mostMs - left.mostMs);
  const isReached = (urn: string): boolean => computes.some((compute) => compute.urn === urn);
  return {
    format: "compute-preview-applied",
    version: appliedVersion,
    project,
    stack,
    comparedWith: planned === undefined ? "receipts" : "file",
    failed: applied.failed,
    computes,
    notReached: (planned ?? [])
      .filter((compute) => wasAnnounced(compute) && !isReached(compute.urn))
      .map(({ urn }) => urn),
    interrupted: computes.filter(({ comparison }) => interruptedOnes.has(comparison)).length,
    unannounced: computes.filter(({ comparison }) => comparison === "unannounced").length,
    totalMs: timed.reduce((sum, { mostMs }) => sum + mostMs, 0),
    longest,
  };
}

/** The comparisons of computes that were interrupted. */
const interruptedOnes: ReadonlySet<Comparison> = new Set(["announced", "unannounced"]);

function compared(step: AppliedStep, planned: readonly ComputeReport[] | undefined): AppliedCompute {
  const { op, urn, receipt } = step;
  const reviewed = reviewedOf(step, planned ?? []);
  const happened = happenedIn(step);
  // What waits for a window was announced, for an update within that window.
  const isDue = happened.kind === "interrupted" && (reviewed?.deferred ?? null) !== null;
  const comparison = comparisonOf(happened.kind, isDue || isAnnounced(step, reviewed, planned));
  const isInterrupted = interruptedOnes.has(comparison);
  return {
    urn,
    label: reviewed?.label ?? parseUrn(urn).name,
    step: op,
    announced: reviewed?.outcome ?? (planned === undefined ? announcedIn(step) : null),
    certain: reviewed?.certain ?? receipt?.may !== true,
    happened: happened.text,
    mostMs: isInterrupted && receipt?.happened === "restarted" ? (receipt.mostMs ?? null) : null,
    comparison,
  };
}

/** What was announced for this very compute: one that was left over is deleted beside any step of its successor. */
function reviewedOf(
  { op, urn, id }: AppliedStep,
  planned: readonly ComputeReport[],
): ComputeReport | undefined {
  const own = planned.filter((compute) => compute.urn === urn);
  const isDeletion = ({ step }: ComputeReport): boolean => step === "delete";
  return (
    own.find((compute) => compute.id === (id ?? null)) ??
    own.find((compute) => isDeletion(compute) === (op === "delete"))
  );
}

type Kind = "failed" | "interrupted" | "not shown" | "unknown" | "not interrupted";

function happenedIn({ op, hasFailed, receipt, kept }: AppliedStep): {
  readonly kind: Kind;
  readonly text: string;
} {
  if (hasFailed)
    return { kind: "failed", text: "the update failed: its operations do not show what happened" };
  if (op === "delete")
    return kept === undefined
      ? { kind: "interrupted", text: "deleted" }
      : { kind: "not interrupted", text: keptTexts[kept] };
  if (op === "replace")
    return kept === undefined
      ? { kind: "interrupted", text: "replaced: it has a new host" }
      : { kind: "not interrupted", text: replacedTexts[kept] };
  if (receipt === undefined)
    return { kind: "not interrupted", text: op === "create" ? "created" : "nothing was sent" };
  // A newer version may have written another word.
  const text = happenedText(receipt) as string | undefined;
  return text === undefined
    ? { kind: "unknown", text: "this version does not know what was observed" }
    : { kind: kindOf(receipt), text };
}

const keptTexts = {
  retained: "left the stack; it goes on running",
  "handed over": "handed over: it goes on running, as the compute of another resource",
} as const;

const replacedTexts = {
  retained: "replaced: the new one has a new host, and the old one goes on running",
  "handed over":
    "replaced: the new one has a new host, and the old one goes on running as another resource's",
} as const;

function kindOf(receipt: Receipt): Kind {
  if (wasInterrupted(receipt)) return "interrupted";
  if (receipt.happened === "idle") return "not interrupted";
  return receipt.happened === "not shown" ? "not shown" : "unknown";
}

function comparisonOf(kind: Kind, announced: boolean): Comparison {
  switch (kind) {
    case "failed":
    case "unknown":
      return kind;
    case "interrupted":
      return announced ? "announced" : "unannounced";
    case "not shown":
      return announced ? "unknown" : "quiet";
    case "not interrupted":
      return announced ? "spared" : "quiet";
  }
}

/** Without a preview, a deletion and a replacement count as announced: the program says so itself. */
function isAnnounced(
  { op, receipt, kept }: AppliedStep,
  reviewed: ComputeReport | undefined,
  planned: readonly ComputeReport[] | undefined,
): boolean {
  // The program itself says that the old compute goes on running, and then its preview says that nothing drops.
  if (op === "replace" && kept !== undefined) return reviewed !== undefined && reviewed.drops !== "no";
  if (planned !== undefined) return reviewed !== undefined && wasAnnounced(reviewed);
  if (op === "delete" || op === "replace") return true;
  return receipt?.announced !== undefined;
}

/** Outcomes that tell a reader of an interruption, whatever the compute did when it was previewed. */
const interrupting: ReadonlySet<Outcome> = new Set([
  "delete",
  "replace",
  "move",
  "suspend",
  "restart",
  "interrupt",
]);

function wasAnnounced({ outcome, also = [], drops }: ComputeReport): boolean {
  const effects = [outcome, ...also.map(({ effect }) => effect)];
  return outcome !== "refused" && (effects.some((effect) => interrupting.has(effect)) || drops !== "no");
}

/** The outcome that the run itself announced. */
function announcedIn({ op, receipt }: AppliedStep): Outcome | null {
  if (op === "delete" || op === "replace" || op === "create") return receipt === undefined ? op : "adopt";
  const effect = receipt?.announced;
  if (effect === undefined) return receipt?.happened === "earlier" ? null : "none";
  // `unstated`, and effects of newer versions.
  return outcomes.find((outcome) => outcome === effect) ?? "interrupt";
}

function byDifference(left: AppliedCompute, right: AppliedCompute): number {
  const rank = ({ comparison }: AppliedCompute): number => comparisons.indexOf(comparison);
  const longer = (right.mostMs ?? 0) - (left.mostMs ?? 0);
  return rank(left) - rank(right) || longer || (left.label < right.label ? -1 : 1);
}
