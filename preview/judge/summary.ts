/**
 * Summarises a report in one line (how many computes have which outcome), and orders computes: those whose connections
 * drop come first, then those with the more serious outcome.
 */
import { isTerraformUrn } from "../read/urn";
import { groupBy } from "../read/values";
import { outcomeTable } from "../outcomes";
import { outcomes, type ComputeReport, type Report } from "../shape";

type Ranked = Pick<ComputeReport, "outcome" | "certain" | "drops">;

const dropRanks = { yes: 0, may: 1, no: 2 } as const;

/** `r2` stands before `r10`. */
export const { compare: compareNames } = new Intl.Collator("en", { numeric: true });

/** A smaller number is more serious. A refused compute comes first: the preview stopped there. */
export function rankOf({ outcome, certain, drops }: Ranked): number {
  if (outcome === "refused") return 0;
  return (dropRanks[drops] * outcomes.length + outcomes.indexOf(outcome)) * 2 + (certain ? 0 : 1);
}

/**
 * One key per compute, however many resources refer to it. Another provider's id may be the id of a project, so only ids
 * that begin with `ep-` count.
 */
export function computeIdentity({ endpointId, urn }: ComputeReport): string {
  return endpointId?.startsWith("ep-") === true ? endpointId : urn;
}

export function bySeriousness(left: ComputeReport, right: ComputeReport): number {
  return rankOf(left) - rankOf(right) || compareNames(left.label, right.label);
}

type Phrased = Pick<ComputeReport, "outcome" | "certain" | "holder" | "place" | "urn">;

const removed: (typeof outcomeTable)["release"] = {
  ...outcomeTable.release,
  one: "is removed from the state",
  many: "are removed from the state",
};

function phraseOf({ outcome, certain, holder, place, urn }: Phrased, of = 1): string {
  // All computes of a place are several.
  const count = place === undefined ? of : 2;
  const isRemoved = outcome === "release" && isTerraformUrn(urn);
  const { one, many, may } = isRemoved ? removed : outcomeTable[outcome];
  const phrase = (certain ? undefined : may) ?? (count === 1 ? one : many);
  return holder === undefined ? phrase : `${phrase} with ${count === 1 ? "its" : "their"} computes`;
}

/** The phrase for all that happens to one compute: `moves to another branch and restarts`. */
export function wholePhraseOf(compute: ComputeReport): string {
  const { also = [] } = compute;
  // Newer versions may have other effects.
  const others = also.filter(({ effect }) => effect in outcomeTable);
  const parts = [compute, ...others.map(({ effect, certain }) => ({ ...compute, outcome: effect, certain }))];
  // A replaced compute has its new values from the start, so the other changes happen only if it is not replaced.
  const mayBeReplaced = ({ outcome, certain }: Phrased): boolean => outcome === "replace" && !certain;
  const ways = [parts.filter(mayBeReplaced), parts.filter((part) => !mayBeReplaced(part))];
  return ways
    .filter((way) => way.length > 0)
    .map((way) => way.map((part) => phraseOf(part)).join(" and "))
    .join("; otherwise ");
}

/** `2 computes restart, 1 is replaced, 1 is new`. */
export function countsLine(computes: readonly ComputeReport[]): string {
  const keyOf = (compute: ComputeReport): string =>
    `${phraseOf(compute)} ${compute.holder ?? ""} ${compute.place ?? ""}`;
  const groups = [...groupBy(computes, keyOf).values()];
  return groups
    .map((group, index) => `${countOf(group, groups[index - 1])} ${phraseOf(group[0], group.length)}`)
    .join(", ");
}

/**
 * `2 computes`, or only the number if the previous group has the same noun.
 *
 * @param where - follows the noun.
 */
export function countOf(
  group: readonly ComputeReport[],
  before?: readonly ComputeReport[],
  where = "",
): string {
  const { holder, place } = group[0] ?? {};
  const noun = place ?? holder;
  const isSame = before?.[0]?.holder === holder && before?.[0]?.place === undefined;
  if (before !== undefined && isSame && place === undefined) return String(group.length);
  const count =
    place === undefined ? counted(group.length, noun ?? "compute") : countedPlaces(group.length, place);
  return `${count}${where}`;
}

/** `1 compute`, `2 branches`. @param many - the plural, if it is not a regular one. */
export function counted(
  count: number,
  one: string,
  many = `${one}${one.endsWith("ch") ? "es" : "s"}`,
): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `the computes of 2 branches`. */
export function countedPlaces(count: number, place: string): string {
  return `the computes of ${counted(count, place)}`;
}

/** undefined if the service answered every question of the preview. */
export function unaskedLine(computes: readonly ComputeReport[]): string | undefined {
  const count = computes.filter(({ unasked }) => unasked).length;
  return count === 0 ? undefined : `the service could not be asked about ${counted(count, "compute")}`;
}

export function summaryLine(report: Omit<Report, "format" | "version" | "verdict" | "summary">): string {
  if (report.computes.length > 0) return countsLine(report.computes);
  if (report.unseenRefreshes > 0 && !report.failed) return unseenLine(report);
  if (report.failed) return "the preview failed before it planned a compute";
  if (report.unjudged.length > 0) return "no compute is known to change";
  return report.refresh ? "no compute changed outside" : "no compute changes";
}

/** Saves a preview with its events, which show what the document leaves out. */
export const savingCommand = "compute-preview --save FILE -- pulumi preview";

/** The document shows that a refresh ran, but not what it found. */
export function unseenLine({
  unseenRefreshes: count,
  unseenChanges,
}: Pick<Report, "unseenRefreshes" | "unseenChanges">): string {
  const which = counted(count, "compute was", "computes were");
  const changed = unseenChanges === null ? "" : ` and ${counted(unseenChanges, "resource")} changed outside`;
  const what = unseenChanges === null ? "what changed outside" : "which";
  return `${which} refreshed${changed}, but this form of the preview does not show ${what} (compute-preview --save does)`;
}
