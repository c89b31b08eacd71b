/**
 * The texts of a report that all forms share.
 */
import type { Effect } from "../../provider/model/fields";
import type {
  Change,
  CheckVerdict,
  ComputeReport,
  Difference,
  Remark,
  Rename,
  Report,
  SharedBranch,
  StacksReport,
} from "../shape";
import { isQuiet, nameOf } from "../judge/stacks";
import { counted, unseenLine } from "../judge/summary";
import { parseUrn } from "../read/urn";
import { groupBy, present, secret, sumOf, unknown, type Shown } from "../read/values";

/** Quotes a foreign value, as each form of the report does it. */
export type Quote = (value: string) => string;

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The first line of every form: `Refused: 2 computes drop their open connections`. */
export function verdictLine({ word, line }: CheckVerdict): string {
  return isPassing(word) && word !== "passed" ? capital(line) : `${capital(word)}: ${line}`;
}

function isPassing(word: CheckVerdict["word"]): boolean {
  return ["passed", "allowed", "reported"].includes(word);
}

/** Treats a single report like one of several stacks: every form shows both the same way. */
export function asStacks(
  report: Report | StacksReport,
): Pick<StacksReport, "stacks" | "unreadable" | "ignored" | "verdict"> {
  if (report.format === "compute-preview-stacks") return report;
  return { stacks: [{ name: nameOf(report), file: "", report }], unreadable: [], verdict: report.verdict };
}

/** How a form shows the parts of a line about a stack. */
interface StackForms {
  readonly name: Quote;
  readonly reason: Quote;
  /** Emphasises a verdict. */
  readonly strong: Quote;
}

/** One line for each stack, and one line for all stacks that need only their names. */
export function stackLines(
  { stacks, unreadable }: Pick<StacksReport, "stacks" | "unreadable">,
  { name: quote, reason: quoteReason, strong }: StackForms,
): readonly string[] {
  const line = (name: string, word: CheckVerdict["word"], text: string): string =>
    // A stack without a name is the only stack, and the first line of the report has its verdict.
    name === "" ? text : `${quote(name)}: ${isPassing(word) ? "" : `${strong(word)}, `}${text}`;
  return present([
    ...unreadable.map(({ file, reason }) => line(file, "not known", `because ${quoteReason(reason)}`)),
    ...stacks
      .filter(({ report }) => !isQuiet(report))
      .map(({ name, report }) => line(name, report.verdict.word, report.summary)),
    quietLine(stacks, quote),
  ]);
}

const mostStackNames = 20;

/** Stacks that only need their names, in one line; undefined if there are none, or if they have no names. */
function quietLine(stacks: StacksReport["stacks"], quote: Quote): string | undefined {
  const quiet = stacks.filter(({ report }) => isQuiet(report));
  const names = quiet.flatMap(({ name }) => (name === "" ? [] : [quote(name)]));
  if (names.length === 0) return undefined;
  const what = quiet.every(({ report }) => report.refresh)
    ? `${quiet.length === 1 ? "has" : "have"} no drift`
    : `${quiet.length === 1 ? "changes" : "change"} no compute`;
  return `${counted(quiet.length, "stack")} ${what}: ${someOf(names, mostStackNames, "and ").join(", ")}`;
}

/** The first texts, and how many more there are. @param and - the text before that number. */
export function someOf(texts: readonly string[], most: number, and = ""): readonly string[] {
  const more = texts.length - most;
  return more > 0 ? [...texts.slice(0, most), `${and}${more} more`] : texts;
}

/** Labels of computes, each once: a compute that an earlier replacement left over has the label of its successor. */
export function labelsLine(labels: readonly string[], quote: Quote, separator = ", "): string {
  return someOf([...new Set(labels)].map(quote), mostNames).join(separator);
}

/** The files that were found but not read; undefined if all were read. */
export function ignoredLine(
  { ignored = [] }: Pick<StacksReport, "ignored">,
  quote: Quote,
): string | undefined {
  if (ignored.length === 0) return undefined;
  const names = someOf(ignored.map(quote), mostStackNames, "and ");
  return `Ignored, because only files named *.json, *.ndjson or *.jsonl are read: ${names.join(", ")}.`;
}

/** What the report leaves out, for all stacks together; undefined if it shows everything. */
export function restLineOf({ stacks }: Pick<StacksReport, "stacks">): string | undefined {
  return restLine({
    form: stacks.some(({ report }) => report.form === "document") ? "document" : "events",
    otherChanges: sumOf(stacks.map(({ report }) => report.otherChanges)),
    unchangedResources: sumOf(stacks.map(({ report }) => report.unchangedResources)),
  });
}

/** What the table does not show about its computes. */
export function notesOf(report: Report, quote: Quote): readonly string[] {
  const undoing = report.computes.filter(({ changes }) => areUndoing(changes)).map(({ label }) => label);
  return present([
    report.unjudged.length > 0 && `Cannot be judged: ${labelsLine(report.unjudged, quote, "; ")}.`,
    report.laterDefaults.length > 0 &&
      `These changes affect only computes created later: ${labelsLine(report.laterDefaults, quote, "; ")}.`,
    report.partial &&
      "The plan is incomplete (`-target`, a filter, or changes left for a later plan), so this report may lack changes.",
    ...report.renames.map((rename) => renameLine(rename, report, quote)),
    ...report.branches.map((branch) => branchLine(branch, report, quote)),
    undoing.length > 0 && `Changed only to undo drift: ${labelsLine(undoing, quote)}.`,
    report.unseenRefreshes > 0 && report.computes.length > 0 && `${unseenLine(report)}.`,
  ]);
}

/** Says how to declare a rename, so that the compute is kept. */
function renameLine({ from, to }: Rename, { computes, form }: Report, quote: Quote): string {
  const nameOf = (urn: string): string => computes.find((compute) => compute.urn === urn)?.label ?? urn;
  const parentOf = (urn: string): string => urn.slice(0, urn.lastIndexOf("::"));
  const former =
    parentOf(from) === parentOf(to)
      ? `{ name: ${JSON.stringify(parseUrn(from).name)} }`
      : JSON.stringify(from);
  const fix =
    form === "plan"
      ? `with a ${quote("moved")} block`
      : `with the option ${quote(`aliases: [${former}]`)} on ${quote(nameOf(to))}`;
  return `The deleted compute ${quote(nameOf(from))} and the new compute ${quote(nameOf(to))} are similar. If this is a rename, keep the compute ${fix}.`;
}

const mostNames = 6;

/** True if the pull request does not contain these changes, because they only undo a change made outside. */
function areUndoing(changes: readonly (Difference & Partial<Change>)[]): boolean {
  return changes.length > 0 && changes.every(({ undoes }) => undoes === true);
}

/** Words that follow a change. */
function undoingWord(changes: readonly (Difference & Partial<Change>)[]): string {
  return areUndoing(changes) ? " (undoes drift)" : "";
}

function branchLine({ branchId, waves }: SharedBranch, { computes, form }: Report, quote: Quote): string {
  const byUrn = groupBy(computes, ({ urn }) => urn);
  const inWave = (urns: readonly string[]): readonly ComputeReport[] =>
    urns.flatMap((urn) => byUrn.get(urn) ?? []);
  const namesOf = (wave: readonly ComputeReport[]): string => {
    const all = wave.map(({ label, type }) => `${quote(label)}${type ? ` (${quote(type)})` : ""}`);
    return someOf(all, mostNames).join(", ");
  };
  const isCertain = inWave(waves.flat()).every(({ drops }) => drops === "yes");
  const verb = isCertain ? "interrupts" : "may interrupt";
  const names = waves.map((urns) => namesOf(inWave(urns))).join(", then ");
  if (waves.length > 1)
    return `On branch ${quote(branchId)}, this update ${verb} ${names}, in the order of their dependencies.`;
  const option = quote(form === "plan" ? "depends_on" : "dependsOn");
  return `On branch ${quote(branchId)}, this update ${verb} ${names}. They may be down at the same time unless ${option} orders them.`;
}

/** `size: 1 → 2 CU`, and the changes that are not part of the size. */
export function changeLines(
  { changes, size }: Pick<ComputeReport, "size"> & { readonly changes: readonly Difference[] },
  toText: (difference: Difference) => string,
): readonly string[] {
  const isOfSize = (argument: string): boolean => size !== null && /autoscaling_?limit/i.test(argument);
  const undoing = undoingWord(changes.filter(({ argument }) => isOfSize(argument)));
  // Most changes leave secrets as they are, so secrets are left out here. The details list them.
  const shown = changes.filter(({ hidden }) => !hidden);
  return present([
    size !== null && `size: ${size.from === null ? "" : `${size.from} → `}${size.to} CU${undoing}`,
    ...(shown.length > 0 ? shown : changes)
      .filter(({ argument }) => !isOfSize(argument))
      .map((change) => `${toText(change)}${undoingWord([change])}`),
  ]);
}

/** A deferred or refused change, in the provider's words. */
export function heldBackLine({ heldBack, outcome }: ComputeReport, quote: Quote): string | undefined {
  return heldBack && `${quote(heldBack)}${outcome === "deferred" ? " (deferred)" : ""}`;
}

/** What a refresh found. */
export function driftLines(
  { drift, outcome }: ComputeReport,
  toText: (difference: Difference) => string,
): readonly string[] {
  if (drift === null || outcome === "gone") return [];
  return drift.gone
    ? ["deleted outside"]
    : changeLines(drift, toText).map((line) => `changed outside: ${line}`);
}

export function remarksLine({ clients }: ComputeReport, quote: Quote): string {
  const remarkText = ({ text, value }: Remark): string =>
    value === undefined ? text : `${text} (${quote(value)})`;
  return clients.map(remarkText).join("; ");
}

const hiddenInDocument = "any pending deletions and policy violations (compute-preview --save shows them)";

function restLine({
  form,
  otherChanges,
  unchangedResources,
}: Pick<Report, "form" | "otherChanges" | "unchangedResources">): string | undefined {
  const parts = present([
    otherChanges > 0 && `${counted(otherChanges, "change")} to resources of other types`,
    unchangedResources > 0 && `${counted(unchangedResources, "resource")} without changes`,
    form === "document" && hiddenInDocument,
  ]);
  return parts.length === 0 ? undefined : `Not shown: ${parts.join("; ")}.`;
}

/** What changes in one argument: `suspendTimeoutSeconds: 300 → 600`. @param toText - quotes a value. */
export function differenceText(
  { from, to, hidden }: Difference,
  toText: (value: Shown) => string,
  isNew = false,
): string {
  if (hidden) return "secret";
  if (isNew) return toText(to);
  return `${toText(from)} → ${to === null ? "removed" : toText(to)}`;
}

/** The program gives a new or adopted compute all its values: there is no old value to show. */
export function isNew({ outcome }: Pick<ComputeReport, "outcome">): boolean {
  return outcome === "create" || outcome === "adopt";
}

/** A value, in words for the reader. */
export function wordOf(value: Shown): string {
  if (value === null) return "not set";
  if (value === secret) return "secret";
  return value === unknown ? "known during the update" : String(value);
}

/** What a change of one argument does, in brackets after it. */
export function effectWord({ to, effect, hidden, undoes }: Change): string {
  if (hidden) return "whether it changes is not shown";
  const others: Partial<Record<Effect, string>> = {
    none: "connections unaffected",
    unstated: "may interrupt",
  };
  const word = others[effect] ?? (to === unknown ? `may ${effect}` : `${effect}s`);
  return undoes ? `${word}; undoes drift` : word;
}
