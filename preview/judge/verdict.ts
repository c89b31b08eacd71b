/**
 * The verdict on previews: whether they pass, what is interrupted, and what to do.
 */
import { present, sumOf } from "../read/values";
import { failureCodes, failureKinds, type FailureKind } from "./failureKinds";
import { refusedKinds } from "./failures";
import type { CheckVerdict, ComputeReport, Refusal, Report } from "./shape";
import { counted, eventsSetting, unaskedLine } from "./summary";

export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  unreadable: 3,
  previewFailed: 4,
  unasked: 5,
  unjudged: 6,
} as const;

interface Previews {
  readonly reports: readonly Pick<
    Report,
    "computes" | "failed" | "refresh" | "unjudged" | "unread" | "unseenRefreshes"
  >[];
  /** How many previews could not be read. */
  readonly unreadable?: number;
  readonly failOn: readonly FailureKind[];
}

/** A reason not to pass, or the one to pass. */
interface Ground extends Pick<CheckVerdict, "word" | "code"> {
  /** A part of the first line. */
  readonly line?: string;
  readonly advice?: string;
}

/**
 * A preview that could not be read counts first, then one that failed, then one that could not ask the service: they may
 * not have seen what `--fail-on` refuses.
 */
export function verdictOn(previews: Previews): CheckVerdict {
  const refused = refusalsIn(previews);
  const drops = dropsLine(previews);
  const passed: Ground = { word: "passed", code: exitCodes.ok, ...(drops && { advice: mergeAdvice }) };
  const found = present<Ground>([
    unreadableIn(previews),
    failedIn(previews),
    unaskedIn(previews),
    unjudgedIn(previews),
    refusalIn(refused, previews.failOn),
    unseenIn(previews),
  ]);
  const reasons: readonly Ground[] = found.length > 0 ? found : [passed];
  const [{ word, code } = passed] = reasons;
  const lines = present([...reasons.map(({ line }) => line), drops]);
  return {
    word,
    code,
    line: lines.join("; ") || calmLine(previews),
    advice: present(reasons.map(({ advice }) => advice)),
    refused,
  };
}

const mergeAdvice = "Merge this when these computes may be interrupted.";

/** In the order of the exit codes. */
function refusalsIn({ reports, failOn }: Previews): readonly Refusal[] {
  const computes = reports.flatMap((report) => report.computes);
  return failureKinds
    .map((kind) => ({
      kind,
      computes: computes.filter((compute) => refusedKinds(compute, failOn).includes(kind)).length,
    }))
    .filter((refusal) => refusal.computes > 0);
}

function unreadableIn({ reports, unreadable = 0 }: Previews): Ground | undefined {
  if (unreadable === 0) return undefined;
  return {
    word: "not known",
    code: exitCodes.unreadable,
    line: `${partOf(unreadable, reports.length + unreadable)} could not be read`,
    advice: "The log of the job that previews says why. Preview again.",
  };
}

function failedIn({ reports, unreadable = 0 }: Previews): Ground | undefined {
  const failed = reports.filter((report) => report.failed).length;
  if (failed === 0) return undefined;
  const refused = reports.flatMap(({ computes }) => computes).filter(({ outcome }) => outcome === "refused");
  const which =
    refused.length === 0 ? "" : `, ${counted(refused.length, "compute is", "computes are")} refused`;
  return {
    word: "failed",
    code: exitCodes.previewFailed,
    line: `${partOf(failed, reports.length + unreadable)} failed${which}`,
    advice: "Fix the errors below, and preview again: a preview that failed may not have seen every change.",
  };
}

/** `the preview`, `1 of 3 previews`. */
function partOf(count: number, all: number): string {
  return all === 1 ? "the preview" : `${count} of ${all} previews`;
}

function unaskedIn({ reports }: Previews): Ground | undefined {
  const line = unaskedLine(reports.flatMap(({ computes }) => computes));
  if (line === undefined) return undefined;
  return {
    word: "not known",
    code: exitCodes.unasked,
    line,
    advice: "A warning of the preview says why: put that right, and preview again.",
  };
}

/** Without `--fail-on` nobody asked for a gate: the first line says it all the same. */
function unjudgedIn({ reports, failOn }: Previews): Ground | undefined {
  const names = reports.flatMap(({ unjudged }) => unjudged);
  if (names.length === 0) return undefined;
  const isGate = failOn.length > 0;
  return {
    word: isGate ? "not known" : "passed",
    code: isGate ? exitCodes.unjudged : exitCodes.ok,
    line: `what happens to the computes of ${counted(names.length, "resource")} cannot be judged`,
    advice:
      "Read the plan of the resources that the report names: their types are not in compute-preview's table.",
  };
}

function refusalIn(refused: readonly Refusal[], failOn: readonly FailureKind[]): Ground | undefined {
  const [first] = refused;
  if (first === undefined) return undefined;
  const kinds = refused.map(({ kind, computes }) => `${kind} (${computes})`).join(", ");
  const advice = refused.every(({ kind }) => kind === "drift") ? undoAdvice : leaveOutAdvice;
  return {
    word: "refused",
    code: failureCodes[first.kind],
    advice: `--fail-on ${failOn.join(",")} refuses ${kinds}. ${advice}`,
  };
}

const leaveOutAdvice = "Leave these changes out, or ask whoever may merge past this check.";
const undoAdvice = "To undo them, run pulumi up --refresh; to keep them, change the program.";

/** `--fail-on drift` asks for something that this form does not show: passing would be misleading. */
function unseenIn({ reports, failOn }: Previews): Ground | undefined {
  if (!failOn.includes("drift")) return undefined;
  const refused = { word: "refused", code: failureCodes.drift } as const;
  const unseen = sumOf(reports.map(({ unseenRefreshes }) => unseenRefreshes));
  if (unseen > 0)
    return {
      ...refused,
      line: `whether ${counted(unseen, "compute")} changed outside, which --fail-on drift refuses, is in the events alone`,
      advice: `Preview with ${eventsSetting}.`,
    };
  if (!reports.some(({ unread }) => unread)) return undefined;
  return {
    ...refused,
    line: "whether a compute changed outside, which --fail-on drift refuses, was not looked for",
    advice: "Preview with --refresh.",
  };
}

/** The answer to a reviewer's first question; undefined if no connection drops. */
function dropsLine({ reports, unreadable = 0 }: Previews): string | undefined {
  const dropping = reports.map((report) => report.computes.filter(isDropping));
  const count = (wanted: ComputeReport["drops"]): number =>
    dropping.flat().filter(({ drops }) => drops === wanted).length;
  const total = reports.length + unreadable;
  const stacks = dropping.filter((computes) => computes.length > 0).length;
  const where = total === 1 ? "" : ` in ${stacks} of ${total} stacks`;
  const [sure, maybe] = [count("yes"), count("may")];
  if (sure > 0) {
    const drop = counted(sure, `compute${where} drops its`, `computes${where} drop their`);
    return `${drop} open connections${maybe > 0 ? `, ${maybe} may` : ""}`;
  }
  return maybe > 0
    ? `${counted(maybe, `compute${where} may drop its`, `computes${where} may drop their`)} open connections`
    : undefined;
}

/** What is refused is not applied. */
function isDropping({ drops, outcome }: ComputeReport): boolean {
  return drops !== "no" && outcome !== "refused";
}

/** The first line if no connections drop. */
function calmLine({ reports }: Previews): string {
  const computes = reports.flatMap((report) => report.computes);
  const isRefresh = reports.every(({ refresh }) => refresh);
  const unseen = sumOf(reports.map(({ unseenRefreshes }) => unseenRefreshes));
  if (isRefresh && computes.length === 0 && unseen > 0)
    return "what changed outside the program is not shown";
  const outside = computes.filter(({ drift }) => drift !== null).length;
  if (outside === 0)
    return isRefresh ? "no compute changed outside the program" : "no compute drops its open connections";
  return `${counted(outside, "compute")} changed outside the program, and no open connections drop`;
}
