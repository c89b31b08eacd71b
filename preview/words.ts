/**
 * The words of a report that all forms share.
 */
import type { Change } from "./changes";
import type { Outcome } from "./outcome";
import type { ComputeReport, Report } from "./shape";
import { secret, unknown, type Shown } from "./values";

/** What a compute does, and what several do. */
const phrases = {
  refused: ["is refused", "are refused"],
  delete: ["is deleted", "are deleted"],
  replace: ["is replaced", "are replaced"],
  move: ["moves to another branch", "move to another branch"],
  suspend: ["is suspended", "are suspended"],
  restart: ["restarts", "restart"],
  interrupt: ["may be interrupted", "may be interrupted"],
  adopt: ["is taken over", "are taken over"],
  release: ["leaves the stack", "leave the stack"],
  none: ["changes without interruption", "change without interruption"],
  create: ["is new", "are new"],
} as const satisfies Record<Outcome, readonly [one: string, many: string]>;

/** The same where only the update will know. */
const uncertainPhrases: Partial<Record<Outcome, string>> = {
  replace: "may be replaced",
  move: "may move to another branch",
  suspend: "may be suspended",
  restart: "may restart",
};

export function phraseOf(
  { outcome, certain }: Pick<ComputeReport, "outcome" | "certain">,
  count = 1,
): string {
  const [one, many] = phrases[outcome];
  return (certain ? undefined : uncertainPhrases[outcome]) ?? (count === 1 ? one : many);
}

/** `2 computes restart, 1 is replaced, 1 is new`. */
export function countsLine(computes: readonly ComputeReport[]): string {
  const groups = new Map<string, number>();
  for (const compute of computes) {
    const key = `${compute.outcome} ${String(compute.certain)}`;
    groups.set(key, (groups.get(key) ?? 0) + 1);
  }
  return [...groups]
    .map(([key, count], index) => {
      const [outcome, certain] = key.split(" ") as [Outcome, string];
      const noun = index > 0 ? "" : count === 1 ? "compute " : "computes ";
      return `${count} ${noun}${phraseOf({ outcome, certain: certain === "true" }, count)}`;
    })
    .join(", ");
}

export function summaryLine(report: Pick<Report, "computes" | "failed">): string {
  if (report.computes.length > 0) return countsLine(report.computes);
  return report.failed ? "the preview failed before it planned a compute" : "no compute changes";
}

/** What a reviewer asks first. */
export function headline({ computes, failed }: Report): string {
  const count = (wanted: ComputeReport["drops"]): number =>
    computes.filter(({ drops, outcome }) => drops === wanted && outcome !== "refused").length;
  const [sure, maybe] = [count("yes"), count("may")];
  if (sure > 0)
    return `${sure} ${sure === 1 ? "compute drops its" : "computes drop their"} open connections${maybe > 0 ? `, ${maybe} may` : ""}`;
  if (maybe > 0)
    return `${maybe} ${maybe === 1 ? "compute may drop its" : "computes may drop their"} open connections`;
  return failed ? "the preview failed" : "no compute drops its open connections";
}

/** What is not in the table. */
export function restLine({ otherChanges, unchangedResources }: Report): string {
  const changes = `${otherChanges} ${otherChanges === 1 ? "change" : "changes"} to resources of other types`;
  return `Not shown: ${changes}; ${unchangedResources} ${unchangedResources === 1 ? "resource" : "resources"} without changes`;
}

/** A value in words of the reader. */
export function wordOf(value: Shown): string {
  if (value === null) return "not set";
  if (value === secret) return "secret";
  return value === unknown ? "known during the update" : String(value);
}

/** What a change of one argument does, in brackets behind it. */
export function effectWord({ effect, hidden }: Change): string {
  if (hidden) return "whether it changes is not shown";
  return {
    replace: "replaces",
    restart: "restarts",
    move: "moves",
    suspend: "suspends",
    unstated: "may interrupt",
    none: "connections unaffected",
  }[effect];
}
