/**
 * The verdict on previews: whether they pass, what is interrupted, and what to do.
 */
import { refusals } from "../../provider/model/policy";
import { groupBy, present, sumOf } from "../read/values";
import { refusedKinds } from "./gate";
import { bySeriousness, counted, countOf, savingCommand, computeIdentity, unaskedLine } from "./summary";
import { failures } from "../outcomes";
import { refusalWords } from "./refusal";
import {
  failureKinds,
  type CheckVerdict,
  type ComputeReport,
  type FailureKind,
  type Refusal,
  type Report,
} from "../shape";

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
    "computes" | "errors" | "failed" | "form" | "refresh" | "unjudged" | "unread" | "unseenRefreshes"
  >[];
  /** How many previews could not be read. */
  readonly unreadable?: number;
  readonly failOn: readonly FailureKind[];
}

/** What decides the word and the exit code of a verdict. */
interface Ground extends Pick<CheckVerdict, "word" | "code"> {
  /** A part of the first line. */
  readonly line?: string | undefined;
  readonly advice?: string;
}

/**
 * The first reason that applies decides. First come previews that could not be read, that failed, or that could not ask
 * the service, since they may hide worse changes. Next come changes that `--fail-on` refuses for certain, and then
 * changes that cannot be judged.
 */
export function verdictOn(previews: Previews): CheckVerdict {
  const { failOn } = previews;
  const refused = refusalsIn(previews);
  const happens = happensLine(previews);
  const found = present<Ground>([
    unreadableGround(previews),
    failedGround(previews),
    unaskedGround(previews),
    refusalGround(refused, previews),
    unjudgedGround(previews),
    unseenGround(previews),
  ]);
  const asked = happens === undefined ? "passed" : "allowed";
  const { word, code }: Ground = found[0] ?? {
    word: failOn.length === 0 ? "reported" : asked,
    code: exitCodes.ok,
  };
  const isRefused = refused.length > 0;
  const lines = present([...found.map(({ line }) => line), !isRefused && happens]);
  const line = lines.join("; ") || calmLine(previews);
  return {
    word,
    code,
    line: word === "allowed" ? `${line} (not refused: --fail-on covers ${failOn.join(", ")} only)` : line,
    advice: present([
      ...found.map(({ advice }) => advice),
      goneAdvice(previews),
      found.length === 0 && mergeAdvice(previews),
    ]),
    refused,
  };
}

function mergeAdvice(previews: Previews): string | undefined {
  const isDropping = computesIn(previews).some(({ drops }) => drops !== "no");
  return isDropping ? "Merge only once it is OK to interrupt these computes." : undefined;
}

/** Advice on losses that no later run can undo. */
function goneAdvice(previews: Previews): string | undefined {
  const computes = computesIn(previews);
  if (computes.some(({ outcome }) => outcome === "delete"))
    return "A deleted compute does not come back, and neither does its host.";
  return computes.some(isReplaced) ? "A replaced compute gets a new host." : undefined;
}

/** The computes that a change affects, each with its most serious entry. */
export function computesIn({ reports }: Pick<Previews, "reports">): readonly ComputeReport[] {
  const reached = reports.flatMap(({ computes }) => computes).filter(({ outcome }) => outcome !== "refused");
  return [...groupBy([...reached].sort(bySeriousness), computeIdentity).values()].map(([compute]) => compute);
}

function isReplaced({ outcome, certain }: ComputeReport): boolean {
  return outcome === "replace" && certain;
}

/** In the order of the exit codes. */
function refusalsIn(previews: Previews): readonly Refusal[] {
  return failureKinds
    .map((kind) => ({ kind, computes: groupBy(refusedBy(kind, previews), computeIdentity).size }))
    .filter(({ computes }) => computes > 0);
}

function refusedBy(kind: FailureKind, { reports, failOn }: Previews): readonly ComputeReport[] {
  return reports
    .flatMap(({ computes }) => computes)
    .filter((compute) => refusedKinds(compute, failOn).includes(kind));
}

function unreadableGround({ reports, unreadable = 0 }: Previews): Ground | undefined {
  if (unreadable === 0) return undefined;
  return {
    word: "not known",
    code: exitCodes.unreadable,
    line: `${partOf(unreadable, reports.length + unreadable)} could not be read`,
    advice: "Check the log of the job that ran the preview, and preview again.",
  };
}

function failedGround({ reports, unreadable = 0 }: Previews): Ground | undefined {
  const failed = reports.filter((report) => report.failed).length;
  if (failed === 0) return undefined;
  const refused = reports.flatMap(({ computes }) => computes).filter(({ outcome }) => outcome === "refused");
  const which = refused.length === 0 ? "" : ` on ${counted(refused.length, "compute")}`;
  if (reports.filter((report) => report.failed).every(isByPolicy))
    return {
      word: "refused",
      code: exitCodes.previewFailed,
      line: `onInterruption forbids the change of ${counted(refused.length, "compute")}`,
      advice:
        "Your own policy refuses this change: take the change out, or allow it as the message below says. The preview stopped there, so it may not have seen every change.",
    };
  return {
    word: "failed",
    code: exitCodes.previewFailed,
    line: `${partOf(failed, reports.length + unreadable)} failed${which}`,
    advice: "Fix the errors below, and preview again: a preview that failed may not have seen every change.",
  };
}

/** Whether nothing but `onInterruption` made a preview fail. */
function isByPolicy({ computes, errors }: Pick<Report, "computes" | "errors">): boolean {
  const refused = computes.filter(({ outcome }) => outcome === "refused");
  const isPolicy = (text: string): boolean => Object.values(refusals).some((words) => text.includes(words));
  return refused.length > 0 && [...errors, ...refused.flatMap((compute) => compute.errors)].every(isPolicy);
}

/** `the preview`, `1 of 3 previews`. */
function partOf(count: number, all: number): string {
  return all === 1 ? "the preview" : `${count} of ${all} previews`;
}

function unaskedGround({ reports }: Previews): Ground | undefined {
  const line = unaskedLine(reports.flatMap(({ computes }) => computes));
  if (line === undefined) return undefined;
  return {
    word: "not known",
    code: exitCodes.unasked,
    line,
    advice: "A warning in the preview says why. Fix the cause, and preview again.",
  };
}

/** Without `--fail-on`, nothing is refused, but the first line still says that something cannot be judged. */
function unjudgedGround({ reports, failOn }: Previews): Ground | undefined {
  const names = reports.flatMap(({ unjudged }) => unjudged);
  if (names.length === 0) return undefined;
  const isGate = failOn.length > 0;
  return {
    word: isGate ? "not known" : "reported",
    code: isGate ? exitCodes.unjudged : exitCodes.ok,
    line: `changes to ${counted(names.length, "resource")} cannot be judged`,
    advice:
      'Review the changes listed under "Cannot be judged" yourself: compute-preview cannot tell what they do to running computes.',
  };
}

function refusalGround(refused: readonly Refusal[], previews: Previews): Ground | undefined {
  const { reports } = previews;
  const [first] = refused;
  if (first === undefined) return undefined;
  const isPlan = reports.every(({ form }) => form === "plan");
  const undoAdvice = isPlan
    ? "To keep the change, update the configuration. To undo it, apply the plan: this can drop open connections, as every change of a size does."
    : "To keep the change, update the program. To undo it, run pulumi up --refresh: this can drop open connections, as its preview says.";
  const isDrift = refused.every(({ kind }) => kind === "drift");
  const kinds = refused.map(({ kind }) => kind).join(",");
  const subject = isDrift ? "" : "This change ";
  return {
    word: "refused",
    code: failures[first.kind].code,
    line: happensLine(previews),
    advice: `${subject}${refusalWords(refused.map(({ kind }) => [kind, refusedBy(kind, previews)]))}, which this check does not allow (--fail-on ${kinds}). ${isDrift ? undoAdvice : leaveOutAdvice}`,
  };
}

const leaveOutAdvice = "Take the change out, or ask someone who can override the check.";

/** `--fail-on drift` asks for something that this form does not show: passing would be misleading. */
function unseenGround({ reports, failOn }: Previews): Ground | undefined {
  if (!failOn.includes("drift")) return undefined;
  const refused = { word: "refused", code: failures.drift.code } as const;
  const unseen = sumOf(reports.map(({ unseenRefreshes }) => unseenRefreshes));
  if (unseen > 0)
    return {
      ...refused,
      line: "this form of the preview does not show whether a compute changed outside the program, so --fail-on drift refuses it",
      advice: `Run \`${savingCommand}\`, and pass that FILE.`,
    };
  if (!reports.some(({ unread }) => unread)) return undefined;
  return {
    ...refused,
    line: "this preview did not check whether a compute changed outside the program, so --fail-on drift refuses it",
    advice: "Run the preview with --refresh.",
  };
}

/** Computes with the same outcome, and the phrases for one compute and for several. */
type Happening = readonly [of: readonly ComputeReport[], one: string, many: string];

/**
 * What happens to computes, the worst first; undefined if no compute is deleted or replaced and no connection can drop.
 */
function happensLine(previews: Previews): string | undefined {
  const computes = computesIn(previews);
  const deleted = computes.filter(({ outcome }) => outcome === "delete");
  const replaced = computes.filter(isReplaced);
  const others = computes.filter((compute) => ![...deleted, ...replaced].includes(compute));
  const happenings: readonly Happening[] = [
    ...goingOf(deleted, "deleted"),
    ...goingOf(replaced, "replaced"),
    ...droppingOf(others, "yes"),
    ...droppingOf(others, "may"),
  ];
  const found = happenings.filter(([of]) => of.length > 0);
  const place = where(
    previews,
    found.flatMap(([of]) => of),
  );
  const parts = found.map(([of, one, many], index) => {
    const count = countOf(of, found[index - 1]?.[0], index === 0 ? place : "");
    return `${count} ${of.length === 1 && of[0]?.place === undefined ? one : many}`;
  });
  return parts.join(", ") || undefined;
}

/** Computes first, then projects and branches that go away with their computes. */
function goingOf(computes: readonly ComputeReport[], verb: string): readonly Happening[] {
  return computesFirst(computes, ({ holder }) => holder).map(([holder, of]) => [
    of,
    `is ${verb}${holder === "" ? "" : " with its computes"}`,
    `are ${verb}${holder === "" ? "" : " with their computes"}`,
  ]);
}

/** Computes that the previews know first, then those of whole branches and projects. */
function droppingOf(computes: readonly ComputeReport[], drops: "yes" | "may"): readonly Happening[] {
  const may = drops === "may" ? "may " : "";
  const of = computes.filter((compute) => compute.drops === drops);
  return computesFirst(of, ({ place }) => place).map(([, group]) => [
    group,
    `${may}drop${may === "" ? "s" : ""} its open connections`,
    `${may}drop their open connections`,
  ]);
}

/** Groups by what a row stands for: single computes, with the key "", come first. */
function computesFirst(
  computes: readonly ComputeReport[],
  wholeOf: (compute: ComputeReport) => string | undefined,
): readonly (readonly [whole: string, of: readonly ComputeReport[]])[] {
  return [...groupBy(computes, (compute) => wholeOf(compute) ?? "")].sort(([left], [right]) =>
    left.localeCompare(right),
  );
}

/** ` in 1 of 3 stacks`. */
function where({ reports, unreadable = 0 }: Previews, reached: readonly ComputeReport[]): string {
  const total = reports.length + unreadable;
  const noun = reports.every(({ form }) => form === "plan") ? "plans" : "stacks";
  const stacks = reports.filter(({ computes }) =>
    computes.some((compute) => reached.includes(compute)),
  ).length;
  return total === 1 ? "" : ` in ${stacks} of ${total} ${noun}`;
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
  return `${counted(outside, "compute")} changed outside the program; no open connections drop`;
}
